import { bareText, hasWord } from '../ground/bare-text.ts'
import { remembered } from '../ground/remembered.ts'
import type { Change, Entry, Flag, PathState } from '../model.ts'
import { lineBag, takeLine } from './damage/line-bag.ts'
import { textOf } from './damage/text-changes.ts'
import { changesOf } from './entry-changes.ts'
import { mergeLines } from './merge-lines.ts'

/**
 * Flags files that the user has edited since relay wrote them, where the patch would take those edits back: a model that
 * was not told of them writes the whole file as it knew it.
 *
 * Three-way: the base is what relay left, ours is the file as it is, theirs what the patch writes. A line is lost that
 * only the user changed; where the patch changes it as well, that was meant, and a patch that has any line that only the
 * user wrote was made from the file as it is. Lines that the patch has in another form (a formatter's) or in another file
 * are not lost. Nor does a line come back unasked that only the user took away, unless the patch leaves another such line
 * away. `newest` is the newest entry about each path, and behind one that takes another back that one.
 */
export function lostEdits(changes: readonly Change[], newest: ReadonlyMap<string, readonly Entry[]>): Flag[] {
  const stateIn = stateFinder()
  const isWritten = searchIn(() => changes.map(({ after }) => textOf(after) ?? '').join('\n'))
  return changes.flatMap(change => {
    const chain = newest.get(change.path) ?? []
    const entry = chain.at(-1)
    if (entry === undefined) return []
    // What was taken back is as before, and the user's edits that were merged in are in neither.
    const base = textOf(stateIn(entry, change.path, chain.length % 2 === 0 ? 'before' : 'after'))
    const ours = textOf(change.before)
    if (base === undefined || ours === undefined || isFormatted(base, ours)) return []
    const missing = missingLines(base, ours, change).slice(0, MOST)
    // What a formatter alone has made of a file that goes is the patch's to delete.
    const isKnown = change.effect === 'delete' ? searchIn(() => base) : () => false
    const lost = missing.filter(line => !isWritten(line) && !isKnown(line))
    if (lost.length > 0) return [lostEdit(change.path, entry.number, 'takes back', 'changed', lost)]
    const isThere = searchIn(() => ours)
    const returned = returnedLines(base, ours, change)
      .slice(0, MOST)
      .filter(line => !isThere(line))
    return returned.length > 0 ? [lostEdit(change.path, entry.number, 'brings back', 'took away', returned)] : []
  })
}

/** What an entry found or left at a path, but for what the user made of that at its question; looked up in all of them. */
function stateFinder(): (entry: Entry, path: string, end: 'before' | 'after') => PathState | undefined {
  const changesIn = remembered(
    (entry: Entry) => new Map([...changesOf(entry), ...asWritten(entry)].map(one => [one.path, one])),
  )
  return (entry, path, end) => changesIn(entry).get(path)?.[end]
}

/** What the patch itself made of the files that the user edited then. */
function asWritten({ written: _, ...entry }: Entry): readonly Change[] {
  const edited = new Set(entry.outcome?.edited)
  return edited.size === 0 ? [] : changesOf(entry).filter(({ path }) => edited.has(path))
}

/** A formatter's work is no edit, even where the patch writes the same lines anew. */
function isFormatted(base: string, ours: string): boolean {
  return base === ours || formless(base) === formless(ours)
}

/** Formatters write `0xFF` as `0xff`. */
function formless(text: string): string {
  return bareText(text.replaceAll(/\b0x[\da-f_]+/gi, number => number.toLowerCase()))
}

/** Whether a text has a line in some form; one that would take too long to look for it has not. */
function searchIn(text: () => string): (line: string) => boolean {
  let all: string | undefined
  let readable = MOST_READ
  return line => {
    all ??= bareText(text())
    readable -= all.length
    return readable > 0 && all.includes(bareText(line))
  }
}

/** In characters, of one text or of all that a patch writes: a second at most. */
const MOST_READ = 2e9

/** More lines are not looked for one by one. */
const MOST = 200

function lostEdit(path: string, number: number, does: string, did: string, lines: readonly string[]): Flag {
  const count = lines.length
  const what = count === 1 ? 'a line' : count === MOST ? 'many lines' : `${count} lines`
  const sample = `${count === 1 ? ':' : ', such as'} \`${shortened(lines[0] ?? '')}\``
  const reason = `${does} ${what} that you ${did} since #${number}${sample}`
  return { flag: 'lost-edit', path, reason }
}

/** The user's own lines that are not, or no longer so often, in what the patch writes. */
function missingLines(base: string, ours: string, { effect, after }: Change): readonly string[] {
  const theirs = textOf(after)
  if (effect === 'delete') return without(linesOf(ours), base)
  if (effect !== 'modify' || theirs === undefined || hasOwnLine(base, ours, theirs)) return []
  const merged = mergeLines(linesOf(base), linesOf(ours), linesOf(theirs)).flatMap(part => {
    return part.kind === 'certain' ? part.lines : [...part.theirs, ...insertedLines(part)]
  })
  return without(merged, theirs)
}

/** The lines that only the user took away, and that the patch has again. */
function returnedLines(base: string, ours: string, { effect, after }: Change): readonly string[] {
  const theirs = textOf(after)
  const gone = without(linesOf(base), ours)
  if (effect !== 'modify' || theirs === undefined || gone.length === 0) return []
  if (without(gone, theirs).length > 0 || hasOwnLine(base, ours, theirs)) return []
  const merged = mergeLines(linesOf(base), linesOf(ours), linesOf(theirs)).flatMap(part => {
    if (part.kind === 'certain') return part.lines
    return without(part.theirs, without(part.base, part.ours.join('\n')).join('\n'))
  })
  return without(linesOf(theirs), merged.join('\n'))
}

/** Whether theirs has a line that the user wrote and the base had not, be it in another form. */
function hasOwnLine(base: string, ours: string, theirs: string): boolean {
  const bare = (text: string) => new Set(linesOf(text).map(bareText))
  const [known, there] = [bare(base), bare(theirs)]
  return [...bare(ours)].some(line => line !== '' && !known.has(line) && there.has(line))
}

/**
 * Of a place that both changed: what the user put there beyond other versions of the lines that the patch changed too,
 * and of which the patch has no other version either.
 */
function insertedLines(part: {
  readonly base: readonly string[]
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}): readonly string[] {
  const text = (lines: readonly string[]) => lines.join('\n')
  const versions = without(without(part.base, text(part.ours)), text(part.theirs)).length
  const added = without(part.ours, text(part.base))
  if (added.length <= versions) return []
  const others = without(part.theirs, text(part.base)).slice(0, MOST).map(wordsOf)
  const own = added.slice(0, 2 * MOST).filter(line => {
    const words = wordsOf(line)
    return !others.some(other => isLike(words, other))
  })
  return own.slice(0, added.length - versions)
}

/** Whether two lines have more of their words in common than not. */
function isLike(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const common = [...some].filter(word => others.has(word)).length
  return common * 2 > some.size + others.size - common
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+/gu))
}

/** The lines that say something and that a text has not, or not so often. */
function without(lines: readonly string[], text: string): readonly string[] {
  const there = lineBag(text)
  return lines.filter(line => hasWord(line) && !takeLine(there, line.trim()))
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map(line => line.trimEnd())
}

function shortened(line: string): string {
  const text = line.trim()
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const longest = 40
