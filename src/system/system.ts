import { homedir } from 'node:os'
import type { System } from '../ports.ts'
import { systemClipboard } from './clipboard/system-clipboard.ts'
import { systemClock } from './clock.ts'
import { systemFiles } from './files/files.ts'
import { systemPrograms } from './run-program.ts'
import { systemShell } from './shell.ts'
import { stateFolderOf } from './state-folder.ts'
import { systemTerminal } from './terminal/terminal.ts'
import { silentTrace, tellingTrace } from './trace.ts'
import { systemWeb } from './web.ts'

export interface SystemOptions {
  readonly version: string
  readonly noInput: boolean
  /** Shows where the time goes. */
  readonly trace: boolean
  /** The handler of signals aborts it, and so does Ctrl+C at a question. */
  readonly interruption: AbortController
}

/** The real world. Nothing heavy is loaded before it is needed: a user feels the start-up in each command. */
export function realSystem({ version, noInput, trace, interruption }: SystemOptions): System {
  const cwd = currentFolder()
  const home = homeFolder()
  const terminal = systemTerminal({
    noInput,
    interruption: interruption.signal,
    interrupt: signal => interruption.abort(signal),
  })
  return {
    version,
    runtime: runtime(),
    cwd,
    home: home === '' ? undefined : home,
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    stateFolder: stateFolderOf(process.platform, process.env, home),
    uid: process.geteuid?.(),
    files: systemFiles(cwd),
    shell: systemShell,
    programs: systemPrograms,
    web: systemWeb,
    clipboard: systemClipboard(),
    terminal,
    clock: systemClock,
    trace: trace ? tellingTrace(line => terminal.err(line)) : silentTrace,
    interruption: interruption.signal,
    randomUuid: () => crypto.randomUUID(),
  }
}

function runtime(): System['runtime'] {
  const { bun, node } = process.versions
  const platform = `${process.platform} ${process.arch}`
  return bun === undefined ? { name: 'Node', version: node, platform } : { name: 'bun', version: bun, platform }
}

/** `''` for a user without an entry in `/etc/passwd` and without `HOME`. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** A folder that was deleted under us has no path. Its former path gives the best message. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return process.env['PWD'] ?? '/'
  }
}
