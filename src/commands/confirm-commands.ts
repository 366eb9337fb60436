import { RelayError } from '../errors.ts'
import type { Project } from '../model.ts'
import type { System } from '../ports.ts'
import { judgeCommands, trustCommands } from '../project/trust.ts'
import { describeCommands } from '../report/describe-commands.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'

export interface TrustOptions {
  /** The command line has agreed already. */
  readonly trust?: boolean
}

/**
 * Lets nothing go on before the user has agreed to the commands of this project: once for a project on a machine, and
 * again when one of them changes.
 *
 * Every command that runs the project's commands begins with this. A no is an error, and so is a question that nobody
 * can answer.
 */
export async function confirmCommands(project: Project, system: System, options: TrustOptions): Promise<void> {
  if (await areConfirmed(project, system, options)) return
  throw new RelayError('declined', 'The commands of this project are not agreed to, so nothing was done', {
    hint: system.terminal.canAsk
      ? 'Change them in relaycode.config.json, or agree at the next start.'
      : 'Nobody could be asked. Read them above, then add `--trust` to agree.',
  })
}

/** Whether the user has agreed to the commands, before or now. */
export async function areConfirmed(project: Project, system: System, { trust }: TrustOptions = {}): Promise<boolean> {
  const commands = await judgeCommands(project, system)
  if (commands.every(({ state }) => state === 'confirmed')) return true
  if (trust !== true) {
    const { terminal } = system
    for (const line of describeCommands(commands, project.root, styleOf(terminal))) terminal.err(line)
    if (!(await isAgreed(system))) return false
  }
  const problem = await trustCommands(project, system)
  if (problem !== undefined) showNotes([`the next start will ask again: ${problem}`], system)
  return true
}

/** Letter and Enter; nothing is the default. */
async function isAgreed({ terminal }: System): Promise<boolean> {
  for (;;) {
    const typed = await terminal.ask('Run them, now and with later patches? (y/n/?)')
    const key = typed?.trim().toLowerCase()
    if (key === 'y' || key === 'yes') return true
    if (key === undefined || key === 'n' || key === 'no') return false
    terminal.err('  y  agree, for this project on this machine; a change is asked about again')
    terminal.err('  n  do not run them; they can be changed in relaycode.config.json')
  }
}
