import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { RelayError } from '../errors.ts'
import type { CommandResult } from '../model/check.ts'
import type { ProcessMark } from '../ports.ts'
import { systemClock } from './clock.ts'
import { closeOthers, codeOf, manyFiles } from './file-error.ts'
import { endCarriers, endGroup, markOf, type Signals } from './processes.ts'
import { waitOut } from './time-limit.ts'

/** What a POSIX shell does first: it waits on the third stream for the word, and never goes on when relay dies before. */
export const waitForWord = 'read -r go <&3 && [ "$go" = go ] || exit 125'

/** Without `/proc`, `ps` says what to mount. */
export const lookAtPs = 'Look whether `ps` shows your own processes here'

export interface GateOptions {
  readonly cwd: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
  /** The gate stays open behind it: the caller closes that. */
  readonly holdsGate?: boolean
  onStart(group: ProcessMark): Promise<void>
}

/** What ends a program whole. */
export interface Ending {
  /** One after the other. */
  readonly signals: Signals
  /** Of its environment: what carries it ends with the program. */
  readonly entry: string
  /** What was started since and works in it does so too. */
  readonly folder?: string | undefined
  /** What ends all that it left. */
  readonly rest?: Signals | undefined
}

export interface Begun {
  readonly child: ChildProcess
  /** How it ends by itself. */
  readonly exited: Promise<CommandResult['end']>
}

/** One that waited at the gate until this mark had been noted. */
export interface Noted extends Begun {
  readonly group: ProcessMark
}

/**
 * Starts a process that waits at the gate, has it noted by `onStart`, and lets it through. When relay dies first, the
 * gate closes and nothing runs; nor does it when `signal` has aborted by then.
 *
 * `name` is what the errors call it, `spawn` starts it, and the stream with the number `gate` takes the word `go`.
 */
export async function passGate(
  name: string,
  spawn: () => ChildProcess,
  gate: number,
  options: GateOptions,
): Promise<Noted> {
  const { child, exited } = await begin(name, spawn, options.cwd)
  const word = child.stdio[gate] as Writable
  // The process may have been ended already.
  word.on('error', () => {})
  const group = await noteStart(child.pid ?? -1, name, options).catch(async error => {
    await endAtOnce(child, exited)
    throw error
  })
  if (!options.signal.aborted) word.write(process.platform === 'win32' ? 'go\r\n' : 'go\n')
  if (options.holdsGate !== true && !options.signal.aborted) word.end()
  return { child, group, exited }
}

/** Starts a process in `cwd`. */
export async function begin(name: string, spawn: () => ChildProcess, cwd: string): Promise<Begun> {
  const child = await started(spawn).catch(cause => {
    throw notStarted(cause, name, cwd)
  })
  const exited = new Promise<CommandResult['end']>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal }),
    )
  })
  return { child, exited }
}

type Limits = Pick<GateOptions, 'timeLimit' | 'signal'>

/**
 * Waits until it has ended by itself, or ends its whole group because its time is over or relay is told to stop. What it
 * printed has come by then. With `ending` nothing that it started stays; else a daemon may.
 */
export async function endOf(
  { group, ...begun }: Noted,
  limits: Limits,
  ending?: Ending,
): Promise<CommandResult['end']> {
  const end = await firstOf(begun.exited, limits)
  if (isForced(end)) await endGroup(group, ending?.signals)
  if (ending !== undefined) await endCarriers(ending.entry, group, ending.folder, ending.rest)
  await lateOutput(begun.child)
  return end
}

/** The same for a process of which no mark was taken, and which leaves nothing when it ends by itself. */
export async function endOfUnnoted(
  { child, exited }: Begun,
  limits: Limits,
  { entry, signals }: Pick<Ending, 'entry' | 'signals'>,
): Promise<CommandResult['end']> {
  const end = await firstOf(exited, limits)
  // It has not been waited for yet, so its number is still its own.
  const group = isForced(end) ? await markOf(child.pid ?? -1) : null
  if (group !== null) {
    await endGroup(group, signals)
    await endCarriers(entry, group)
  }
  await lateOutput(child)
  return end
}

function isForced({ kind }: CommandResult['end']): boolean {
  return kind === 'aborted' || kind === 'time-limit'
}

async function noteStart(pid: number, name: string, options: GateOptions): Promise<ProcessMark> {
  const group = await markOf(pid)
  if (group === null) {
    throw new RelayError('environment', `Cannot run \`${name}\`: its process ended at once, or cannot be seen`, {
      hint: `Try again. If it stays so: ${lookAtPs}.`,
    })
  }
  await options.onStart(group)
  return group
}

/** How the command ends: by itself, or because its time is over or relay is told to stop. */
async function firstOf(exited: Promise<CommandResult['end']>, limits: Limits): Promise<CommandResult['end']> {
  const settled = new AbortController()
  const stopped = new Promise<CommandResult['end']>(resolve => {
    void waitOut(limits.timeLimit * 1000, systemClock, settled.signal).then(() => resolve({ kind: 'time-limit' }))
    const abort = () => resolve({ kind: 'aborted' })
    limits.signal.addEventListener('abort', abort, { signal: settled.signal })
    if (limits.signal.aborted) abort()
  })
  const end = await Promise.race([exited, stopped])
  settled.abort()
  return end
}

/** Why it cannot be started is thrown at once, or told by an event: that depends on the reason. */
function started(begin: () => ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = begin()
    child.once('spawn', () => {
      // A signal that cannot be sent is no reason to end.
      child.on('error', () => {})
      resolve(child)
    })
    child.once('error', reject)
  })
}

function notStarted(cause: Error, name: string, cwd: string): RelayError {
  const code = codeOf(cause)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const isWithoutNull = process.platform !== 'win32' && !existsSync('/dev/null')
    const missing = isWithoutNull ? 'no /dev/null' : `no shell, or no folder ${cwd}`
    return new RelayError('environment', `Cannot run \`${name}\`: ${missing}`, { cause })
  }
  const { text, hint } = whyNot[code] ?? { text: code || cause.message, hint: undefined }
  return new RelayError('environment', `Cannot run \`${name}\`: ${text}`, { hint, cause })
}

const forbidden = {
  text: 'the system does not allow it',
  hint: 'Run relay where programs may be started: a sandbox, or the rules of a container, forbid it here.',
}

const whyNot: Readonly<Record<string, { readonly text: string; readonly hint: string }>> = {
  EMFILE: manyFiles,
  EAGAIN: { text: 'no more processes may run', hint: closeOthers },
  ENOMEM: { text: 'the memory is used up', hint: closeOthers },
  EPERM: forbidden,
  ENOSYS: forbidden,
}

/** Ends a command that has not begun. */
async function endAtOnce(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL')
  await exited
  child.stdout?.destroy()
}

/** How long nothing more may arrive after the process has ended, and how long all that may take. */
const silentMs = 200
const mostLateMs = 2000

/**
 * Waits for the rest of the output. A daemon that the command left behind keeps the stream open: it is left alone,
 * and what it still prints is dropped.
 */
async function lateOutput(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter(stream => stream !== null)
  const over = new AbortController()
  void Promise.all(streams.map(ended)).then(() => over.abort())
  const arrived = () => streams.reduce((sum, stream) => sum + ('bytesRead' in stream ? Number(stream.bytesRead) : 0), 0)
  const end = performance.now() + mostLateMs
  for (let before = -1; !over.signal.aborted && arrived() > before && performance.now() < end; ) {
    before = arrived()
    await systemClock.sleep(silentMs, over.signal)
    // Where relay itself was busy, what waits in the pipe has not been read yet.
    await new Promise(resolve => setImmediate(resolve))
  }
  for (const stream of streams) {
    if (stream.closed || stream.readableEnded) continue
    stream.removeAllListeners('data')
    stream.resume()
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}

function ended(stream: Readable): Promise<void> {
  return new Promise(resolve => {
    if (stream.readableEnded || stream.destroyed) resolve()
    stream.once('close', resolve)
    stream.once('end', resolve)
    stream.once('error', () => resolve())
  })
}
