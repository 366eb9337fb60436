import { hanging } from './hanging.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'
import { wrapLine } from './wrap-line.ts'

/** A name in a column of its own, and beside it what is to be said of it, on as many lines as that takes. */
export function factLines(
  name: string,
  value: string,
  column: number,
  { paint, columns, sign }: Style,
): readonly string[] {
  const lines = wrapLine(visibleLine(value), columns - column - 2, sign.cut)
  return hanging(`  ${paint.meta(name.padEnd(column))}`, lines, column + 2)
}
