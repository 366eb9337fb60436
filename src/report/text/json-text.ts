import { UNSAFE } from './visible.ts'

/**
 * JSON of a value that reads back as the same value, and that a terminal may show: what `visible` would write out
 * stands in it as an escape of JSON.
 *
 * @param indent `0`: all on one line
 */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  const text = JSON.stringify(value, undefined, indent)
  return HARMLESS.test(text) ? text : text.replace(UNSAFE, escaped)
}

const HARMLESS = /^[\n\x20-\x7e]*$/

function escaped(sign: string): string {
  if (sign === '\n') return sign
  return [...Array(sign.length).keys()].map(at => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
