import { expect, it } from 'vitest'
import type { Style } from '../../src/report/text/style.ts'
import { ascii, coloured, narrow, plain } from './samples.ts'

/** Everything at once: it steers, erases, links, renames the window, reorders, hides, and breaks lines. */
export const evil =
  'A\x1b[2J\x1b]0;own\x07\x1b]8;;http://x\x1b\\B\x9b31m\x90\0\b\r\x7f\u202e\u2066\u200f\u200b\u2028\u2029\ufeff\u{e0041}\ud800\n\tZ'

/** Each kind of attack alone as well, since one could hide another. */
export const attacks = [
  evil,
  '\x1b',
  '\x9b',
  '\x07',
  '\r',
  '\u202e',
  '\u2067',
  '\u200d',
  '\u2028',
  '\x1b[31m',
  'a\nb',
  '\x1b['.repeat(500),
]

/** Controls (also line ends, since these are single lines), what reorders, what hides, and halves of pairs. */
export const RAW =
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u

/** Whatever stems from outside never steers a screen; `screensOf` prints a text in every place that it can come to. */
export function neverRaw(screensOf: (text: string, style: Style) => readonly string[]): void {
  it.each(attacks.map(text => [JSON.stringify(text).slice(0, 40), text] as const))(
    'never reaches any screen raw: %s',
    (_, text) => {
      for (const style of [plain, ascii, narrow]) {
        expect(screensOf(text, style).filter(line => RAW.test(line))).toEqual([])
      }
    },
  )

  it('says the same in colour and without', () => {
    const stripped = screensOf(evil, coloured).map(line => line.replace(/\x1b\[\d+m/g, ''))
    expect(stripped).toEqual(screensOf(evil, plain))
  })
}
