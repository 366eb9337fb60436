/**
 * A value as JSON that is read back as the same value, and that a terminal may show: what `visible` would write out
 * stands in it as the escape that JSON has for it.
 *
 * @param indent `0`: all on one line
 */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  const text = JSON.stringify(value, undefined, indent)
  return HARMLESS.test(text) ? text : text.replace(UNSAFE, escaped)
}

const HARMLESS = /^[\n\x20-\x7e]*$/
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

function escaped(sign: string): string {
  return [...Array(sign.length).keys()].map(at => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
