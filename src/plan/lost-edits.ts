import { remembered } from '../ground/remembered.ts'
import { type Form, formOf, hasWord } from '../lines/bare-text.ts'
import { renestedLines } from '../lines/renested-lines.ts'
import type { Entry } from '../model/entry.ts'
import type { Change, PathState } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { lineBag, takeLine } from './damage/line-bag.ts'
import { textOf } from './damage/text-changes.ts'
import { changesOf } from './entry-changes.ts'
import { mergeLines } from './merge-lines.ts'
import { shortened } from './shortened.ts'

/**
 * Flags files that the user has edited since relay wrote them, where the patch would take those edits back: a model that
 * was not told of them writes the whole file as it knew it.
 *
 * Three-way: the base is what relay left, ours is the file as it is, theirs what the patch writes. A line is lost that
 * only the user changed; where the patch changes it as well, that was meant, and a patch that has any line that only the
 * user wrote was made from the file as it is. Lines that the patch has in another form (a formatter's) or in another file
 * are not lost. Nor does a line come back unasked that only the user took away, unless the patch leaves another such line
 * away, nor one into the block out of which only the user took it. A file that is as relay found it was taken back by other
 * means than relay's (`git checkout`), and has no edits; one that is gone is meant to be there again, unless the patch is
 * said to edit it.
 *
 * @param newest the newest entry about each path, and behind one that takes another back that one
 * @param edited the paths that the change summary calls so
 */
export function lostEdits(
  changes: readonly Change[],
  newest: ReadonlyMap<string, readonly Entry[]>,
  edited: ReadonlySet<string> = new Set(),
): Flag[] {
  const stateIn = stateFinder()
  const counted = counter()
  const all = (end: 'before' | 'after') => changes.map(change => textOf(change[end]) ?? '').join('\n')
  const inAllBefore = remembered((form: Form) => counted(form, () => all('before')))
  const inAllAfter = remembered((form: Form) => counted(form, () => all('after')))

  function reasonFor(change: Change, base: string, ours: string, since: string): string | undefined {
    const form = formOf(change.path)
    if (form(base) === form(ours)) return reasonOfNesting(change, base, ours, since, form)
    const counts = (text: string) => counted(form, () => text)
    const [inBase, inOurs, inTheirs] = [counts(base), counts(ours), counts(textOf(change.after) ?? '')]
    // What a formatter alone has made of a file that goes is the patch's to delete.
    const isOwn = (line: string) => change.effect !== 'delete' || isFewer(line, inBase, inOurs)
    const lost = missingLines(base, ours, change, form)
      .slice(0, MOST)
      .filter(line => isFewer(line, inAllAfter(form), inAllBefore(form)) && isOwn(line))
    if (lost.length > 0) return `takes back ${named(lost, `that you changed ${since}`)}`
    const returned = returnedLines(base, ours, change, form)
      .slice(0, MOST)
      .filter(line => isFewer(line, inOurs, inTheirs))
    if (returned.length > 0) return `brings back ${named(returned, `that you took away ${since}`)}`
    return reasonOfNesting(change, base, ours, since, form)
  }

  return changes.flatMap(change => {
    const chain = newest.get(change.path) ?? []
    const entry = chain.at(-1)
    if (entry === undefined) return []
    const ours = textOf(change.before)
    const [found, left] = [textOf(stateIn(entry, change.path, 'before')), textOf(stateIn(entry, change.path, 'after'))]
    // What was taken back is as before, and the user's edits that were merged in are in neither.
    const base = chain.length % 2 === 0 ? found : left
    if (base === undefined) return []
    const since = `since #${entry.number}`
    const isBack = change.effect === 'create' && change.before === null && edited.has(change.path)
    if (isBack) return [lostEdit(change, `brings the file back that you took away ${since}`)]
    if (ours === undefined || ours === found || ours === left) return []
    const reason = reasonFor(change, base, ours, since)
    return reason === undefined ? [] : [lostEdit(change, reason)]
  })
}

function lostEdit({ path }: Change, reason: string): Flag {
  return { flag: 'lost-edit', path, reason }
}

function reasonOfNesting(change: Change, base: string, ours: string, since: string, form: Form): string | undefined {
  const theirs = textOf(change.after)
  if (change.effect !== 'modify' || theirs === undefined || hasOwnLine(base, ours, theirs, form)) return undefined
  const lost = renestedLines({ base, ours, theirs }, change.path, form).slice(0, MOST)
  return lost.length > 0 ? `takes back ${named(lost, `that you put into another block ${since}`)}` : undefined
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

/** How often a line is in a text, in whatever form; `undefined` when counting would take too long by now. */
type Count = (line: string) => number | undefined

function counter(): (form: Form, text: () => string) => Count {
  let readable = MOST_READ
  return (form, text) => {
    let all: string | undefined
    return line => {
      all ??= form(text())
      readable -= all.length
      return readable > 0 ? all.split(form(line)).length - 1 : undefined
    }
  }
}

/** Whether a line is less often in one text than in the other, which has it. */
function isFewer(line: string, one: Count, other: Count): boolean {
  const count = one(line)
  return count === undefined || count === 0 || count < (other(line) ?? Number.POSITIVE_INFINITY)
}

/** In characters, of all texts together: a second at most. */
const MOST_READ = 1e9

/** More lines are not looked for one by one. */
const MOST = 200

function named(lines: readonly string[], whose: string): string {
  const count = lines.length
  const what = count === 1 ? 'a line' : count === MOST ? 'many lines' : `${count} lines`
  return `${what} ${whose}${count === 1 ? ':' : ', such as'} \`${shortened(lines[0] ?? '')}\``
}

/** The user's own lines that are not, or no longer so often, in what the patch writes. */
function missingLines(base: string, ours: string, { effect, after }: Change, form: Form): readonly string[] {
  const theirs = textOf(after)
  if (effect === 'delete') return without(linesOf(ours), base)
  if (effect !== 'modify' || theirs === undefined || hasOwnLine(base, ours, theirs, form)) return []
  const merged = mergeLines(linesOf(base), linesOf(ours), linesOf(theirs)).flatMap(part => {
    return part.kind === 'certain' ? part.lines : [...part.theirs, ...insertedLines(part)]
  })
  return without(merged, theirs)
}

/** The lines that only the user took away, and that the patch has again. */
function returnedLines(base: string, ours: string, { effect, after }: Change, form: Form): readonly string[] {
  const theirs = textOf(after)
  const gone = without(linesOf(base), ours)
  if (effect !== 'modify' || theirs === undefined || gone.length === 0) return []
  if (without(gone, theirs).length > 0 || hasOwnLine(base, ours, theirs, form)) return []
  const merged = mergeLines(linesOf(base), linesOf(ours), linesOf(theirs)).flatMap(part => {
    if (part.kind === 'certain') return part.lines
    return without(part.theirs, without(part.base, part.ours.join('\n')).join('\n'))
  })
  return without(linesOf(theirs), merged.join('\n'))
}

/** Whether theirs has a line that the user wrote and the base had not, be it in another form. */
function hasOwnLine(base: string, ours: string, theirs: string, form: Form): boolean {
  const bare = (text: string) => new Set(linesOf(text).filter(hasWord).map(form))
  const [known, there] = [bare(base), bare(theirs)]
  return [...bare(ours)].some(line => !known.has(line) && there.has(line))
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
