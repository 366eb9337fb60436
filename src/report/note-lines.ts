import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'
import { wrapLine } from './wrap-line.ts'

/** Something odd that is no reason to stop. */
export function noteLines(note: string, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  const [first, ...others] = wrapLine(visibleLine(note), columns - 4, sign.cut)
  return [`${paint.needsYou(sign.needsYou)} ${first}`, ...others.map(line => `    ${line}`)]
}
