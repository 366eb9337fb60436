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

/** How a POSIX shell begins: it reads the word from the third stream, and does not go on when relay has died. */
export const waitForWord = 'read -r go <&3 && [ "$go" = go ] || exit 125'

/** Where `/proc` is missing, `ps` prints the command that mounts it. */
export const lookAtPs = 'Look whether `ps` shows your own processes here'

export interface GateOptions {
  readonly cwd: string
  /** In seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
  /** Leaves the gate open for the caller to close. */
  readonly holdsGate?: boolean
  onStart(group: ProcessMark): Promise<void>
}

export interface Ending {
  /** One after the other. */
  readonly signals: Signals
  /** This entry of the environment marks the program's processes, and all that carry it end with the program. */
  readonly entry: string
  /** Processes that were started since the program and work in this folder end, too. */
  readonly folder?: string | undefined
  /** For what the program leaves when it ends. */
  readonly rest?: Signals | undefined
}

export interface StartedProcess {
  readonly child: ChildProcess
  /** The end that is not forced by relay. */
  readonly exited: Promise<CommandResult['end']>
}

/** It waited at the gate until this mark had been noted. */
export interface Noted extends StartedProcess {
  readonly group: ProcessMark
}

/**
 * Starts a process that waits at the gate, has `onStart` note it, and lets it through. If relay dies first, the gate
 * closes and nothing runs. Nothing runs either if `signal` has aborted by then.
 *
 * `name` is its name in errors, `spawn` starts it, and the word `go` goes to the stream with the number `gate`.
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

export async function begin(name: string, spawn: () => ChildProcess, cwd: string): Promise<StartedProcess> {
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
 * Waits until the program has ended by itself, or ends its whole group at its time limit or at relay's interruption.
 * All its output has come by then. With `ending` nothing that it started stays; without, a daemon may stay.
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

/** For a process without a mark, which leaves nothing when it ends by itself. */
export async function endOfUnnoted(
  { child, exited }: StartedProcess,
  limits: Limits,
  { entry, signals }: Pick<Ending, 'entry' | 'signals'>,
): Promise<CommandResult['end']> {
  const end = await firstOf(exited, limits)
  // It has not been waited for yet, so no other process has its number.
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

/** Ends with the first: the command's own end, its time limit, or relay's interruption. */
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

/** The error of a failed start is thrown at once, or comes as an event, depending on the reason. */
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

/** For a command that still waits at the gate. */
async function endAtOnce(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL')
  await exited
  child.stdout?.destroy()
}

/** How long the output may be silent after the process has ended, and how long relay waits in all. */
const silentMs = 200
const mostLateMs = 2000

/**
 * Waits for the rest of the output. A daemon that the command left behind keeps the stream open: relay leaves it
 * alone, and drops what it still prints.
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
    // Relay itself may have been busy: then it has not read yet what waits in the pipe.
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
