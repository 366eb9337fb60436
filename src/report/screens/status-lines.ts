import type { KeptNote } from '../../model/kept.ts'
import { type Session, shortId } from '../../model/session.ts'
import type { Recovery } from '../../model/talk.ts'
import type { UnderWay } from '../../model/under-way.ts'
import { keptWords } from '../agents/kept-lines.ts'
import { standWords } from '../agents/session-lines.ts'
import { workWords } from '../agents/under-way-words.ts'
import { asideWords } from '../answers/describe-recovery.ts'
import { unfinishedNote } from '../answers/unfinished-note.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count, grouped } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeAge } from '../text/describe-time.ts'
import { folderBeside } from '../text/folder-beside.ts'
import { factLines, noteLines } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

/** The newest transaction that was kept and still stands; it may be an undo. */
export interface Last {
  readonly number: number
  /** Empty where its entry cannot be read. */
  readonly title: string
  readonly at: Date
}

export interface Status {
  readonly projectId: string
  readonly root: string
  readonly home: string | undefined
  /** The processes that watch the clipboard. */
  readonly watchers: readonly number[]
  /** The processes that wait for an answer of the user. */
  readonly askers: readonly number[]
  /** The process that carries out a transaction at this moment. */
  readonly working: number | undefined
  /** Transactions that have changed the files, and are neither kept nor rolled back yet. */
  readonly underWay: readonly {
    readonly number: number
    readonly uuid: string
    readonly title: string
    readonly files: readonly string[]
  }[]
  readonly unfinished: readonly Recovery[]
  readonly last: Last | undefined
  /** Each patch counts once by its present state, even after an undo and a redo. */
  readonly today: { readonly kept: number; readonly rolledBack: number; readonly undone: number }
  /** The user stories of the project's prd.json; `undefined`: it has none. */
  readonly prd:
    | {
        readonly file: string
        readonly branchName: string
        readonly stories: readonly { readonly id: string; readonly title: string; readonly passes: boolean }[]
        /** The id of the next story. */
        readonly next: string | null
      }
    | undefined
  /** The work of agents now, and their work when relay was stopped. */
  readonly works: readonly UnderWay[]
  /** Sessions that were delegated from here, oldest first. */
  readonly delegations: readonly { readonly session: Session; readonly work: UnderWay | undefined }[]
  /** Work of agents that did not land, newest first. */
  readonly keptWork: readonly KeptNote[]
  /** The user's files that a run of agents which was stopped had put aside for a merge. */
  readonly putAside: readonly string[]
}

/** Marks what needs the user. */
export function statusLines(status: Status, style: Style, now: Date): readonly string[] {
  const { paint, sign, columns } = style
  const { watchers, askers, working, unfinished, last } = status
  const isWorking = working !== undefined && !askers.includes(working)
  const name = visibleLine(status.projectId)
  const folder = folderBeside(name, status.root, status.home, style)
  return [
    `${paint.strong(cutLine(name, columns - 15, sign.cut))}   ${paint.path(folder)}`,
    ...fact(
      'watch',
      watchers.length === 0 ? 'not watching (`relay watch` starts it)' : `watching (${processWords(watchers)})`,
      style,
    ),
    ...(isWorking ? fact('now', `relay is applying a change (${processWords([working])})`, style) : []),
    ...fact('last', lastWords(last, now), style),
    ...fact('today', todayWords(status.today), style),
    ...(status.prd === undefined ? [] : fact('loop', prdWords(status.prd), style)),
    ...workLines(status, style, now),
    ...status.delegations.slice(-mostDelegations).flatMap(each => fact('sent', delegationWords(each, now), style)),
    ...(status.keptWork.length === 0 ? [] : fact('left', keptWords(status.keptWork, now), style)),
    ...askedLines(status, style),
    ...unfinished.flatMap(each => noteLines(unfinishedNote(each), style)),
    ...(status.putAside.length === 0 ? [] : noteLines(asideWords(status.putAside), style)),
  ]
}

/** The same on one line, for a prompt or a status bar. */
export function statusLine(status: Status): string {
  const { projectId, watchers, askers, underWay, unfinished, putAside, last, today, works } = status
  const left = works.filter(({ pid, agentPid }) => pid === undefined && agentPid !== undefined)
  const running = works.filter(({ pid }) => pid !== undefined)
  return [
    visibleLine(projectId),
    watchers.length === 0 ? 'not watching' : `watching pid ${watchers.join(',')}`,
    ...(askers.length === 0 ? [] : [['waits for your answer', ...numbersOf(underWay)].join(' to ')]),
    last === undefined ? 'nothing kept' : `last #${last.number}`,
    `${unfinished.length + (putAside.length > 0 ? 1 : 0)} unfinished`,
    ...(running.length === 0 ? [] : [`${count(running.length, 'agent')} at work`]),
    ...(left.length === 0 ? [] : [`${count(left.length, 'agent')} left by a dead relay`]),
    `today ${todayWords(today)}`,
  ].join('  ')
}

/** `#42 Add dark mode toggle, 2 h ago`. Where the room is small, it cuts the title. */
export function lastWords(last: Last | undefined, now: Date, room = Number.POSITIVE_INFINITY, mark = '…'): string {
  if (last === undefined) return 'nothing kept yet'
  const age = `, ${describeAge(last.at, now)}`
  return cutLine(`#${last.number} ${visibleLine(last.title)}`.trimEnd(), room - columnsOf(age), mark) + age
}

function prdWords({ file, stories, next }: NonNullable<Status['prd']>): string {
  if (stories.length === 0) return `${file} has no user story: \`relay prd check\``
  const passing = stories.filter(({ passes }) => passes).length
  const story = stories.find(({ id, passes }) => id === next && !passes)
  const after = story === undefined ? '' : `. Next: ${visibleLine(`${story.id} ${story.title}`)}`
  return `${file}: ${passing} of ${count(stories.length, 'user story', 'user stories')} ${passing === 1 ? 'passes' : 'pass'}${after}`
}

/** The work of agents, a line each. */
export function workLines({ works }: Pick<Status, 'works'>, style: Style, now: Date): readonly string[] {
  return works.flatMap(work => [
    ...fact('agent', workWords(work, now), style),
    ...work.sentences.flatMap(each => fact('', `is told next: ${visibleLine(each)}`, style)),
  ])
}

const mostDelegations = 3

function delegationWords({ session, work }: Status['delegations'][number], now: Date): string {
  const url = session.prUrl === undefined ? '' : `: ${visibleLine(session.prUrl)}`
  return `${shortId(session)} ${visibleLine(session.branch)}: ${standWords(session, work, now)}${url}`
}

function askedLines({ askers, underWay, works }: Status, style: Style): readonly string[] {
  const [about] = underWay
  // The line of the agent's work says so already.
  const isSaid = (pid: number) => works.some(work => work.pid === pid && work.asking !== undefined)
  if (askers.length === 0 || (about === undefined && askers.every(isSaid))) return []
  if (about === undefined) return noteLines(`relay waits for your answer (${processWords(askers)})`, style)
  const { number, title, files } = about
  const shown = files.slice(0, mostFilesShown).map(visibleLine).join(', ')
  const more = files.length > mostFilesShown ? ` and ${files.length - mostFilesShown} more` : ''
  return noteLines(
    `relay waits for your answer to #${number} ${visibleLine(title)} (${processWords(askers)}); changed so far: ${shown}${more}`,
    style,
  )
}

const mostFilesShown = 5

function numbersOf(underWay: Status['underWay']): readonly string[] {
  return underWay.slice(0, 1).map(({ number }) => `#${number}`)
}

function processWords(pids: readonly number[]): string {
  return `${pids.length === 1 ? 'pid' : 'pids'} ${pids.join(', ')}`
}

function todayWords({ kept, rolledBack, undone }: Status['today']): string {
  return [
    `${grouped(kept)} kept`,
    `${grouped(rolledBack)} not kept`,
    ...(undone > 0 ? [`${grouped(undone)} undone`] : []),
  ].join(', ')
}

function fact(name: string, value: string, style: Style): readonly string[] {
  return factLines(name, value, 7, style)
}
