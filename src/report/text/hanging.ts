import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'
import { wrapLine } from './wrap-line.ts'

/** The first line behind `lead`, the others this many columns in. */
export function hanging(lead: string, lines: readonly string[], indent: number): readonly string[] {
  return lines.map((line, index) => (index === 0 ? lead : ' '.repeat(indent)) + line)
}

/** A sentence behind a sign in its colour. */
export function marked(
  mark: 'ok' | 'fail' | 'needsYou' | 'watching',
  text: string,
  { paint, columns, sign }: Style,
): readonly string[] {
  const colour = paint[mark === 'watching' ? 'meta' : mark]
  return hanging(`${colour(sign[mark])} `, wrapLine(text, columns - 2, sign.cut), 2)
}

/** A sentence below the line that it belongs to. Its further lines hang two columns further in. */
export function indented(text: string, style: Style): readonly string[] {
  return hanging('    ', wrapLine(text, style.columns - 6, style.sign.cut), 6)
}

/** A name in a column of its own, and beside it the facts, on as many lines as they take. */
export function factLines(
  name: string,
  value: string,
  column: number,
  { paint, columns, sign }: Style,
): readonly string[] {
  const lines = wrapLine(visibleLine(value), columns - column - 2, sign.cut)
  return hanging(`  ${paint.meta(name.padEnd(column))}`, lines, column + 2)
}

/** An oddity that is no reason to stop. */
export function noteLines(note: string, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  return hanging(`${paint.needsYou(sign.needsYou)} `, wrapLine(visibleLine(note), columns - 4, sign.cut), 4)
}

/** The keys of a question and their effects. An entry that is no key, such as Ctrl+C, is there to be read. */
export type Keys = readonly (readonly [key: string, does: string])[]

export function keyLines(keys: Keys, style: Style): readonly string[] {
  const width = Math.max(6, ...keys.map(([key]) => key.length))
  return keys.flatMap(([key, does]) => {
    const lines = wrapLine(does, style.columns - width - 4, style.sign.cut)
    return hanging(`  ${style.paint.strong(key.padEnd(width))}  `, lines, width + 4)
  })
}
