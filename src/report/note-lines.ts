import { hanging } from './text/hanging.ts'
import type { Style } from './text/style.ts'
import { visibleLine } from './text/visible.ts'
import { wrapLine } from './text/wrap-line.ts'

/** Something odd that is no reason to stop. */
export function noteLines(note: string, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  return hanging(`${paint.needsYou(sign.needsYou)} `, wrapLine(visibleLine(note), columns - 4, sign.cut), 4)
}
