import type { Style } from './style.ts'
import { wrapLine } from './wrap-line.ts'

/** A sentence below the line that it belongs to; what does not fit on its first line hangs two columns further in. */
export function indented(text: string, style: Style): readonly string[] {
  const lines = wrapLine(text, style.columns - 6, style.sign.cut)
  return lines.map((line, index) => (index === 0 ? `    ${line}` : `      ${line}`))
}
