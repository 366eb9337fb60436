import { columnsOf } from './columns-of.ts'
import type { Style } from './style.ts'

/** A left and a right end on one line, or on two lines where they do not fit. */
export function row(left: string, right: string, style: Style): readonly string[] {
  if (right === '') return [left]
  const room = style.columns - columnsOf(left) - columnsOf(right)
  if (room >= 2) return [left + ' '.repeat(room) + right]
  return [left, ' '.repeat(Math.max(0, style.columns - columnsOf(right))) + right]
}

/**
 * The columns for a text that is cut, `indent` in, to stand left of `right`. Where they are too few, the text gets a
 * line of its own.
 */
export function roomBeside(right: string, indent: number, { columns }: Style): number {
  const beside = columns - indent - columnsOf(right) - 2
  return beside < 20 ? columns - indent : beside
}

/** As many texts on each line as fit. */
export function packed(texts: readonly string[], columns: number): readonly string[] {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 3 + text.length <= columns) lines[lines.length - 1] = `${last}   ${text}`
    else lines.push(`  ${text}`)
  }
  return lines
}
