import type { Change, Entry, Flag } from '../model.ts'
import { bareText } from './bare-text.ts'
import { changesOf } from './entry-changes.ts'
import { lineBag, takeLine } from './line-bag.ts'
import { mergeLines } from './merge-lines.ts'
import { textOf } from './text-changes.ts'

/**
 * Flags files that the user has edited since relay wrote them, where the patch would take those edits back: a model that
 * was not told of them writes the whole file as it knew it.
 *
 * Three-way: the base is what relay left, ours is the file as it is, theirs what the patch writes. A line is lost that
 * only the user changed; where the patch changes it as well, that was meant. Lines that the patch has in another form
 * (a formatter's) or in another file are not lost. `newest` is the newest entry about each path.
 */
export function lostEdits(changes: readonly Change[], newest: ReadonlyMap<string, Entry>): Flag[] {
  return changes.flatMap(change => {
    const entry = newest.get(change.path)
    const lost = entry === undefined ? [] : lostLines(change, entry, changes)
    const [first] = lost
    if (entry === undefined || first === undefined) return []
    const what = lost.length === 1 ? 'a line' : `${lost.length} lines`
    const reason = `takes back ${what} that you changed since #${entry.number}, such as \`${shortened(first)}\``
    return [{ flag: 'lost-edit', path: change.path, reason }]
  })
}

function lostLines(change: Change, entry: Entry, changes: readonly Change[]): readonly string[] {
  const base = textOf(changesOf(entry).find(({ path }) => path === change.path)?.after)
  const ours = textOf(change.before)
  if (base === undefined || ours === undefined || base === ours) return []
  const missing = missingLines(base, ours, change)
  if (missing.length === 0) return []
  const written = bareText(changes.map(({ after }) => textOf(after) ?? '').join('\n'))
  return missing.filter(line => !written.includes(bareText(line)))
}

/** The user's own lines that are not, or no longer so often, in what the patch writes. */
function missingLines(base: string, ours: string, { effect, after }: Change): readonly string[] {
  const theirs = textOf(after)
  if (effect === 'delete') return without(linesOf(ours), base)
  if (effect !== 'modify' || theirs === undefined) return []
  const merged = mergeLines(linesOf(base), linesOf(ours), linesOf(theirs)).flatMap(part => {
    return part.kind === 'certain' ? part.lines : [...part.theirs, ...insertedLines(part.base, part.ours)]
  })
  return without(merged, theirs)
}

/** Of a place that both changed: what the user put there beyond other versions of the lines that were there. */
function insertedLines(base: readonly string[], ours: readonly string[]): readonly string[] {
  const added = without(ours, base.join('\n'))
  return added.slice(0, Math.max(0, added.length - without(base, ours.join('\n')).length))
}

/** The lines that say something and that a text has not, or not so often. */
function without(lines: readonly string[], text: string): readonly string[] {
  const there = lineBag(text)
  return lines.filter(line => /[\p{L}\p{N}]/u.test(line) && !takeLine(there, line.trim()))
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map(line => line.trimEnd())
}

function shortened(line: string): string {
  const text = line.trim()
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const longest = 40
