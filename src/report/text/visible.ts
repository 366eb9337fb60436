/**
 * Makes a text safe to print. A sign that would steer a terminal, reorder a line or take no room is written out, as
 * `\x1b` or `\u202e`. Line ends and tabs stay.
 *
 * Every text from a response, a linter, a path, a configuration or a command passes through here before it reaches
 * the screen. A text that shows something else than it holds is the oldest trick against a reviewer.
 */
export function visible(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(UNSAFE, writtenOut)
}

/** As `visible`, but on one line: line ends and tabs are written out too. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]/g, sign => (sign === '\n' ? '\\n' : '\\t'))
}

/** The output of a command without its colours, with the rest made visible. */
export function visibleOutput(output: string): string {
  return visible(output.replace(COLOUR, '').replaceAll('\r\n', '\n'))
}

/** The same on one line. */
export function visibleOutputLine(output: string): string {
  return visibleLine(visibleOutput(output))
}

const HARMLESS = /^[\n\t\x20-\x7e]*$/

/**
 * Controls, format characters (bidi, zero width, tags), signs that a font may leave out, separators, half surrogates.
 */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** Colours, and the "clear to the end of the line" that gcc puts next to them. */
const COLOUR = /\x1b\[[0-9;:]*[mK]/g

function writtenOut(sign: string, at: number, text: string): string {
  if (sign === '\n' || sign === '\t') return sign
  // The mark for an emoji's coloured form belongs to the emoji. After anything else it hides.
  if (sign === '\ufe0f' && /\p{Extended_Pictographic}$/u.test(text.slice(Math.max(0, at - 2), at))) return sign
  const code = sign.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
