import { columnsOf } from './columns-of.ts'
import type { Style } from './style.ts'

/** One line with a left and a right end; two lines when they do not fit beside each other. */
export function row(left: string, right: string, style: Style): readonly string[] {
  if (right === '') return [left]
  const room = style.columns - columnsOf(left) - columnsOf(right)
  if (room >= 2) return [left + ' '.repeat(room) + right]
  return [left, ' '.repeat(Math.max(0, style.columns - columnsOf(right))) + right]
}

/** The columns for a text that is cut, `indent` in, to stand left of `right`; with few there, it gets a line of its own. */
export function roomBeside(right: string, indent: number, { columns }: Style): number {
  const beside = columns - indent - columnsOf(right) - 2
  return beside < 20 ? columns - indent : beside
}
