import type { System } from '../ports.ts'
import { initProject } from '../project/init-project.ts'
import { initText } from '../project/instructions.ts'
import { loadProject } from '../project/load-project.ts'
import { isTrackedByGit, trackedNote } from '../project/tracked-by-git.ts'
import { judgeCommands, trustProject } from '../project/trust.ts'
import { areConfirmed } from './talk/confirm-commands.ts'
import { describeInit } from './talk/describe-init.ts'
import { giveInstructions } from './talk/give-instructions.ts'

/** `relay --init`: makes the current folder a project and gives the user the instructions for the LLM. */
export async function init(system: System, options: { readonly copy: boolean }): Promise<number> {
  const initialised = await initProject(system)
  const { root, config, linter } = initialised
  const project = config === 'created' ? (await loadProject(system)).project : undefined
  const commands = project === undefined ? [] : await judgeCommands(project, system)
  // Whoever wrote the project's package.json wrote its scripts.
  const isScript = commands.some(({ scripts }) => scripts.length > 0)
  const canAsk = isScript && system.terminal.canAsk
  // What relay put together itself needs no question. One that cannot be remembered is asked about at the first start.
  if (config === 'created' && !isScript) await trustProject({ root, config: { linter: linter.command } }, [], system)
  const notes = [
    ...initialised.notes,
    ...((await isTrackedByGit(root, system.files)) ? [trackedNote] : []),
    ...(isScript && !canAsk ? [SCRIPT_NOTE] : []),
  ]
  for (const line of describeInit({ ...initialised, notes })) system.terminal.err(line)
  if (project !== undefined && canAsk) await areConfirmed(project, system)
  const { projectId } = initialised
  system.terminal.err('')
  await giveInstructions(initText(projectId), projectId, options, system)
  return 0
}

const SCRIPT_NOTE = 'the first start asks before it runs the linter, which is a script of the project; --trust agrees'
