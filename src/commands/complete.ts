import { findRaf } from '../agents/raf/find-raf.ts'
import { firstLine } from '../agents/session/names.ts'
import { isUnderWay, listSessions } from '../agents/session/sessions.ts'
import { listKept } from '../agents/work/kept-work.ts'
import { runsUnderWay } from '../agents/work/steering.ts'
import { type Session, shortId } from '../model/session.ts'
import { titleOfEntry } from '../model/title.ts'
import type { System } from '../ports.ts'
import { cutTitle } from '../report/text/cut-line.ts'
import { wasKept } from '../transact/journal/history-line.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { projectAround } from './alone/project-around.ts'
import { summaries } from './help/first-page.ts'
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
  const values = asks === undefined ? undefined : await valuesOf(asks, start, system)
  if (values !== undefined) return values
  if (start.startsWith('-')) return options.flatMap(({ long, description }) => (long ? [[long, description]] : []))
  if (name === undefined) return [...summaries]
  if (name === 'help') return others.length > 0 ? [] : [...summaries, ['exit-codes', 'what each exit code means']]
  const taken = argumentAt(others.length, command?.registeredArguments ?? [])
  if (name === 'prd') return partsOfPrd(others)
  if (taken === undefined) return []
  switch (taken.name()) {
    case 'file':
    case 'path':
      return files
    case 'key':
      return keys(before)
    case 'number':
      return numbers(start, name === 'revert' || name === 'undo', system)
    case 'book':
      return runs(system)
    case 'project':
      return planFolders(system)
    case 'text':
      return ofDelegate(others, system)
    default:
      return plain(taken.argChoices)
  }
}

async function keys(before: readonly string[]): Promise<readonly Candidate[]> {
  const { configKeys, userKeys } = await import('../project/config-keys.ts')
  return (before.includes('--user') ? userKeys : configKeys).map(({ key, allowed }) => [key, allowed])
}

/** The last one may take any number of words. */
function argumentAt(
  at: number,
  taken: Command['registeredArguments'],
): Command['registeredArguments'][number] | undefined {
  const last = taken.at(-1)
  return taken[at] ?? (last?.variadic === true ? last : undefined)
}

/** What an option takes; nothing where it takes no value, or can do without the next word. */
async function valuesOf({ long, flags, required, argChoices }: Option, start: string, system: System) {
  if (long === '--kept') return start.startsWith('-') ? undefined : keptNumbers(system)
  if (!required) return undefined
  if (long === '--amend') return planFolders(system)
  if (flags.endsWith('<agent>')) return agentNames()
  return /<(path|file|folder)>$/.test(flags) ? files : plain(argChoices)
}

function partsOfPrd([what, ...more]: readonly string[]): readonly Candidate[] {
  if (what === undefined) return plain(['status', 'check', 'archive', 'convert', 'new', 'skills'])
  return more.length === 0 && (what === 'convert' || what === 'skills') ? files : []
}

const files: readonly Candidate[] = [[':files', '']]

function plain(words: readonly string[] = []): readonly Candidate[] {
  return words.map(word => [word, ''])
}

async function agentNames(): Promise<readonly Candidate[]> {
  const { backends } = await import('../agents/backends/table.ts')
  return plain(backends.map(({ name }) => name))
}

const doneToSessions = [
  ['status', 'how it stands'],
  ['cancel', 'end its agent, and remove it'],
  ['retry', 'go on where it ended'],
  ['clean', 'remove what is over'],
] as const

/** What looks after sessions, and then those of which it can be asked. */
async function ofDelegate([command, ...others]: readonly string[], system: System): Promise<readonly Candidate[]> {
  if (command === undefined) return [['list', 'how all of them stand'], ...doneToSessions]
  if (others.length > 0 || !doneToSessions.some(([name]) => name === command)) return []
  const sessions = (await listSessions(system)).map(({ session }) => session)
  const fits = (session: Session) => {
    if (command === 'clean') return !isUnderWay(session)
    return command !== 'retry' || session.status === 'error'
  }
  return sessions.filter(fits).map(session => [shortId(session), cutTitle(firstLine(session.instructions))])
}

/** The plans that lie here, by their folders. */
async function planFolders(system: System): Promise<readonly Candidate[]> {
  const { project } = await look(system, { namesUnfinished: false })
  const { projects } = await findRaf(project.root, system.files)
  return plain(projects.toReversed())
}

/** The runs of agents that can be told something, or stopped. */
async function runs(system: System): Promise<readonly Candidate[]> {
  const { project } = await projectAround(system)
  const underWay = await runsUnderWay(project.root, system).catch(() => [])
  return underWay.map(({ word, name }) => [word, name === word ? '' : cutTitle(name)])
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
