import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { type CommandProgram, programsOf } from '../project/command-programs.ts'
import { type ConfigKey, userKeys } from '../project/config-keys.ts'
import {
  type ConfigValue,
  keyNamed,
  projectSettings,
  setValue,
  userSettings,
  valuesIn,
} from '../project/config-values.ts'
import { loadProject } from '../project/load-project.ts'
import { readConfigText } from '../project/read-config-file.ts'
import { judgeCommands, trustCommands } from '../project/trust.ts'
import { readUserConfigFile } from '../project/user-config-file.ts'
import { runWords, shadowWords } from '../report/text/program-words.ts'
import type { Style } from '../report/text/style.ts'
import { visible, visibleLine } from '../report/text/visible.ts'
import { openProject } from './open/open-project.ts'
import { areConfirmed } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { outStyle, styleOf } from './talk/style-of.ts'

export interface ConfigOptions {
  /** The file of the user, for all projects, instead of the project's. */
  readonly user?: boolean
  readonly unset?: boolean
}

/** `relay config`: shows the keys of a configuration with their values, or one of them, sets it, or takes it out. */
export async function config(
  system: System,
  name: string | undefined,
  typed: string | undefined,
  options: ConfigOptions,
): Promise<number> {
  const whose = options.user === true ? 'user' : 'project'
  const key = name === undefined ? undefined : keyNamed(name, whose)
  if (options.unset === true && (key === undefined || typed !== undefined)) {
    throw new RelayError('usage', '--unset takes a key, and no value', { hint: 'relay config --unset linter' })
  }
  if (key === undefined || (typed === undefined && options.unset !== true)) {
    return whose === 'user' ? showUsers(key, system) : show(key, system)
  }
  return whose === 'user' ? setUsers(key, typed, system) : set(key, typed, system)
}

async function show(key: ConfigKey | undefined, system: System): Promise<number> {
  const { terminal } = system
  const { root, config } = await openProject(system)
  const values = valuesIn((await readConfigText(root, system.files)) ?? '', config.user, key?.key)
  const [only] = values
  if (key !== undefined && !key.holdsKeys) {
    terminal.out(plainly(only?.value))
    if (key.key === 'linter') showNotes((await linterPrograms(only?.value, root, system)).flatMap(shadowWords), system)
  } else for (const line of table(values, outStyle(terminal))) terminal.out(line)
  return 0
}

async function showUsers(key: ConfigKey | undefined, system: System): Promise<number> {
  const { terminal } = system
  const { path, user, notes } = await readUserConfigFile(system)
  const values = new Map<string, unknown>(Object.entries(user))
  showNotes(notes, system)
  if (key !== undefined) terminal.out(plainly(values.get(key.key)))
  else {
    const keys = userKeys.map(({ key }) => key).filter(key => key !== '$schema')
    const width = Math.max(...keys.map(key => key.length))
    const { paint } = outStyle(terminal)
    for (const key of keys) {
      const isSet = values.has(key)
      terminal.out(
        isSet ? `${key.padEnd(width)}  ${inJson(values.get(key))}` : paint.meta(`${key.padEnd(width)}  (not set)`),
      )
    }
    if (path !== undefined) terminal.err(styleOf(terminal).paint.meta(visibleLine(`for all projects, in ${path}`)))
  }
  return 0
}

async function set(key: ConfigKey, typed: string | undefined, system: System): Promise<number> {
  const { terminal } = system
  const { user } = await readUserConfigFile(system)
  const file = await projectSettings(system)
  const before = valuesIn(file.text ?? '', user).find(known => known.key === key.key)
  const { value } = await setValue(file, key, typed, system)
  const { paint } = styleOf(terminal)
  const from = { project: '', user: ', yours', default: ', the default' }[before?.from ?? 'project']
  const { project } = await loadProject(system)
  saySet(key, value, before?.value === undefined ? '' : ` (was ${inJson(before.value)}${from})`, terminal)
  if (key.key === 'linter') {
    for (const program of await linterPrograms(value, project.root, system)) {
      if (program.runs === null) showNotes([runWords(program)], system)
      else terminal.err(paint.meta(`  ${visibleLine(runWords(program))}`))
    }
  }
  await agreeTo(key.key, project, system)
  return 0
}

/** Nothing has to be agreed to: what the user's own file has did not come with a project. */
async function setUsers(key: ConfigKey, typed: string | undefined, system: System): Promise<number> {
  const { terminal } = system
  const file = await userSettings(system)
  const { before, value } = await setValue(file, key, typed, system)
  saySet(key, value, before === undefined ? '' : ` (was ${inJson(before)})`, terminal)
  terminal.err(styleOf(terminal).paint.meta(visibleLine(`  for all projects, in ${file.path}`)))
  return 0
}

function saySet({ key }: ConfigKey, value: unknown, was: string, terminal: System['terminal']): void {
  const { paint, sign } = styleOf(terminal)
  terminal.err(`${paint.ok(sign.ok)} ${key}: ${value === undefined ? 'not set' : inJson(value)}${paint.meta(was)}`)
}

async function linterPrograms(value: unknown, root: string, system: System): Promise<readonly CommandProgram[]> {
  const commands = [value].flat().filter(each => typeof each === 'string')
  return (await Promise.all(commands.map(command => programsOf(command, root, system)))).flat()
}

/**
 * Agrees to a command that the user has set. As with `relay --init`: what a person at a terminal typed needs no question,
 * but for a script of package.json, whose text somebody else wrote. Without a terminal an agent may have set it, so
 * nothing is agreed to, and the next start asks. What was not agreed to before stays so.
 */
async function agreeTo(set: string, project: Project, system: System): Promise<void> {
  const commands = await judgeCommands(project, system)
  const isSet = ({ key }: { readonly key: string }) => key === set || key.startsWith(`${set}.`)
  const fresh = commands.filter(command => isSet(command) && command.state !== 'confirmed')
  if (fresh.length === 0) return
  if (!system.terminal.canAsk) showNotes(['the next start asks before it runs this command; --trust allows it'], system)
  else if (fresh.some(({ scripts }) => scripts.length > 0)) await areConfirmed(project, system)
  else {
    const agreed = commands.filter(command => isSet(command) || command.state === 'confirmed')
    await trustCommands(project.root, agreed, [], system)
  }
}

function table(values: readonly ConfigValue[], { paint }: Style): readonly string[] {
  const width = Math.max(...values.map(({ key }) => key.length))
  return values
    .filter(({ value }) => value !== undefined)
    .map(({ key, value, from }) => {
      const line = `${key.padEnd(width)}  ${inJson(value)}`
      return { project: line, user: `${line}  (yours)`, default: paint.meta(`${line}  (default)`) }[from]
    })
}

/** For a script: a text without its quotes. */
function plainly(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? visible(value) : inJson(value)
}

function inJson(value: unknown): string {
  return visibleLine(JSON.stringify(value))
}
