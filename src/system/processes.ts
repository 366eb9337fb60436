import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { groupBy } from '../ground/collections.ts'
import { machineName } from '../ground/words.ts'
import type { ProcessMark } from '../ports.ts'
import { atExit } from './at-exit.ts'
import { systemClock } from './clock.ts'
import { codeOf } from './file-error.ts'
import { isHidden, readKernel, statFields } from './kernel-file.ts'
import { outputOf } from './output-of.ts'
import { bootMark, machineMark, spaceMark } from './whereabouts.ts'

interface Listed {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** It has ended, and its parent has not noticed yet. */
  readonly zombie: boolean
  readonly stopped: boolean
  readonly startedAt: string
}

/** `null` when no process of that number runs now. */
export async function markOf(pid: number): Promise<ProcessMark | null> {
  const [found, here] = await Promise.all([lookUp(pid), whereabouts()])
  return found === null || found.zombie ? null : { pid, startedAt: found.startedAt, ...here }
}

/**
 * Tells whether exactly that process still runs, as far as it can be seen. A later process with its number is another
 * one.
 */
export async function lifeOf(mark: ProcessMark): Promise<'alive' | 'dead' | 'unseen'> {
  const here = await whereabouts()
  if (!isOnMachine(mark, here)) return 'unseen'
  // A boot that could not be read, there or here, proves nothing.
  if (mark.boot !== here.boot && mark.boot !== '' && here.boot !== '') return 'dead'
  if (mark.space !== here.space) return 'unseen'
  const now = await lookUp(mark.pid)
  return now !== null && !now.zombie && now.startedAt === mark.startedAt ? 'alive' : 'dead'
}

type Whereabouts = Pick<ProcessMark, 'machine' | 'boot' | 'space'>

/**
 * A sandbox can hide the system's own id, which changes the machine's mark. Then the name and the boot, which is
 * unique at its time, identify the machine.
 */
function isOnMachine(mark: Whereabouts, here: Whereabouts): boolean {
  const isSameBoot = here.boot !== '' && mark.boot === here.boot
  return mark.machine === here.machine || (isSameBoot && machineName(mark.machine) === machineName(here.machine))
}

/** Tells whether this process descends from that one, which lives. Windows only tells the parent. */
export async function hasStartedThis(mark: ProcessMark): Promise<boolean> {
  let pid = process.ppid
  while (pid > 1 && pid !== mark.pid) pid = (await lookUp(pid))?.parent ?? 0
  return pid === mark.pid
}

async function whereabouts(): Promise<Whereabouts> {
  const [machine, boot, space] = await Promise.all([machineMark(), bootMark(), spaceMark()])
  return { machine, boot, space }
}

/** One signal after the other, each with its patience in milliseconds. */
export type Signals = readonly (readonly [signal: NodeJS.Signals, patience: number])[]

const killMs = 800
const firmly: Signals = [
  ['SIGTERM', 5000],
  ['SIGKILL', killMs],
]
/** This is how a person at the terminal ends a program. Many save their work at an INT, and only then. */
export const gently: Signals = [
  ['SIGINT', 3000],
  ['SIGTERM', 15_000],
  ['SIGKILL', killMs],
]
/** For a program that has nothing to save. */
export const atOnce: Signals = [['SIGKILL', killMs]]

/**
 * Ends a group that this process began, with everything that its processes started, even in groups of their own. By
 * default: TERM, five seconds, KILL. `false`: nothing of it ran any more.
 */
export async function endGroup(mark: ProcessMark, signals: Signals = firmly): Promise<boolean> {
  if (process.platform === 'win32') return endTree(mark)
  const known = new Map<number, Listed>()
  try {
    for (const each of await familyOf(mark)) known.set(each.pid, each)
    if (known.size > 0) await endFamily(mark, known, signals)
    return known.size > 0
  } catch (error) {
    // For want of a handle relay cannot look at the processes. It ends those it knows before anything is restored.
    // Some may be stopped, and no one else would let them go on.
    signalAll(mark.pid, [...known.values()], 'SIGKILL')
    throw error
  }
}

/**
 * Ends a group that an earlier relay began, and only if it is certainly that group: another process may have its
 * number by now, and is never touched.
 *
 * The leader is known by its start. The system gives no number to a new process while a group still carries it. So
 * where the leader is gone, one member with the command's mark in its environment stands for all.
 */
export async function endLeftGroup(mark: ProcessMark, entry: string): Promise<boolean> {
  // A mark without these could belong to any process.
  if (mark.pid <= 1 || mark.startedAt === '' || mark.boot === '') return false
  const here = await whereabouts()
  if (!isOnMachine(mark, here) || mark.boot !== here.boot || mark.space !== here.space) return false
  const leader = await lookUp(mark.pid)
  if (leader !== null && leader.startedAt !== mark.startedAt) return false
  if (leader === null) {
    const carries = await Promise.all((await familyOf(mark)).map(({ pid }) => carriesEntry(pid, entry)))
    if (!carries.includes(true)) return false
  }
  return endGroup(mark)
}

/**
 * Ends every process that carries this entry (`NAME=value`) in its environment: it was left behind in a session of
 * its own, where nothing else tells its origin. A process that has cleared its environment is found by its working
 * directory, if that lies in `folder` and it was started after `group`. Nothing is found without `/proc`.
 * `false`: nothing was found.
 */
export async function endCarriers(
  entry: string,
  group: ProcessMark,
  folder?: string,
  signals: Signals = firmly,
): Promise<boolean> {
  return endFound(() => carriersOf(entry, group, folder), signals)
}

/**
 * Ends every process of a program that relay began and that works in this folder: by its working directory, or by a path in
 * its environment or arguments. `false`: without `/proc` nothing is found.
 */
export async function endLeftIn(folder: string, program: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  await endFound(async () => {
    const all = (await list()).filter(({ pid, parent, zombie }) => ![pid, parent].includes(process.pid) && !zombie)
    const isIts = await Promise.all(all.map(({ pid }) => isLeftIn(pid, folder, program)))
    return all.filter((_, at) => isIts[at])
  }, firmly)
  return true
}

async function isLeftIn(pid: number, folder: string, program: string): Promise<boolean> {
  const wordsOf = async (name: string) => (await readKernel(`/proc/${pid}/${name}`).catch(() => '')).split('\0')
  if ((await wordsOf('comm'))[0]?.trim() !== program) return false
  const environment = await wordsOf('environ')
  if (!environment.some(entry => entry.startsWith('RELAY_RUN='))) return false
  const values = [...environment, ...(await wordsOf('cmdline'))].map(word => word.slice(word.indexOf('=') + 1))
  return worksIn(pid, folder) || values.some(value => value.startsWith(`${folder}/`))
}

async function endFound(find: () => Promise<readonly Listed[]>, signals: Signals): Promise<boolean> {
  let areFound = false
  for (const [signal, patience] of signals) {
    const end = performance.now() + patience
    let told = new Set<string>()
    do {
      const left = await find()
      if (left.length === 0) return areFound
      areFound = true
      for (const each of left) if (!told.has(nameOf(each))) sendSignal(each.pid, signal)
      told = new Set(left.map(nameOf))
      await systemClock.sleep(20)
    } while (performance.now() < end)
  }
  return areFound
}

async function carriersOf(entry: string, group: ProcessMark, folder?: string): Promise<readonly Listed[]> {
  if (process.platform !== 'linux') return []
  const others = (await list()).filter(({ pid, zombie }) => pid !== process.pid && !zombie)
  const carry = await Promise.all(
    others.map(async each => {
      if (await carriesEntry(each.pid, entry)) return true
      // In ticks since the boot.
      return folder !== undefined && Number(each.startedAt) >= Number(group.startedAt) && worksIn(each.pid, folder)
    }),
  )
  return others.filter((_, at) => carry[at])
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
  } catch {
    // It has ended, or belongs to another user.
    return false
  }
}

/** The system reuses numbers, so a number alone does not name a process. */
function nameOf({ pid, startedAt }: Listed): string {
  return `${pid} ${startedAt}`
}

/** Ends a group, and all that carries the entry, without waiting: for a process that is about to end itself. */
export function killAtOnce(leader: number, entry: string): void {
  sendSignal(-leader, 'SIGKILL')
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry)) sendSignal(Number(pid), 'SIGKILL')
    } catch {
      // It has ended, or is none of ours.
    }
  }
}

/** Tells whether a process was started with this entry in its environment; `false` where that cannot be seen. */
async function carriesEntry(pid: number, entry: string): Promise<boolean> {
  const environment = await readKernel(`/proc/${pid}/environ`).catch(() => '')
  return environment.split('\0').includes(entry)
}

/** A family stops at once, except on a machine that is too busy to run each member for the moment that this takes. */
const freezeMs = 2000

async function endFamily(mark: ProcessMark, known: Map<number, Listed>, signals: Signals): Promise<void> {
  for (const [signal, patience] of signals) {
    const frozen = await freeze(mark, known, signal)
    if (frozen.length === 0) return
    endAndThaw(mark, frozen, signal)
    const end = performance.now() + patience
    while (performance.now() < end) {
      await systemClock.sleep(20)
      const left = await stillThere(mark, known)
      if (left.length === 0) return
      // A process that was started meanwhile has not got the signal yet.
      for (const each of left) {
        if (known.has(each.pid)) continue
        known.set(each.pid, each)
        sendSignal(each.pid, signal)
      }
    }
  }
}

/**
 * Stops a family until all of it is known. A process that dies of a signal while it starts another would leave an
 * orphan, and in a session of its own nothing would tell its origin.
 *
 * Should relay end meanwhile, nobody else would let them go on. So they get the signal at once.
 */
async function freeze(
  mark: ProcessMark,
  known: Map<number, Listed>,
  signal: NodeJS.Signals,
): Promise<readonly Listed[]> {
  const off = atExit(() => endAndThaw(mark, [...known.values()], signal))
  try {
    return await stopAll(mark, known)
  } finally {
    off()
  }
}

async function stopAll(mark: ProcessMark, known: Map<number, Listed>): Promise<readonly Listed[]> {
  const end = performance.now() + freezeMs
  const others = new Set<number>()
  let wasCalm = false
  for (;;) {
    const left = await stillThere(mark, known)
    const moving = left.filter(each => !each.stopped && !others.has(each.pid))
    // Two looks: during the first, a process that it saw at its end could still start another.
    if ((moving.length === 0 && wasCalm) || performance.now() > end) return left
    wasCalm = moving.length === 0
    for (const each of moving) {
      known.set(each.pid, each)
      // It belongs to another user by now (sudo): it takes no signal from us, and waiting for it would be in vain.
      if (!sendSignal(each.pid, 'SIGSTOP')) others.add(each.pid)
    }
    await systemClock.sleep(1)
  }
}

function endAndThaw(mark: ProcessMark, family: readonly Listed[], signal: NodeJS.Signals): void {
  for (const each of [signal, 'SIGCONT'] as const) signalAll(mark.pid, family, each)
}

function signalAll(group: number, family: readonly Listed[], signal: NodeJS.Signals): void {
  sendSignal(-group, signal)
  for (const each of family) {
    if (each.group !== group) sendSignal(each.pid, signal)
  }
}

/** A process that has ended by itself needs no signal. `false`: this user may not send it one. */
function sendSignal(to: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(to, signal)
  } catch (error) {
    return codeOf(error) !== 'EPERM'
  }
  return true
}

/** The part of a family that still runs: the known ones, and the present members of the group. */
async function stillThere(mark: ProcessMark, known: ReadonlyMap<number, Listed>): Promise<readonly Listed[]> {
  const all = await list()
  const same = all.filter(each => known.get(each.pid)?.startedAt === each.startedAt)
  return family(mark, all, same).filter(each => !each.zombie)
}

async function familyOf(mark: ProcessMark): Promise<readonly Listed[]> {
  return family(mark, await list()).filter(each => !each.zombie)
}

/** The members of the group that `mark` leads, the known ones, and all their descendants. */
function family(mark: ProcessMark, all: readonly Listed[], known: readonly Listed[] = []): readonly Listed[] {
  const children = groupBy(all, ({ parent }) => parent)
  // The leader began a session of its own: a group of that number in another session is a later one.
  const members = all.filter(each => each.group === mark.pid && (each.session === mark.pid || each.session === 0))
  const found = new Set([...known, ...members])
  for (const each of found) for (const child of children.get(each.pid) ?? []) found.add(child)
  return [...found]
}

async function list(): Promise<readonly Listed[]> {
  if (process.platform !== 'linux') return listByPs([])
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = await Promise.all(pids.map(pid => readProc(Number(pid))))
  return found.filter(each => each !== null)
}

async function lookUp(pid: number): Promise<Listed | null> {
  if (process.platform === 'linux') return readProc(pid)
  if (process.platform === 'win32') return runsOnWindows(pid)
  return (await listByPs(['-p', String(pid)]))[0] ?? null
}

async function readProc(pid: number): Promise<Listed | null> {
  let stat: string
  try {
    stat = await readKernel(`/proc/${pid}/stat`)
  } catch (error) {
    // It has ended, or is none of ours. A failed read for want of a handle says neither.
    if (isHidden(error)) return null
    throw error
  }
  const fields = statFields(stat)
  const [state = '', parent, group, session] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
    stopped: state === 'T' || state === 't',
    startedAt: fields[19] ?? '',
  }
}

/** For systems without `/proc`: macOS, BSD. */
async function listByPs(which: readonly string[]): Promise<readonly Listed[]> {
  // An option each: on some systems all that follows the first = is the heading of that column.
  const columns = ['pid=', 'ppid=', 'pgid=', 'stat=', 'lstart='].flatMap(column => ['-o', column])
  const output = await outputOf('ps', [...(which.length === 0 ? ['-A'] : which), ...columns])
  return output.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line)
    if (match === null) return []
    const [, pid, parent, group, state = '', startedAt = ''] = match
    const [zombie, stopped] = [state.startsWith('Z'), state.startsWith('T')]
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, zombie, stopped, startedAt }]
  })
}

/** Windows does not cheaply tell when a process started, so its number has to do. */
function runsOnWindows(pid: number): Listed | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return null
  }
  return { pid, parent: 0, group: pid, session: pid, zombie: false, stopped: false, startedAt: '' }
}

async function endTree(mark: ProcessMark): Promise<boolean> {
  if ((await lifeOf(mark)) !== 'alive') return false
  await outputOf('taskkill', ['/pid', String(mark.pid), '/T', '/F'])
  // `taskkill` is missing, or may not end it: relay would wait for the shell at its own end.
  sendSignal(mark.pid, 'SIGKILL')
  return true
}
