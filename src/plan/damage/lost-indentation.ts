import { hasWord } from '../../ground/bare-text.ts'
import { isDocument } from '../../ground/is-document.ts'
import type { Flag } from '../../model.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files of code that are no longer indented, as a page copied for its words is, or of which every line is, as in a
 * list. One or two lines may have been taken out of what they stood in; more, each below the line above it, have not.
 */
export function lostIndentation(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    if (before === '' || isDocument(path)) return []
    const now = linesOf(after)
    const isIndented = now.some(({ indent }) => indent > 0)
    // Nearly every file of code has both kinds of lines, and is not looked at any further.
    if (isIndented && now.some(isAtMargin)) return []
    const old = linesOf(before)
    if (isIndented && !old.some(isAtMargin)) return []
    const kept = pairs(now)
    const moved = pairs(old, (line, above) => isIndented || line.indent > above.indent)
    if ([...moved].filter(pair => kept.has(pair)).length < FEWEST) return []
    const reason = isIndented ? 'every line of it is indented, as it was not' : 'none of its lines is indented any more'
    return [{ flag: 'chat-artifact', path, reason }]
  })
}

const FEWEST = 3

interface IndentedLine {
  readonly indent: number
  readonly words: string
}

function isAtMargin({ indent }: IndentedLine): boolean {
  return indent === 0
}

function linesOf(text: string): readonly IndentedLine[] {
  return text
    .split('\n')
    .filter(hasWord)
    .map(line => ({ indent: line.length - line.trimStart().length, words: line.trim() }))
}

/** Lines with the one above them, where the two stand to each other in a certain way. */
function pairs(
  lines: readonly IndentedLine[],
  fits: (line: IndentedLine, above: IndentedLine) => boolean = () => true,
): ReadonlySet<string> {
  return new Set(
    lines.flatMap((line, at) => {
      const above = lines[at - 1]
      return above !== undefined && fits(line, above) ? [`${above.words}\n${line.words}`] : []
    }),
  )
}
