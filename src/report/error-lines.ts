import type { Style } from './style.ts'
import { visible } from './visible.ts'

/** A failure in words: what happened, then what to do. */
export function errorLines(
  error: { readonly message: string; readonly hint?: string | undefined },
  style: Style,
): readonly string[] {
  const { paint } = style
  const hint = error.hint === undefined || error.hint === '' ? [] : labelled(paint.strong('Hint:'), error.hint, style)
  return [...labelled(paint.fail('Error:'), error.message, style), ...hint]
}

/** Further lines of a text stand below its first. */
function labelled(label: string, text: string, style: Style): readonly string[] {
  const [first = '', ...others] = text
    .trimEnd()
    .split(/\r?\n/)
    .map(line => bounded(visible(line.replaceAll('\t', '    ')), style))
  return [`${label} ${first}`.trimEnd(), ...others.map(line => `       ${line}`.trimEnd())]
}

/** Not cut to the screen: whoever searches for a message needs all of it. */
const LONG = 2000

function bounded(line: string, { sign }: Style): string {
  return line.length > LONG ? `${line.slice(0, LONG)}${sign.cut}` : line
}
