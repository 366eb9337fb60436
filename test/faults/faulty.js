// Loaded before relay with `node --import`: counts relay's calls to the file system, and hurts the one it is told to.
//
//   RELAY_FAULT="<what> <which> <number>[+]"   what: kill, stop, short, half, or an error code; which: change or any
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
import { relative } from 'node:path'

const [, what, which, at, on] = /^(\w+) (change|any) (\d+)(\+?)$/.exec(process.env.RELAY_FAULT ?? '') ?? []
const log = process.env.RELAY_FAULT_LOG
const root = process.cwd()
const counts = { change: 0, any: 0 }

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
  path = named(path)
  const inside = path.startsWith('/proc/') ? path : relative(root, path)
  if (inside.startsWith('..')) return undefined
  counts.any += 1
  if (changes) counts.change += 1
  if (log !== undefined) note(`${changes ? counts.change : '-'} ${counts.any} ${name} ${inside}\n`)
  if (which === undefined || (which === 'change' && !changes)) return undefined
  const here = counts[which]
  return here === Number(at) || (on === '+' && here > Number(at)) ? what : undefined
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

function failure(code, name, path) {
  return Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code, errno: -1, syscall: name, path })
}

function wrap(name, changes) {
  const real = fs[name]
  fs[name] = async (...args) => {
    // The place that a change is about: a link's own name, a file's new name.
    const path = ['link', 'symlink'].includes(name) ? args[1] : args[0]
    const changing = typeof changes === 'function' ? changes(...args) : changes
    const error = hurt(step(name, path, changing), name, path, changing)
    if (error !== undefined) throw error
    const result = await real(...args)
    if (name === 'open') handles.set(result, path)
    return result
  }
}

const handles = new WeakMap()
const numbers = new Map()
const filling = new WeakSet()

function wrapHandle(prototype, name, changes) {
  const real = prototype[name]
  prototype[name] = async function (...args) {
    const path = handles.get(this)
    if (path === undefined) return real.apply(this, args)
    const fault = filling.has(this) && name === 'write' ? 'ENOSPC' : step(name, path, changes)
    const error = hurt(fault, name, path, changes)
    if (error !== undefined && name === 'close') await real.apply(this, args)
    if (error !== undefined) throw error
    if ((fault === 'short' || fault === 'half') && name === 'write' && args[2] > 1) {
      args[2] = Math.ceil(args[2] / 2)
      // The disk fills up in the middle: the call says how much it took, and only the next one why.
      if (fault === 'half') filling.add(this)
    }
    return real.apply(this, args)
  }
}

/** Calls that do not wait for a thread; those that get a number mean the file that was opened under it. */
function wrapSync(name) {
  const real = whole[name]
  whole[name] = (...args) => {
    const path = typeof args[0] === 'number' ? numbers.get(args[0]) : args[0]
    const error = hurt(step(name.replace('Sync', ''), path, false), name, path, false)
    if (error !== undefined && name === 'closeSync') real(...args)
    if (error !== undefined) throw error
    const result = real(...args)
    if (name === 'openSync') numbers.set(result, path)
    if (name === 'closeSync') numbers.delete(args[0])
    return result
  }
}

const own = await fs.open(new URL(import.meta.url))
const prototype = Object.getPrototypeOf(own)
await own.close()

for (const name of ['rename', 'link', 'symlink', 'unlink', 'mkdir', 'rmdir', 'chmod']) wrap(name, true)
for (const name of ['lstat', 'stat', 'readlink', 'readdir', 'realpath', 'readFile']) wrap(name, false)
// Opening changes something only when it may make the file.
wrap('open', (_path, flags) => (typeof flags === 'string' ? /[wa]/.test(flags) : (flags & constants.O_CREAT) !== 0))
for (const name of ['write', 'sync', 'datasync', 'truncate', 'chmod', 'chown']) wrapHandle(prototype, name, true)
for (const name of ['stat', 'read', 'readFile', 'close']) wrapHandle(prototype, name, false)
for (const name of ['lstatSync', 'openSync', 'fstatSync', 'readSync', 'closeSync']) wrapSync(name)
