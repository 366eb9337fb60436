import { dropRun, type OldRun, oldRuns } from '../agents/run/run-events.ts'
import { oldKept, pruneKept } from '../agents/work/kept-work.ts'
import { RelayError } from '../errors.ts'
import { oldAmong } from '../ground/collections.ts'
import type { KeptNote } from '../model/kept.ts'
import type { Project } from '../model/project.ts'
import { forgetOldSeen, type SeenPlace, type SeenRules, type SeenSum, sumOfOldSeen } from '../pack/seen-versions.ts'
import type { System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { noAnswer } from '../report/answers/outcome-words.ts'
import { count, describeSize, grouped } from '../report/text/count.ts'
import { describeAge } from '../report/text/describe-time.ts'
import { jsonText } from '../report/text/json-text.ts'
import { wrapLine } from '../report/text/wrap-line.ts'
import { type DeclinedFile, dropDeclined, listDeclined } from '../transact/journal/declined.ts'
import { Journal } from '../transact/journal/journal.ts'
import {
  choosePrunable,
  listEntries,
  nextBack,
  type Prunable,
  type PruneRules,
  prune as pruneEntries,
} from '../transact/journal/prune.ts'
import { type Layout, layoutOf } from '../transact/layout/layout.ts'
import { ensureRelayFolder } from '../transact/layout/relay-folder.ts'
import { withLock } from '../transact/lock/lock.ts'
import { ages, amount, sizes } from './open/read-amount.ts'
import { readJournal } from './open/read-journal.ts'
import { askKey } from './talk/ask-key.ts'
import { styleOf } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'

interface PruneOptions {
  readonly keep?: string
  readonly olderThan?: string
  readonly maxSize?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/** `relay prune`: removes old entries from the journal, never what the next undo needs, after a question. */
export async function prune(system: System, options: PruneOptions): Promise<number> {
  const rules = rulesOf(options)
  const { project } = await loadProject(system)
  const { terminal, files } = system
  const layout = layoutOf(project.root, files)
  if (options.dryRun === true) {
    return preview(await choose(rules, project, await readJournal(project, system), layout, system), options, system)
  }
  if (options.json === true) {
    throw new RelayError('usage', '--json goes with --dry-run alone', {
      hint: 'For example `relay prune --keep 200 --dry-run --json`.',
    })
  }
  await ensureRelayFolder(layout)
  const talk = createTalk(system, () => project)
  return withLock(layout, system, talk, async () => {
    // Opened, not only read: a history that is missing has to be there before its entries go.
    const journal = await Journal.open(layout, { system, talk }).finally(talk.close)
    const choice = await choose(rules, project, journal, layout, system)
    sayChoice('About to remove', choice, system)
    const what = nameOf(choice)
    if (what === '') return 0
    if (options.yes !== true && !(await isConfirmed(`Remove ${what}? (y/n/?)`, project, system))) {
      terminal.err('Nothing was removed.')
      return 3
    }
    await pruneEntries(choice.chosen, layout)
    await forgetOldSeen(seenIn(layout), choice.otherRules, system.randomUuid())
    await pruneKept(project.root, choice.otherRules, system)
    for (const { place } of choice.runs) await dropRun(place, system)
    for (const { number } of choice.declined) await dropDeclined(number, layout)
    terminal.err(`Removed ${what}.`)
    return 0
  })
}

interface Choice {
  readonly entries: readonly Prunable[]
  readonly chosen: readonly Prunable[]
  /** By which goes what is no entry. */
  readonly otherRules: SeenRules
  /** What packs gave long ago. */
  readonly seen: SeenSum
  /** What agents made long ago and nobody landed. */
  readonly work: readonly KeptNote[]
  /** What agents' runs did long ago. */
  readonly runs: readonly OldRun[]
  /** Answers that were not kept. */
  readonly declined: readonly DeclinedFile[]
}

async function choose(
  rules: PruneRules,
  { root }: Project,
  journal: Journal,
  layout: Layout,
  system: System,
): Promise<Choice> {
  const now = system.clock.now()
  const entries = await listEntries(journal, layout)
  const chosen = choosePrunable(entries, rules, now, nextBack(journal))
  const otherRules = rulesForOthers(rules, entries, now)
  const seen = await sumOfOldSeen(seenIn(layout), otherRules)
  const [work, runs] = [await oldKept(root, otherRules, system), await oldRuns(root, otherRules, system)]
  const declined = oldAmong(await listDeclined(layout), otherRules)
  return { entries, chosen, otherRules, seen, work, runs, declined }
}

function seenIn({ seen, files }: Layout): SeenPlace {
  return { folder: seen, files }
}

/** What is no entry is as old as the entries of its time: where so many are kept, it goes with those before them. */
function rulesForOthers(
  { keep, olderThanMs, maxBytes }: PruneRules,
  entries: readonly Prunable[],
  now: Date,
): SeenRules {
  const oldestKept = keep === undefined || keep >= entries.length ? undefined : entries[Math.max(0, keep - 1)]?.at
  const young = olderThanMs === undefined ? undefined : new Date(now.getTime() - olderThanMs)
  const [before] = [oldestKept, young].flatMap(each => each ?? []).sort((a, b) => b.getTime() - a.getTime())
  return { ...(before && { before }), ...(maxBytes === undefined ? {} : { mostBytes: maxBytes }) }
}

function preview(choice: Choice, { json }: PruneOptions, system: System): number {
  if (json === true) {
    const remove = choice.chosen.map(({ number, uuid, at, bytes }) => ({ number, uuid, at: at.toISOString(), bytes }))
    const { seen, work, runs, declined } = choice
    const keptWork = work.map(({ number, title, at, bytes }) => ({ number, title, at: at.toISOString(), bytes }))
    const bytes = bytesOf(choice.chosen)
    system.terminal.out(
      jsonText({
        ...{ entries: choice.entries.length, remove, bytes, seen, keptWork },
        runs: { runs: runs.length, bytes: bytesOf(runs) },
        declined: { answers: declined.length, bytes: bytesOf(declined) },
      }),
    )
    return 0
  }
  sayChoice('Would remove', choice, system)
  return 0
}

/** Says what goes, and what that means; or that nothing does. */
function sayChoice(
  begin: string,
  { entries, chosen, seen, work, runs, declined }: Choice,
  { terminal, clock }: System,
): void {
  if (declined.length > 0) terminal.err(`${begin} ${declinedOf(declined)}: ${describeSize(bytesOf(declined))}.`)
  if (runs.length > 0) terminal.err(`${begin} ${runsOf(runs)}: ${describeSize(bytesOf(runs))}.`)
  if (work.length > 0) terminal.err(`${begin} ${workOf(work)}: ${describeSize(bytesOf(work))}, never landed.`)
  if (seen.files > 0)
    terminal.err(`${begin} the packed copies of ${count(seen.files, 'file')}: ${describeSize(seen.bytes)}.`)
  const [newest, oldest] = [chosen.at(0), chosen.at(-1)]
  if (newest === undefined || oldest === undefined) {
    if (seen.files + work.length + runs.length + declined.length === 0)
      terminal.err(`Nothing to remove: ${entriesOf(entries)}.`)
    return
  }
  const which = newest === oldest ? `#${newest.number}` : `#${oldest.number} to #${newest.number}`
  const age = `${newest === oldest ? '' : 'newest '}from ${describeAge(newest.at, clock.now())}`
  const facts = [which, describeSize(bytesOf(chosen)), age].join(', ')
  terminal.err(`${begin} ${grouped(chosen.length)} of ${entriesOf(entries)}: ${facts}.`)
  const { columns, sign } = styleOf(terminal)
  for (const line of wrapLine(meaning, columns, sign.cut)) terminal.err(line)
}

const meaning =
  'Your files stay as they are. These changes can no longer be undone, and relay can no longer tell them from your edits.'

/** What goes, for the question and for what is said behind it; empty where nothing does. */
function nameOf({ chosen, seen, work, runs, declined }: Choice): string {
  return [
    ...(chosen.length === 0 ? [] : [entriesOf(chosen)]),
    ...(work.length === 0 ? [] : [workOf(work)]),
    ...(runs.length === 0 ? [] : [runsOf(runs)]),
    ...(declined.length === 0 ? [] : [declinedOf(declined)]),
    ...(seen.files === 0 ? [] : [`the packed copies of ${count(seen.files, 'file')}`]),
  ].join(', and ')
}

function workOf(work: readonly KeptNote[]): string {
  const numbers = work.map(({ number }) => number).toReversed()
  return `kept work ${numbers.length > 3 ? `${numbers[0]} to ${numbers.at(-1)}` : numbers.join(', ')}`
}

function runsOf(runs: readonly OldRun[]): string {
  return `what ${count(runs.length, 'run')} of agents did`
}

function declinedOf(declined: readonly DeclinedFile[]): string {
  return count(declined.length, 'answer that was not kept', 'answers that were not kept')
}

function entriesOf(some: readonly Prunable[]): string {
  return count(some.length, 'stored change')
}

function bytesOf(those: readonly { readonly bytes: number }[]): number {
  return those.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function isConfirmed(question: string, { config }: Project, { terminal }: System): Promise<boolean> {
  const keys = [
    ['y', 'remove for good'],
    ['n', 'leave everything as it is'],
  ] as const
  const key = await askKey(question, keys, config, terminal)
  if (key === undefined) {
    throw new RelayError('declined', `This needs an answer, but ${noAnswer(terminal)}: nothing was removed`, {
      hint: 'To go on without a question, add `--yes`.',
    })
  }
  return key === 'y'
}

function rulesOf({ keep, olderThan, maxSize }: PruneOptions): PruneRules {
  if (keep === undefined && olderThan === undefined && maxSize === undefined) {
    throw new RelayError('usage', 'Say which changes to remove: --keep, --older-than or --max-size', {
      hint: 'For example `relay prune --keep 200 --dry-run`.',
    })
  }
  return {
    ...(keep === undefined ? {} : { keep: amount('--keep', keep, { '': 1 }, 'a number such as 200') }),
    ...(olderThan === undefined
      ? {}
      : { olderThanMs: amount('--older-than', olderThan, ages, 'an age such as 12h, 30d, 8w or 1y') }),
    ...(maxSize === undefined
      ? {}
      : { maxBytes: amount('--max-size', maxSize, sizes, 'a size such as 500kB, 100MB or 2GB') }),
  }
}
