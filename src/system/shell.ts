import { RelayError } from '../errors.ts'
import type { CommandResult } from '../model/check.ts'
import type { RunOptions, Shell } from '../ports.ts'
import { codeOf } from './file-error.ts'
import { findProgram } from './find-program.ts'
import { endOf, lookAtPs, passGate, waitForWord } from './gate.ts'
import { keptOutput } from './kept-output.ts'
import { late } from './late.ts'
import { endLeftGroup, hasStartedThis, lifeOf, markOf } from './processes.ts'
import { spillTo } from './spill.ts'

const outputLimit = 10 * 1024 * 1024

/** How much of a single command's output is kept on the disk for a later look. */
const wholeLimit = 100 * 1024 * 1024

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
  find: async (program, path) =>
    findProgram(program, path === undefined ? process.env : { ...process.env, PATH: path }),
}

/**
 * Node's own `spawn` with no library around it. No library offers the gate, the one stream for both outputs, and an
 * end that does not wait for what a command leaves running.
 */
async function run(command: string, options: RunOptions): Promise<CommandResult> {
  const spill = options.whole === undefined ? undefined : spillTo(options.whole, wholeLimit)
  const kept = keptOutput(outputLimit, spill)
  if (options.signal.aborted) return { end: { kind: 'aborted' }, ...kept.text() }

  const begun = await begin(command, options)
  let unread: Error | undefined
  for (const stream of [begun.child.stdout, begun.child.stderr]) {
    stream?.on('data', (chunk: Uint8Array) => kept.add(chunk))
    stream?.once('error', cause => {
      unread = cause
    })
  }
  const end = await endOf(begun, options)
  if (unread !== undefined) {
    throw new RelayError('environment', `Cannot read what \`${command}\` prints: ${codeOf(unread) || unread.message}`, {
      hint: 'Try again.',
      cause: unread,
    })
  }
  return { end, ...kept.text(), ...(spill?.end() === true ? { whole: true } : {}) }
}

/** The command sees neither the gate nor relay's terminal, and both its outputs are one stream. */
function begin(command: string, options: RunOptions) {
  const env = { ...process.env, ...options.env }
  const { cwd } = options
  if (process.platform === 'win32') {
    const shell = process.env['ComSpec'] || 'cmd.exe'
    const spawn = () =>
      late.childProcess.spawn(shell, ['/d', '/v:on', '/s', '/c', windowsGate(shell)], {
        cwd,
        env: { ...env, RELAY_GO: '', RELAY_COMMAND: command },
        windowsHide: true,
        windowsVerbatimArguments: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
    return passGate(command, spawn, 0, options)
  }
  const spawn = () =>
    late.childProcess.spawn('/bin/sh', ['-c', `${waitForWord}; exec /bin/sh -c "$1" 2>&1 3<&-`, 'sh', command], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
  return passGate(command, spawn, 3, options)
}

/**
 * Waits for the word, then hands the command to a shell of its own. The command comes out of the environment, and is
 * expanded only after this line has been read: otherwise a `)` or a `rem` in it would be read as a part of this line.
 */
function windowsGate(shell: string): string {
  return `"set /p RELAY_GO=& if "!RELAY_GO!"=="go" "${shell}" /d /s /c "!RELAY_COMMAND!""`
}
