import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { ownFolderNames, programsOf } from '../../project/command-programs.ts'
import { type JudgedCommand, judgeCommands, judgePlace, type PlaceDoubt, trustProject } from '../../project/trust.ts'
import { describeTrust, type ShownPrograms } from '../../report/answers/describe-trust.ts'
import { askKey } from './ask-key.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'

export interface TrustOptions {
  /** The command line has agreed already. */
  readonly trust?: boolean
}

/**
 * Lets nothing go on before the user has agreed to the commands of this project: once for a project on a machine, and
 * again when one of them changes. A place that others can change is agreed to in the same way.
 *
 * Every command that runs the project's commands begins with this. A no is an error, and so is a question that nobody
 * can answer.
 */
export async function confirmCommands(project: Project, system: System, options: TrustOptions): Promise<void> {
  if (!(await areConfirmed(project, system, options))) throw notAgreed(system)
}

/** The same for what runs none of the commands, and still goes by what stands in `.relaycode/`. */
export async function confirmPlace(project: Project, system: System, options: TrustOptions): Promise<void> {
  const doubts = await judgePlace(project.root, system)
  if (doubts.length === 0 || options.trust === true) return
  if (!(await isAgreed([], doubts, project, system))) throw notAgreed(system)
}

/** Whether the user has agreed to the commands and the place, before or now. */
export async function areConfirmed(project: Project, system: System, { trust }: TrustOptions = {}): Promise<boolean> {
  const commands = await judgeCommands(project, system)
  const doubts = await judgePlace(project.root, system)
  if (doubts.length === 0 && commands.every(({ state }) => state === 'confirmed')) return true
  if (trust !== true && !(await isAgreed(commands, doubts, project, system))) return false
  const problem = await trustProject(project, doubts, system)
  if (problem !== undefined) showNotes([`the next start asks again: ${problem}`], system)
  return true
}

async function isAgreed(
  commands: readonly JudgedCommand[],
  doubts: readonly PlaceDoubt[],
  { root, config }: Project,
  system: System,
): Promise<boolean> {
  const { terminal } = system
  const unknown = commands.some(({ state }) => state !== 'confirmed')
  const programs = unknown ? await shownPrograms(commands, root, system) : undefined
  const { lines, prompt, no } = describeTrust(unknown ? commands : [], doubts, root, styleOf(terminal), programs)
  for (const line of lines) terminal.err(line)
  const keys = [
    ['y', 'allow this for the project on this machine; relay asks again when it changes'],
    ['n', no],
  ] as const
  return (await askKey(prompt, keys, config, terminal)) === 'y'
}

async function shownPrograms(commands: readonly JudgedCommand[], root: string, system: System): Promise<ShownPrograms> {
  const all = await Promise.all(commands.map(({ command }) => programsOf(command, root, system)))
  const tracked = all.flat().flatMap(({ name, own, runs, isTracked }) => {
    return isTracked && own !== undefined ? [{ name, own, runs }] : []
  })
  return { folders: await ownFolderNames(root, system), tracked }
}

export function notAgreed({ terminal }: System): RelayError {
  const { canAsk, whyUnasked } = terminal
  const why = whyUnasked === undefined ? '' : ` (${whyUnasked})`
  return new RelayError('declined', 'relay needs your permission for this, and did nothing', {
    hint: canAsk
      ? 'Change what you do not like, or allow it at the next start.'
      : `Nobody could be asked${why}. Add \`--trust\` to allow it.`,
  })
}
