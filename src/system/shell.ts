import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { RelayError } from '../errors.ts'
import type { CommandResult } from '../model/check.ts'
import type { ProcessMark, RunOptions, Shell } from '../ports.ts'
import { systemClock } from './clock.ts'
import { closeOthers, codeOf, manyFiles } from './file-error.ts'
import { findProgram } from './find-program.ts'
import { keptOutput } from './kept-output.ts'
import { late } from './late.ts'
import { endGroup, endLeftGroup, hasStartedThis, lifeOf, markOf } from './processes.ts'
import { spillTo } from './spill.ts'
import { waitOut } from './time-limit.ts'

const outputLimit = 10 * 1024 * 1024

/** So much of a single command is kept on the disk for a later look. */
const wholeLimit = 100 * 1024 * 1024

/** How long output may still arrive after the command has ended, from something it left running. */
const lateOutputMs = 200

/** Without `/proc`, `ps` says what to mount. */
const lookAtPs = 'Look whether `ps` shows your own processes here'

/** The shell of this machine. */
export const systemShell: Shell = {
  run,
  async self() {
    const mark = await markOf(process.pid)
    if (mark !== null) return mark
    throw new RelayError('environment', 'Cannot find this process in the list of processes', { hint: `${lookAtPs}.` })
  },
  lifeOf,
  hasStartedThis,
  endLeftGroup,
  find: async program => findProgram(program),
}

/**
 * Node's own `spawn`, and no library around it: the group, the gate, the one stream for both outputs and not waiting
 * for what a command leaves running are all below what libraries offer.
 */
async function run(command: string, options: RunOptions): Promise<CommandResult> {
  const spill = options.whole === undefined ? undefined : spillTo(options.whole, wholeLimit)
  const kept = keptOutput(outputLimit, spill)
  if (options.signal.aborted) return { end: { kind: 'aborted' }, ...kept.text() }

  const gate = await openGate(command, options)
  const child = gate.child
  let unread: Error | undefined
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Uint8Array) => kept.add(chunk))
    stream?.once('error', cause => {
      unread = cause
    })
  }
  const exited = new Promise<CommandResult['end']>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal }),
    )
  })

  const group = await noteStart(gate.pid, command, options).catch(async error => {
    await endAtOnce(child, exited)
    throw error
  })
  if (!options.signal.aborted) gate.open()
  const end = await firstOf(exited, options)
  if (end.kind === 'aborted' || end.kind === 'time-limit') await endGroup(group)
  await lateOutput(child)
  if (unread !== undefined) {
    throw new RelayError('environment', `Cannot read what \`${command}\` prints: ${codeOf(unread) || unread.message}`, {
      hint: 'Try again.',
      cause: unread,
    })
  }
  return { end, ...kept.text(), ...(spill?.end() === true ? { whole: true } : {}) }
}

async function noteStart(pid: number, command: string, options: RunOptions): Promise<ProcessMark> {
  const group = await markOf(pid)
  if (group === null) {
    throw new RelayError('environment', `Cannot run \`${command}\`: its process ended at once, or cannot be seen`, {
      hint: `Try again. If it stays so: ${lookAtPs}.`,
    })
  }
  await options.onStart(group)
  return group
}

/** How the command ends: by itself, or because its time is over or relay is told to stop. */
async function firstOf(exited: Promise<CommandResult['end']>, options: RunOptions): Promise<CommandResult['end']> {
  const settled = new AbortController()
  const stopped = new Promise<CommandResult['end']>(resolve => {
    void waitOut(options.timeLimit * 1000, systemClock, settled.signal).then(() => resolve({ kind: 'time-limit' }))
    const abort = () => resolve({ kind: 'aborted' })
    options.signal.addEventListener('abort', abort, { signal: settled.signal })
    if (options.signal.aborted) abort()
  })
  const end = await Promise.race([exited, stopped])
  settled.abort()
  return end
}

interface Gate {
  readonly child: ChildProcess
  readonly pid: number
  /** Lets the command run. */
  open(): void
}

/**
 * Starts a process that becomes the command once it is told to. When relay dies first, the gate closes and the
 * command never runs. The command sees neither the gate nor relay's terminal, and both its outputs are one stream.
 */
async function openGate(command: string, options: RunOptions): Promise<Gate> {
  const onWindows = process.platform === 'win32'
  const env = { ...process.env, ...options.env }
  const windowsShell = process.env['ComSpec'] || 'cmd.exe'
  const begin = () =>
    onWindows
      ? late.childProcess.spawn(windowsShell, ['/d', '/v:on', '/s', '/c', windowsGate(windowsShell)], {
          cwd: options.cwd,
          env: { ...env, RELAY_GO: '', RELAY_COMMAND: command },
          windowsHide: true,
          windowsVerbatimArguments: true,
          stdio: ['pipe', 'pipe', 'pipe'],
        })
      : late.childProcess.spawn(
          '/bin/sh',
          ['-c', 'read -r go <&3 && [ "$go" = go ] || exit 125; exec /bin/sh -c "$1" 2>&1 3<&-', 'sh', command],
          { cwd: options.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore', 'pipe'] },
        )
  const child = await started(begin).catch(cause => {
    throw notStarted(cause, command, options.cwd)
  })
  const line = child.stdio[onWindows ? 0 : 3] as Writable
  // The command may have been ended already.
  line.on('error', () => {})
  return { child, pid: child.pid ?? -1, open: () => line.end(onWindows ? 'go\r\n' : 'go\n') }
}

/**
 * Waits for the word, then hands the command to a shell of its own. It comes out of the environment, and only after this
 * line has been read: a `)` in it, or a `rem`, would else be taken for a part of this line.
 */
function windowsGate(shell: string): string {
  return `"set /p RELAY_GO=& if "!RELAY_GO!"=="go" "${shell}" /d /s /c "!RELAY_COMMAND!""`
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

function notStarted(cause: Error, command: string, cwd: string): RelayError {
  const code = codeOf(cause)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const isWithoutNull = process.platform !== 'win32' && !existsSync('/dev/null')
    const missing = isWithoutNull ? 'no /dev/null' : `no shell, or no folder ${cwd}`
    return new RelayError('environment', `Cannot run \`${command}\`: ${missing}`, { cause })
  }
  const { text, hint } = whyNot[code] ?? { text: code || cause.message, hint: undefined }
  return new RelayError('environment', `Cannot run \`${command}\`: ${text}`, { hint, cause })
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

/**
 * Waits for the rest of the output. A daemon that the command left behind keeps the stream open: it is left alone,
 * and what it still prints is dropped.
 */
async function lateOutput(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter(stream => stream !== null)
  const over = new AbortController()
  await Promise.race([Promise.all(streams.map(ended)), systemClock.sleep(lateOutputMs, over.signal)])
  over.abort()
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
