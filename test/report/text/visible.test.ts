import { describe, expect, it } from 'vitest'
import { visible, visibleLine, visibleOutput } from '../../../src/report/text/visible.ts'
import { fc } from '../../support/chance.ts'

describe('visible', () => {
  it.each([
    ['plain text', 'Grüße, 日本語, é, 🙂', 'Grüße, 日本語, é, 🙂'],
    ['line ends and tabs', 'a\n\tb', 'a\n\tb'],
    ['a colour', '\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['a window title', '\x1b]0;own\x07', '\\x1b]0;own\\x07'],
    ['a C1 control', '\x9b2J', '\\x9b2J'],
    ['NUL, backspace, return, delete', '\0\b\r\x7f', '\\x00\\x08\\x0d\\x7f'],
    ['a bidi override', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
    ['bidi isolates and marks', '\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
    ['zero width', 'a\u200bb\u200dc\u2060d\ufeff', 'a\\u200bb\\u200dc\\u2060d\\ufeff'],
    ['separators of lines and paragraphs', '\u2028\u2029', '\\u2028\\u2029'],
    ['soft hyphen and fillers', '\u00ad\u115f\u3164', '\\xad\\u115f\\u3164'],
    ['letters of the tag alphabet', '\u{e0041}', '\\u{e0041}'],
    ['half a surrogate pair', 'a\ud800b', 'a\\ud800b'],
    ['the mark of a coloured emoji', '❤\ufe0f', '❤\ufe0f'],
    ['the same mark anywhere else', 'a\ufe0f', 'a\\ufe0f'],
  ])('writes out or leaves: %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it('never lets a control through, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(visible(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/)
      }),
    )
  })

  it('writes out line ends and tabs where a text must stay on one line', () => {
    expect(visibleLine('a\r\n\tb')).toBe('a\\x0d\\n\\tb')
  })

  it("drops a command's colours and makes the rest visible", () => {
    expect(visibleOutput('\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K x\r\n\x1b[2Jy\x1b[38:5:1m')).toBe('error: x\n\\x1b[2Jy')
  })
})
