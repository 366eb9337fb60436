import { broken } from '../text/wrap-line.ts'
import type { CodeLine, Span } from './changed-words.ts'

/**
 * A line in rows of so many columns, each with what changed in it. A terminal's own wrapping would begin each row at
 * the edge, where a text can pass for the next line of the diff, or for the question.
 */
export function codeRows({ text, changed }: Pick<CodeLine, 'text' | 'changed'>, columns: number): readonly Row[] {
  const rows: Row[] = []
  let from = 0
  for (const row of broken(text, columns)) {
    const end = from + row.length
    rows.push({ text: row, changed: changed.flatMap(span => within(span, from, end)) })
    from = end
  }
  return rows
}

type Row = Pick<CodeLine, 'text' | 'changed'>

function within([from, to]: Span, start: number, end: number): readonly Span[] {
  const [left, right] = [Math.max(from, start), Math.min(to, end)]
  return left < right ? [[left - start, right - start]] : []
}
