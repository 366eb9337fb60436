import type { BackView } from '../../model/back.ts'
import type { BackSource } from '../../model/entry.ts'
import type { Outcome, Rescue } from '../../model/talk.ts'
import { diffRoom, renderShortDiff } from '../diff/render-diff.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeAge } from '../text/describe-time.ts'
import { hanging, indented, type Keys } from '../text/hanging.ts'
import { firstOf } from '../text/more-line.ts'
import { roomBeside, row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { fileLines } from './file-lines.ts'
import { committedWords, uncommittedLines } from './outcome-words.ts'

const VERBS = {
  undo: { will: 'Undo', did: 'Undid', back: 'redo' },
  redo: { will: 'Redo', did: 'Redid', back: 'undo' },
  revert: { will: 'Revert', did: 'Reverted', back: 'redo' },
} as const satisfies Readonly<Record<BackSource, { will: string; did: string; back: BackSource }>>

/** The keys of a watcher that waits. */
const KEYS = { undo: 'u', redo: 'r' } as const

/** The rows around the files and the diff: the head, the notes, and the question. */
const AROUND = 7
const LEAST = 16

/** What an undo will do: each file, with the later changes that it keeps or loses. `keys`: the question follows. */
export function backLines(view: BackView, style: Style, now: Date, keys = true): readonly string[] {
  const { paint, sign } = style
  const age = paint.meta(`${view.kind === 'redo' ? 'undone' : 'kept'} ${describeAge(new Date(view.at), now)}`)
  const name = `${VERBS[view.kind].will} #${view.of.number} ${visibleLine(view.of.title)}`
  const shown = cutLine(name, roomBeside(age, columnsOf(sign.back) + 1, style), sign.cut)
  const head = row(`${paint.path(sign.back)} ${paint.strong(shown)}`, age, style)
  if (view.changes.length === 0) {
    return [...head, ...indented('Every file already has its earlier content: nothing will be written.', style)]
  }
  const notes = [...listed(view.skipped, 'stays as it is'), ...listed(view.done, 'already as before')]
  const room = diffRoom(style, AROUND + view.changes.length, LEAST)
  const { text, isWhole } = renderShortDiff(view.changes, style, room, keys ? {} : { where: '' })
  return [
    ...head,
    ...fatesOfFiles(view, isWhole, style),
    ...notes.flatMap(text => indented(text, style)),
    '',
    ...text.split('\n'),
    '',
  ]
}

/** The fate of later changes in each file. Where there are none, the headings of a whole diff are enough. */
function fatesOfFiles(view: BackView, isWhole: boolean, style: Style): readonly string[] {
  const { shown, lines } = fileLines(view.changes, style)
  const rows = shown.map(({ line, paths }) => {
    const fates = new Set(paths.map(path => fateOf(path, view)).filter(fate => fate !== ''))
    return { line, fate: fates.size === 0 ? '' : style.paint.needsYou([...fates].join('; ')) }
  })
  if ((isWhole || rows.length === 1) && rows.every(({ fate }) => fate === '')) return []
  return [...rows.flatMap(({ line, fate }) => row(line, fate, style)), ...lines.slice(shown.length)]
}

function fateOf(path: string, { merged, marked, replaced }: BackView): string {
  if (merged.includes(path)) return 'keeps later edits'
  if (marked.includes(path)) return 'both versions, marked'
  return replaced.includes(path) ? 'present one moved to rescue' : ''
}

/** The number of files by name; further ones are only counted. */
const MOST = 10

function listed(paths: readonly string[], words: string): readonly string[] {
  return firstOf(paths, MOST, 'file', visibleLine).map(text => `${text}: ${words}`)
}

export function backPrompt({ kind, of, changes }: BackView): string {
  const files = changes.length === 0 ? '' : `, ${count(changes.length, 'file')}`
  return `${VERBS[kind].will} #${of.number}${files}? (y/n/d/?)`
}

export function backKeys({ kind, of }: BackView): Keys {
  return [
    ['y', `${VERBS[kind].will.toLowerCase()} #${of.number}; relay checks the result and stores it as a new change`],
    ['n', 'leave everything as it is'],
    ['d', 'show the full diff'],
  ]
}

/** What was done, and how to reverse it: by a key, for who sits at a watcher. */
export function backDone(
  view: BackView,
  outcome: Extract<Outcome, { kind: 'committed' }>,
  rescued: readonly Rescue[],
  style: Style,
  hasKeys = false,
): readonly string[] {
  const { paint, sign } = style
  const { number, commit } = outcome
  const { did, back } = VERBS[view.kind]
  const { length } = view.changes
  const tail = length === 0 ? ': nothing had to change' : ` (${count(length, 'file')})`
  const way = paint.meta(`#${number}   to reverse: ${hasKeys ? KEYS[back] : `relay ${back}`}`)
  const room = roomBeside(way, columnsOf(sign.ok) + 1 + tail.length, style)
  const title = cutLine(`${did} #${view.of.number} ${visibleLine(view.of.title)}`, room, sign.cut)
  const notes = [
    ...listed(view.merged, 'later edits are kept'),
    ...listed(view.marked, 'holds both versions between <<<<<<< and >>>>>>>; choose by hand'),
    ...rescued.map(
      ({ path, rescue }) => `${visibleLine(path)}: the version that was there is in ${visibleLine(rescue)}`,
    ),
    ...listed(view.skipped, 'left as it is'),
    ...(commit?.kind === 'commit' ? committedWords(commit) : [...uncommittedLines(outcome), ...commitNotes(view)]),
  ]
  return [
    ...row(`${paint.ok(sign.ok)} ${paint.strong(title)}${tail}`, way, style),
    ...notes.flatMap(text => indented(text, style)),
  ]
}

/** A `git revert` would find the files changed already, and conflict. */
function commitNotes({ commit, changes }: BackView): readonly string[] {
  if (commit === undefined || changes.length === 0) return []
  return [`commit ${commit.slice(0, 7)} stays in git: commit these files to undo it there too`]
}

/** The change that was kept since the undo, if there is one. */
interface NothingToRedo {
  readonly last?: { readonly number: number } | undefined
  readonly undo?: { readonly number: number } | undefined
}

/** Each case names its own next step. */
function noRedoWords({ last, undo }: NothingToRedo): string {
  if (last === undefined || undo === undefined) return 'nothing to redo: nothing was undone'
  return `nothing to redo: #${last.number} was kept since; \`relay revert ${undo.number}\` reverts the undo`
}

export function backUntouched(
  end:
    | ({ readonly kind: 'none'; readonly wish: BackSource } & NothingToRedo)
    | { readonly kind: 'already-undone'; readonly number: number; readonly title: string; readonly by: number }
    | { readonly kind: 'left'; readonly skipped: readonly string[] },
  style: Style,
): string {
  const { paint, sign, columns } = style
  const said = (words: string) => `${paint.meta(sign.watching)} ${words}`
  switch (end.kind) {
    case 'none':
      return hanging(
        said(''),
        wrapLine(end.wish === 'redo' ? noRedoWords(end) : 'nothing to undo', columns - 2),
        2,
      ).join('\n')
    case 'already-undone': {
      const tail = ` is already undone, by #${end.by}`
      const name = `#${end.number} ${visibleLine(end.title)}`
      return said(cutLine(name, columns - 3 - tail.length, sign.cut) + tail)
    }
    case 'left':
      return [
        said('nothing undone: no file was written'),
        ...listed(end.skipped, 'skipped, because it changed again since').flatMap(text => indented(text, style)),
      ].join('\n')
  }
}
