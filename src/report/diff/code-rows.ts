import { columnsOf, graphemesOf } from '../text/columns-of.ts'
import type { CodeLine, Span } from './changed-words.ts'

/**
 * A line in rows of so many columns, each with what changed in it. A terminal's own wrapping would begin each row at
 * the edge, where a text can pass for the next line of the diff, or for the question.
 */
export function codeRows({ text, changed }: Pick<CodeLine, 'text' | 'changed'>, columns: number): readonly Row[] {
  if (text.length <= columns && columnsOf(text) <= columns) return [{ text, changed }]
  const rows: Row[] = []
  let from = 0
  for (const end of endsOfRows(text, columns)) {
    rows.push({ text: text.slice(from, end), changed: changed.flatMap(span => within(span, from, end)) })
    from = end
  }
  return rows
}

type Row = Pick<CodeLine, 'text' | 'changed'>

function endsOfRows(text: string, columns: number): readonly number[] {
  if (ASCII.test(text)) {
    return Array.from({ length: Math.ceil(text.length / columns) }, (_, row) =>
      Math.min(text.length, (row + 1) * columns),
    )
  }
  const ends: number[] = []
  let at = 0
  let room = columns
  for (const { sign, columns: wide } of graphemesOf(text, columns)) {
    if (wide > room && at > 0) {
      ends.push(at)
      room = columns
    }
    at += sign.length
    room -= wide
  }
  return [...ends, text.length]
}

const ASCII = /^[\x20-\x7e]*$/

function within([from, to]: Span, start: number, end: number): readonly Span[] {
  const [left, right] = [Math.max(from, start), Math.min(to, end)]
  return left < right ? [[left - start, right - start]] : []
}
