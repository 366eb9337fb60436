import { findRaf } from '../agents/books/raf/find-raf.ts'
import { listKept } from '../agents/kept-work.ts'
import { titleOfEntry } from '../model/title.ts'
import type { System } from '../ports.ts'
import { cutTitle } from '../report/text/cut-line.ts'
import { wasKept } from '../transact/journal/history-line.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { helpPage } from './help/first-page.ts'
import { look } from './open/look.ts'

/** The command line, of which those commands are spelled out that were typed, and the options that all of them take. */
interface Known {
  readonly program: { readonly options: readonly Option[]; readonly commands: readonly Command[] }
  readonly shared: readonly Option[]
}

interface Command {
  name(): string
  readonly options: readonly Option[]
  readonly registeredArguments: readonly {
    name(): string
    readonly variadic: boolean
    readonly argChoices?: readonly string[] | undefined
  }[]
}

interface Option {
  readonly flags: string
  readonly short?: string | undefined
  readonly long?: string | undefined
  readonly description: string
  /** A value follows it. */
  readonly required: boolean
  readonly argChoices?: readonly string[] | undefined
}

/** A word that could be typed, and what it is. */
type Candidate = readonly [word: string, what: string]

/**
 * `relay complete`: what the last of these words could become, for the scripts of `relay completion`. A line each, with
 * what it is behind a tab; `:files` alone where the shell knows better.
 */
export async function complete(system: System, typed: readonly string[], known: Known): Promise<number> {
  const start = typed.at(-1) ?? ''
  for (const [word, what] of await candidates(typed.slice(0, -1), start, system, known)) {
    if (word.startsWith(start) || word === ':files') system.terminal.out(what === '' ? word : `${word}\t${what}`)
  }
  return 0
}

async function candidates(
  before: readonly string[],
  start: string,
  system: System,
  { program, shared }: Known,
): Promise<readonly Candidate[]> {
  const [name, ...others] = before.filter(word => !word.startsWith('-'))
  const command = program.commands.find(command => command.name() === name)
  const options = command === undefined ? program.options : [...command.options, ...shared]
  const asks = options.find(({ long, short }) => [long, short].includes(before.at(-1)))
  if (asks?.long === '--kept' && !start.startsWith('-')) return keptNumbers(system)
  if (asks?.long === '--amend') return planFolders(system)
  if (asks?.required === true) return valuesOf(asks)
  if (start.startsWith('-')) return options.flatMap(({ long, description }) => (long ? [[long, description]] : []))
  if (name === undefined) return summaries()
  if (name === 'help') return others.length > 0 ? [] : [...summaries(), ['exit-codes', 'what each exit code means']]
  const taken = command?.registeredArguments[0]
  if (taken === undefined || (others.length > 0 && !taken.variadic)) return []
  switch (taken.name()) {
    case 'file':
    case 'path':
      return files
    case 'key':
      return (await import('../project/config-keys.ts')).configKeys.map(({ key, allowed }) => [key, allowed])
    case 'name':
      return []
    case 'project':
      return planFolders(system)
    case 'shell':
      return plain(taken.argChoices)
    default:
      return numbers(start, name === 'revert' || name === 'undo', system)
  }
}

const files: readonly Candidate[] = [[':files', '']]

function valuesOf({ argChoices, flags }: Option): readonly Candidate[] {
  return flags.endsWith('<path>') ? files : plain(argChoices)
}

function plain(words: readonly string[] = []): readonly Candidate[] {
  return words.map(word => [word, ''])
}

/** The commands as the first page of the help has them. */
function summaries(): readonly Candidate[] {
  const list = helpPage.slice(helpPage.indexOf('Set up:'), helpPage.indexOf('Examples:'))
  return [...list.matchAll(/^ {2}(\w+)(?: \S+)* {2,}(.+)$/gm)].map(([, name = '', what = '']) => [name, what])
}

/** The plans that lie here, by their folders. */
async function planFolders(system: System): Promise<readonly Candidate[]> {
  const { project } = await look(system, { namesUnfinished: false })
  const { projects } = await findRaf(project.root, system.files)
  return plain(projects.toReversed())
}

/** What an agent made that can be landed. */
async function keptNumbers(system: System): Promise<readonly Candidate[]> {
  const { project } = await look(system, { namesUnfinished: false })
  const notes = await listKept(project.root, system).catch(() => [])
  return notes.map(({ number, title }) => [`${number}`, cutTitle(title)])
}

/** Nobody reads through more of them. */
const mostNumbers = 50

/** What was kept, newest first, with its title; what is to be taken back has to stand. */
async function numbers(start: string, standing: boolean, system: System): Promise<readonly Candidate[]> {
  const { layout, journal } = await look(system, { namesUnfinished: false })
  const turns = []
  for (const turn of journal.newestFirst()) {
    const fits = standing ? turn.outcome === 'committed' : wasKept(turn)
    if (fits && `${turn.number}`.startsWith(start)) turns.push(turn)
    if (turns.length === mostNumbers) break
  }
  return Promise.all(
    turns.map(async ({ number, uuid }): Promise<Candidate> => {
      const outline = await readOutline(uuid, layout)
      return [`${number}`, outline === undefined ? '' : cutTitle(titleOfEntry(outline))]
    }),
  )
}
