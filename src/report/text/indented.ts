import { hanging } from './hanging.ts'
import type { Style } from './style.ts'
import { wrapLine } from './wrap-line.ts'

/** A sentence below the line that it belongs to; what does not fit on its first line hangs two columns further in. */
export function indented(text: string, style: Style): readonly string[] {
  return hanging('    ', wrapLine(text, style.columns - 6, style.sign.cut), 6)
}
