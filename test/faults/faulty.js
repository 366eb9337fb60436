// Loaded before relay with `node --import`: counts relay's calls to the file system, and hurts the one it is told to.
//
//   RELAY_FAULT="<what> <which> <number>[+]"   what: kill, stop, short, half, or an error code; which: change or any
//                                              it ends with 97 where there are not that many
//   RELAY_FAULT_LOG=<file>                     one line for each call: number among changes, number among all, name, path
//
// A call is counted when it is about a path below the working directory, or about a process. `change` counts those that change something:
// they are what a crash can fall between. Every one of them is a single system call.
import whole, {
  closeSync as closeLog,
  constants,
  promises as fs,
  openSync as openLog,
  readlinkSync,
  writeSync as writeLog,
} from 'node:fs'
import { constants as system } from 'node:os'
import { relative } from 'node:path'
import { getSystemErrorMap } from 'node:util'

const [, what, which, at, on] = /^(\w+) (change|any) (\d+)(\+?)$/.exec(process.env.RELAY_FAULT ?? '') ?? []
const log = process.env.RELAY_FAULT_LOG
const root = process.cwd()
const counts = { change: 0, any: 0 }

/** Who never meets the fault would pass every test of it. */
let isStruck = false
process.on('exit', () => {
  if (process.env.RELAY_FAULT !== undefined && !isStruck) process.exitCode = 97
})

/** A path through a folder that is held open, by the folder's own name. */
function named(path) {
  return path.replace(/^\/proc\/self\/fd\/\d+/, held => readlinkSync(held))
}

/** The note itself is no call of relay's. */
function note(line) {
  const file = openLog(log, 'a')
  writeLog(file, line)
  closeLog(file)
}

/** Which number a call has, and whether it is the one to be hurt. */
function step(name, path, changes) {
  // The loading of relay's own modules goes by URLs.
  if (typeof path !== 'string') return undefined
  // Where a folder that is held open is now: the process asks about itself.
  if (name === 'readlink' && /^\/proc\/self\/fd\/\d+$/.test(path)) return undefined
  path = named(path)
  const inside = path.startsWith('/proc/') ? path : relative(root, path)
  if (inside.startsWith('..')) return undefined
  counts.any += 1
  if (changes) counts.change += 1
  if (log !== undefined) note(`${changes ? counts.change : '-'} ${counts.any} ${name} ${inside}\n`)
  if (which === undefined || (which === 'change' && !changes)) return undefined
  const here = counts[which]
  if (here !== Number(at) && !(on === '+' && here > Number(at))) return undefined
  isStruck = true
  return what
}

/** Kills or stops the process on the spot, or answers the error to fail with. */
function hurt(fault, name, path, changes) {
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL')
  else if (fault === 'stop') process.kill(process.pid, 'SIGSTOP')
  else if (/ENOSPC|EDQUOT/.test(fault) && on === '+' && !needsRoom(name, changes)) return undefined
  else if (fault !== undefined && fault !== 'short' && fault !== 'half') return failure(fault, name, path)
  return undefined
}

/** A disk that is full and stays so takes no new bytes and no new names; removing and renaming still work. */
function needsRoom(name, changes) {
  return changes && ['open', 'write', 'mkdir', 'symlink', 'link'].includes(name)
}

/** As Node throws it: of an error that it has no name for it tells the number. */
function failure(wanted, name, path) {
  const errno = -system.errno[wanted]
  const unnamed = name === 'write' ? 'UNKNOWN' : `Unknown system error ${errno}`
  const code = getSystemErrorMap().has(errno) ? wanted : unnamed
  return Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code, errno, syscall: name, path })
}

/** Opening what the shell hands over goes by the runtime's threads. */
function wrapOpening() {
  const real = fs.open
  fs.open = async (...args) => {
    const error = hurt(step('open', args[0], false), 'open', args[0], false)
    if (error !== undefined) throw error
    return real(...args)
  }
}

/** The paths of the files that are open, by their numbers. */
const numbers = new Map()
const filling = new Set()

/** Calls that do not wait for a thread; those that get a number mean the file that was opened under it. */
function wrapSync(name, changes, { on: owner = whole, as = name } = {}) {
  const real = owner[name]
  const call = as.replace(/^f(?=chmod|chown|truncate|stat)|Sync$/g, '')
  const isChange = typeof changes === 'function' ? changes : () => changes
  owner[name] = (...args) => {
    const path = subjectOf(call, args)
    const changing = isChange(...args)
    const fault = call === 'write' && filling.has(args[0]) ? 'ENOSPC' : step(call, path, changing)
    const error = hurt(fault, call, path, changing)
    if (error !== undefined && call === 'close') real(...args)
    if (error !== undefined) throw error
    if (call === 'write') shorten(args, fault)
    const result = real(...args)
    if (call === 'open') numbers.set(result, path)
    if (call === 'close') forget(args[0])
    return result
  }
}

function forget(file) {
  numbers.delete(file)
  filling.delete(file)
}

/** The place that a call is about: the file that is open, a link's own name, a file's new name. */
function subjectOf(call, args) {
  if (typeof args[0] === 'number') return numbers.get(args[0])
  return args[['link', 'symlink'].includes(call) ? 1 : 0]
}

/** Lets a write take no more than half. Where the disk fills up in the middle, only the next call says why. */
function shorten(args, fault) {
  if ((fault !== 'short' && fault !== 'half') || !(args[3] > 1)) return
  args[3] = Math.ceil(args[3] / 2)
  if (fault === 'half') filling.add(args[0])
}

/** A sync, which goes by a thread and tells when it is done. */
function wrapSyncing() {
  const real = whole.fsync
  whole.fsync = (file, done) => {
    const path = numbers.get(file)
    const error = hurt(step('sync', path, true), 'sync', path, true)
    if (error !== undefined) process.nextTick(done, error)
    else real(file, done)
  }
}

wrapOpening()
const changing = [
  'rename', 'link', 'symlink', 'unlink', 'mkdir', 'rmdir', 'write', 'ftruncate', 'fchmod', 'fchown', 'lutimes',
] // biome-ignore format: a list of words
for (const name of changing) wrapSync(`${name}Sync`, true)
for (const name of ['lstat', 'fstat', 'readlink', 'readdir', 'read', 'close']) wrapSync(`${name}Sync`, false)
wrapSync('native', false, { on: whole.realpathSync, as: 'realpath' })
// Opening changes something only when it may make the file.
wrapSync('openSync', (_path, flags) =>
  typeof flags === 'string' ? /[wa]/.test(flags) : (flags & constants.O_CREAT) !== 0,
)
wrapSyncing()
