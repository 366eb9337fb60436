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
  return wrapLine(visibleLine(value), columns - column - 2, sign.cut).map((line, index) =>
    index === 0 ? `  ${paint.meta(name.padEnd(column))}${line}` : ' '.repeat(column + 2) + line,
  )
}
