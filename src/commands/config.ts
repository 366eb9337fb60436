import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { type CommandProgram, programsOf } from '../project/command-programs.ts'
import { type ConfigValue, keyNamed, setValue, valuesIn } from '../project/config-values.ts'
import { findProjectFolder, noProject } from '../project/load-project.ts'
import { readConfigText } from '../project/read-config-file.ts'
import { judgeCommands, trustCommands } from '../project/trust.ts'
import { runWords, shadowWords } from '../report/text/program-words.ts'
import type { Style } from '../report/text/style.ts'
import { visible, visibleLine } from '../report/text/visible.ts'
import { openProject } from './open/open-project.ts'
import { areConfirmed } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { outStyle, styleOf } from './talk/style-of.ts'

/** `relay config`: shows the keys of relaycode.config.json with their values, or one of them, or sets it. */
export async function config(system: System, name: string | undefined, typed: string | undefined): Promise<number> {
  const key = name === undefined ? undefined : keyNamed(name)
  if (key !== undefined && typed !== undefined) return set(key, typed, system)
  const { terminal } = system
  const { root } = await openProject(system)
  const values = valuesIn((await readConfigText(root, system.files)) ?? '', key?.key)
  const [only] = values
  if (key !== undefined && !key.holdsKeys) {
    terminal.out(plainly(only?.value))
    if (key.key === 'linter') showNotes((await linterPrograms(only?.value, root, system)).flatMap(shadowWords), system)
  } else for (const line of table(values, outStyle(terminal))) terminal.out(line)
  return 0
}

async function set(key: ReturnType<typeof keyNamed>, typed: string, system: System): Promise<number> {
  const { terminal } = system
  const root = await findProjectFolder(system)
  if (root === undefined) throw noProject(system.cwd)
  const { project, before, value } = await setValue(root, key, typed, system)
  const { paint, sign } = styleOf(terminal)
  const was =
    before?.value === undefined
      ? ''
      : paint.meta(` (was ${inJson(before.value)}${before.isDefault ? ', the default' : ''})`)
  terminal.err(`${paint.ok(sign.ok)} ${key.key}: ${inJson(value)}${was}`)
  if (key.key === 'linter') {
    for (const program of await linterPrograms(value, root, system)) {
      if (program.runs === null) showNotes([runWords(program)], system)
      else terminal.err(paint.meta(`  ${visibleLine(runWords(program))}`))
    }
  }
  await agreeTo(key.key, project, system)
  return 0
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
    .map(({ key, value, isDefault }) => {
      const line = `${key.padEnd(width)}  ${inJson(value)}`
      return isDefault ? paint.meta(`${line}  (default)`) : line
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
