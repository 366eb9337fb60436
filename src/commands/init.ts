import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { keyNamed, projectSettings, setValue } from '../project/config-values.ts'
import { type DetectedLinter, mayRunProjectCode } from '../project/detect-linter.ts'
import { type Initialised, initProject } from '../project/init-project.ts'
import { initText, knownInstructions } from '../project/instructions.ts'
import { loadProject } from '../project/load-project.ts'
import { isTrackedByGit, trackedNote } from '../project/tracked-by-git.ts'
import { judgeCommands, trustProject } from '../project/trust.ts'
import { count } from '../report/text/count.ts'
import { visibleLine } from '../report/text/visible.ts'
import { wrapLine } from '../report/text/wrap-line.ts'
import { askKey } from './talk/ask-key.ts'
import { areConfirmed } from './talk/confirm-commands.ts'
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
  if (project !== undefined) await offerAll(linter, project, system)
  const { projectId } = initialised
  system.terminal.err('')
  await giveInstructions(initText(projectId), knownInstructions(projectId), options, system)
  system.terminal.err('`relay prompt` gives them with one line more, for a title of each change.')
  return 0
}

/** Whoever is asked can have every checker that was found run; the note above names the command for later. */
async function offerAll({ command, others = [] }: DetectedLinter, project: Project, system: System): Promise<void> {
  if (others.length === 0 || !system.terminal.canAsk) return
  const all = [command, ...others.map(other => other.command)]
  const keys = [
    ['y', `run ${all.join(', and ')}, and count their errors together`],
    ['n', `run ${command} alone`],
  ] as const
  if ((await askKey('Check each change with all of them? (y/n/?)', keys, project.config, system.terminal)) !== 'y')
    return
  await setValue(await projectSettings(system), keyNamed('linter', 'project'), JSON.stringify(all), system)
  await trustProject({ root: project.root, config: { linter: all } }, [], system)
}

const SCRIPT_NOTE =
  'the first start asks before it runs the linter, which is a script of the project; --trust allows it'

/** What `relay --init` did, in lines for the user. */
function describeInit(done: Initialised): string[] {
  const { config, folder, ignore, linter, projectId } = done
  const from = done.idFrom === 'folder name' ? "the folder's name" : `from ${done.idFrom}`
  const rows = [
    ...(config === 'created'
      ? row('created', 'relaycode.config.json', `projectId ${projectId} (${from})`)
      : row('kept', 'relaycode.config.json', `as it was; projectId ${projectId}`)),
    ...row(folder, '.relaycode/', ''),
    ...row(ignore, '.gitignore', ignore === 'created' || ignore === 'updated' ? '+ .relaycode/' : ''),
    ...(linter.command === '' ? row('linter', linter.why, '') : row('linter', linter.command, linter.why)),
    ...(mayRunProjectCode(linter.command)
      ? row('', "it may run the project's code, and so code that an answer has changed", '')
      : []),
    ...approval(done).flatMap((line, index) => row(index === 0 ? 'approval' : '', line, '')),
    ...done.notes.flatMap(note => row('note', note, '')),
  ]
  return rows.map(visibleLine)
}

/** Told before the first patch, since nobody should learn it from a kept one. */
function approval({ approval, approvalOnErrorCount: limit, linter }: Initialised): string[] {
  if (approval === 'no') return ['no: relay asks about every change']
  if (approval === 'never') return ['never: relay asks about no change, and declines those in doubt']
  const errors = limit === 0 ? 'no new errors' : `at most ${count(limit, 'new error')}`
  return [
    ...(linter.command === ''
      ? ['yes, without a linter: changes are kept unchecked.', '`relay config linter "…"` checks them']
      : [
          'yes: the linter runs before and after each change; relay keeps the',
          `change if it finds ${errors} and flags nothing.`,
        ]),
    '`relay config approval no` asks each time',
  ]
}

/** One line in three columns, or two where the third finds no room. */
function row(what: string, name: string, more: string): string[] {
  const left = `  ${what.padEnd(9)}${name}`
  if (more === '') return wrapLine(name, 68).map((line, at) => `  ${(at === 0 ? what : '').padEnd(9)}${line}`)
  const line = `${left.padEnd(33)}  ${more}`
  return line.length < 80 ? [line] : [left, ' '.repeat(11) + more]
}
