import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { BackView, Named, Overlap, OverlapChoice } from '../model/back.ts'
import { withoutCommands } from '../model/commands-of.ts'
import type { Entry } from '../model/entry.ts'
import type { Plan } from '../model/plan.ts'
import type { Config, Project } from '../model/project.ts'
import type { Outcome, Rescue } from '../model/talk.ts'
import { titleOfEntry } from '../model/title.ts'
import { type OverlapChoices, planUndo, previewUndo, undecided } from '../plan/plan-undo.ts'
import {
  type BackFile,
  type BlockedFile,
  type BlockedWhy,
  placesOf,
  undoneFiles,
  unsafeFiles,
} from '../plan/undone-files.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { chooseRedo, chooseUndo, whyNoRedo } from '../transact/journal/choose-back.ts'
import { findEntry } from '../transact/journal/find-entry.ts'
import type { EndedTransaction, Journal } from '../transact/journal/journal.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { readKept } from '../transact/journal/read-kept.ts'
import type { Layout } from '../transact/layout/layout.ts'
import { removeRescued, rescueCopies } from '../transact/restore/rescue-copies.ts'
import { findLinks, type Links } from '../transact/survey/find-links.ts'
import { survey } from '../transact/survey/survey.ts'
import type { OpenProject } from '../transact/work/work.ts'
import { type Committer, transactAndCommit } from './commit-kept.ts'
import { judgeRecovery } from './judge-recovery.ts'
import { readMerge } from './merge-note.ts'

/** The transaction to take back; `which` is a number, a uuid, or the beginning of one. */
export type UndoRequest =
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'revert'; readonly which: string }

/** The user's side of taking back. */
export interface BackTalk extends Talk {
  /** Asks about one overlap; `nothing`: change nothing at all. */
  decide(overlap: Overlap, of: Named): Promise<OverlapChoice | 'nothing' | 'unasked'>
  /** Shows the changes and asks for a yes. */
  confirm(view: BackView): Promise<'yes' | 'no' | 'unasked'>
}

/** One transaction in the history. */
type Step = Pick<EndedTransaction, 'number'>

export type BackOutcome =
  /** Nothing can be taken back. For a redo: `last` was kept after the `undo`, or there is no undo. */
  | { readonly kind: 'none'; readonly last?: Step | undefined; readonly undo?: Step | undefined }
  | { readonly kind: 'already-undone'; readonly of: Named; readonly by: number }
  /** The user chose to change nothing; `skipped`: by skipping each of these files beforehand. */
  | { readonly kind: 'left'; readonly of: Named; readonly skipped: readonly string[] }
  | { readonly kind: 'unasked'; readonly view: BackView }
  | { readonly kind: 'ended'; readonly view: BackView; readonly outcome: Outcome; readonly rescued: readonly Rescue[] }

/**
 * Takes a kept entry back: the entry becomes a plan, and the plan a transaction of its own.
 *
 * Later edits are merged; where they overlap, a person decides before anything is written. The new transaction is checked and
 * as crash-safe as any other, and can itself be taken back.
 */
export async function undoEntry(
  request: UndoRequest,
  project: Project,
  system: System,
  talk: BackTalk,
  committer?: Committer,
): Promise<BackOutcome> {
  const { trace } = system
  return enterProject(project, system, talk, judgeRecovery(project.config), async site => {
    const { layout, journal } = site
    const transaction = choose(request, journal)
    if (request.kind === 'undo') await mustNotBeMerge(transaction, layout.root, system)
    if (transaction === undefined) return nothingFor(request, journal)
    const entry = await trace.span('read entry', () => readKept(transaction, layout, journal))
    const of = await nameOf(entry, request, layout)
    if (transaction.undoneBy !== undefined) return { kind: 'already-undone', of, by: transaction.undoneBy }

    const links = await findLinks(layout.root, layout.files, system.interruption)
    const { found } = await trace.span('look', () => lookBack(entry, links, layout, system))
    refuse(undecided(found, new Map()).blocked, entry)
    const choices = await decideAll(found, of, entry, talk)
    if (choices === 'nothing') return { kind: 'left', of, skipped: [] }
    const view = previewUndo({ kind: request.kind, of, at: transaction.at, commit: entry.commit }, found, choices)
    if (view.changes.length === 0 && view.skipped.length > 0) return { kind: 'left', of, skipped: view.skipped }
    const answer = await talk.confirm(view)
    if (answer === 'no') return { kind: 'left', of, skipped: [] }
    if (answer === 'unasked') return { kind: 'unasked', view }
    return carryBack(entry, view, { choices, links, committer }, project, site)
  })
}

function choose(request: UndoRequest, journal: Journal): EndedTransaction | undefined {
  switch (request.kind) {
    case 'undo':
      return chooseUndo(journal.newestFirst())
    case 'redo':
      return chooseRedo(journal.newestFirst())
    case 'revert':
      return findEntry(request.which, journal)
  }
}

/** Throws `usage` where a merge came after the transaction: nobody who wants the last step undone means an older one. */
async function mustNotBeMerge(transaction: EndedTransaction | undefined, root: string, system: System): Promise<void> {
  const merge = await readMerge(root, system)
  if (merge === undefined || (transaction !== undefined && transaction.at >= merge.at)) return
  const older = transaction === undefined ? '' : ` \`relay undo ${transaction.number}\` undoes the change before it.`
  throw new RelayError('usage', `The last step was a merge, of ${merge.branch} into ${merge.into}`, {
    hint: `\`${merge.undo}\` takes it back.${older}`,
  })
}

function nothingFor(request: UndoRequest, journal: Journal): BackOutcome {
  return { kind: 'none', ...(request.kind === 'redo' ? whyNoRedo(journal.newestFirst()) : {}) }
}

/** Redo takes an undo back; people know the transaction that the undo had taken back. */
async function nameOf(entry: Entry, request: UndoRequest, layout: Layout): Promise<Named> {
  const own = { number: entry.number, title: titleOfEntry(entry) }
  if (request.kind !== 'redo' || entry.undoes === undefined) return own
  const first = await readOutline(entry.undoes.uuid, layout)
  return first === undefined ? own : { number: first.number, title: titleOfEntry(first) }
}

async function lookBack(entry: Entry, links: Links, { root, files }: Layout, { interruption: signal }: System) {
  refuse(unsafeFiles(entry), entry)
  const facts = await survey(root, placesOf(entry), files, { links, signal })
  return { facts, found: undoneFiles(entry, facts) }
}

async function decideAll(
  found: readonly BackFile[],
  of: Named,
  entry: Entry,
  talk: BackTalk,
): Promise<OverlapChoices | 'nothing'> {
  const choices = new Map<string, OverlapChoice>()
  const { overlaps } = undecided(found, choices)
  for (const overlap of overlaps) {
    const choice = await talk.decide(overlap, of)
    if (choice === 'nothing') return 'nothing'
    if (choice === 'unasked') throw overlapping(overlaps, entry)
    choices.set(overlap.path, choice)
  }
  return choices
}

/** What was found and decided before the transaction; every plan of it uses this. */
interface Known {
  readonly choices: OverlapChoices
  readonly links: Links
  readonly committer: Committer | undefined
}

async function carryBack(
  entry: Entry,
  view: BackView,
  known: Known,
  project: Project,
  site: OpenProject,
): Promise<BackOutcome> {
  const { layout, journal, system } = site
  const uuid = system.randomUuid()
  // Only the innermost title counts: `Revert #12 Revert #11 Undo #6 …` would name nothing any more.
  const last = entry.undoes === undefined ? view.of.title : view.of.title.replace(STEP, '')
  const title = `${VERBS[view.kind]} #${view.of.number} ${last}`
  let rescued: readonly Rescue[] = []
  /** Saves the files to be replaced as they are at this moment: the pre command and the user have had time to change them. */
  const planAndRescue = async (): Promise<Plan> => {
    const plan = await system.trace.span('plan', () => planNow(entry, { uuid, title }, known, project.config, site))
    await removeRescued(rescued, uuid, layout)
    const replaced = plan.changes.filter(({ path }) => known.choices.get(path) === 'old')
    rescued = await rescueCopies(replaced, uuid, layout)
    return plan
  }
  const outcome = await transactAndCommit(
    {
      // When every file is already as before, nothing changes, so there is nothing to prepare or check.
      project: asAgreed(view.changes.length === 0 ? withoutCommands(project) : project),
      source: view.kind,
      response: undefined,
      undoes: { number: entry.number, uuid: entry.uuid },
      number: journal.nextNumber(),
      uuid,
      modelUuid: undefined,
      title,
      plan: await planAndRescue(),
      reused: undefined,
      doubts: [],
      replan: async () => ({ kind: 'plan', plan: await planAndRescue() }),
    },
    site,
    // What no commit holds needs none to be taken back.
    entry.commit === undefined ? undefined : known.committer,
  )
  // A transaction that was left open may still be kept.
  if (outcome.kind === 'committed' || outcome.kind === 'held') return { kind: 'ended', view, outcome, rescued }
  await removeRescued(rescued, uuid, layout)
  return { kind: 'ended', view, outcome, rescued: [] }
}

const VERBS = { undo: 'Undo', redo: 'Redo', revert: 'Revert' } as const
const STEP = /^(?:Undo|Redo|Revert) #\d+ /

/** The user asked for this and agreed to the changes: `approval: no` is no reason to ask again. */
function asAgreed(project: Project): Project {
  return { ...project, config: { ...project.config, approval: 'yes' } }
}

async function planNow(
  entry: Entry,
  named: { readonly uuid: string; readonly title: string },
  { choices, links }: Known,
  config: Config,
  { layout, system }: OpenProject,
): Promise<Plan> {
  const { root, files } = layout
  const { found, facts } = await lookBack(entry, links, layout, system)
  const { blocked, overlaps } = undecided(found, choices)
  refuse(blocked, entry)
  if (overlaps.length > 0) throw overlapping(overlaps, entry)
  const folders = new Map<string, number>()
  for (const folder of entry.createdFolders) {
    const stat = await files.stat(join(root, folder))
    if (stat?.kind === 'folder') folders.set(folder, stat.mode)
  }
  return planUndo(entry, named, found, choices, facts, folders, config)
}

function refuse(blocked: readonly BlockedFile[], { number }: Entry): void {
  if (blocked.length === 0) return
  const lines = shortened(blocked.map(({ path, why }) => `  ${path}: ${BLOCKED[why]}`))
  throw new RelayError('conflict', [`Cannot undo #${number}:`, ...lines].join('\n'), {
    hint: 'Nothing was written. Move what is in the way, then try again.',
  })
}

const BLOCKED: Readonly<Record<BlockedWhy, string>> = {
  folder: 'there is a folder now',
  'no-file': 'there is something other than a regular file now',
  link: 'there is another link now',
  outside: 'its folder now leads out of the project',
  protected: 'relay may not change this place',
  'file-in-the-way': 'its folder is a file now',
}

function overlapping(overlaps: readonly Overlap[], { number }: Entry): RelayError {
  const lines = shortened(
    overlaps.map(({ path, places }) => {
      return `  ${path}${places.length === 0 ? '' : `, line ${places.map(({ line }) => line).join(', ')}`}`
    }),
  )
  return new RelayError('conflict', [`These places of #${number} were edited later:`, ...lines].join('\n'), {
    hint: 'Nothing was written. In a terminal relay shows these places and asks. Without one, choose beforehand: `--on-overlap markers`, `skip` or `old`.',
  })
}

/** Nobody reads more than a screenful. */
function shortened(lines: readonly string[]): readonly string[] {
  const most = 20
  return lines.length <= most ? lines : [...lines.slice(0, most), `  and ${lines.length - most} more`]
}
