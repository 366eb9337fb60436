import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { KeyFilter } from '../../../src/system/terminal/key-filter.ts'
import { fc } from '../../support/chance.ts'

/** Feeds pieces, each at its time, and gives what came through as one text; all but typed keys in angle brackets. */
function through(pieces: readonly (readonly [string, number])[], guardEnd = 500): string {
  const filter = new KeyFilter()
  filter.guardEnd = guardEnd
  return pieces
    .flatMap(([text, at]) => filter.feed(Buffer.from(text), at))
    .map(key => {
      if (key.kind === 'early') return ''
      if (key.kind === 'typed') return Buffer.from(key.bytes).toString()
      return key.kind === 'pasted' ? `<pasted ${JSON.stringify(Buffer.from(key.bytes).toString())}>` : `<${key.kind}>`
    })
    .join('')
}

describe('the filter in front of a question', () => {
  it('lets through what is typed', () => {
    expect(
      through([
        ['y', 600],
        ['é', 700],
        ['\r', 800],
      ]),
    ).toBe('yé\r')
  })

  it('drops what was typed before the question was seen', () => {
    expect(
      through([
        ['y\r', 100],
        ['y', 499],
        ['n', 500],
      ]),
    ).toBe('n')
  })

  it('drops everything while the question is not on the screen', () => {
    expect(through([['y\r', 1e9]], Number.POSITIVE_INFINITY)).toBe('')
  })

  it('keeps apart what is pasted, wherever the pieces are cut', () => {
    const typed = '\x1b[200~yé\r\x1b[20\x04\x1b[201~b\x1b[200~\x1b[201~c'
    fc.assert(
      fc.property(fc.array(fc.nat(typed.length)), cuts => {
        const at = [0, ...cuts.sort((a, b) => a - b), typed.length]
        const pieces = at.slice(1).map((end, i): [string, number] => [typed.slice(at[i], end), 600])
        expect(through(pieces)).toBe('<pasted "yé\\r\\u001b[20\\u0004"><pasted "">')
      }),
    )
  })

  it('takes nothing for typed that a paste holds behind a marker of its end, wherever the pieces are cut', () => {
    const pasted = '\x1b[200~text\x1b[201~y\ry\r\x04\x1a\x1b[201~'
    fc.assert(
      fc.property(fc.array(fc.nat(pasted.length)), fc.nat(199), (cuts, pause) => {
        const at = [0, ...cuts.sort((a, b) => a - b), pasted.length]
        const pieces = at.slice(1).map((end, i): [string, number] => [pasted.slice(at[i], end), 600 + i * pause])
        expect(through(pieces)).toBe('<pasted "text">')
      }),
    )
  })

  it('takes what is typed once the keyboard has been still for a moment after a paste', () => {
    expect(
      through([
        ['a', 600],
        ['\x1b[200~p\x1b[201~', 700],
        ['b', 899],
        ['c', 1098],
        ['d', 1298],
        ['e', 1299],
      ]),
    ).toBe('a<pasted "p">de')
  })

  it('lets Ctrl+C through right after a paste', () => {
    expect(
      through([
        ['\x1b[200~p\x1b[201~', 600],
        ['\x03', 601],
        ['y\x03', 602],
      ]),
    ).toBe('<pasted "p"><interrupt>')
  })

  it('takes an end without a beginning for that of a paste', () => {
    expect(through([['y\r\x1b[201~', 600]])).toBe('')
  })

  it('takes a control character in a pasted text for a part of it', () => {
    expect(through([['\x1b[200~a\x03b\x1b[201~', 600]])).toBe('<pasted "a\\u0003b">')
  })

  it('takes a megabyte whole, in the pieces of a terminal', () => {
    const text = 'wörld ✅ \t\r'.repeat(70_000)
    const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~`)
    const filter = new KeyFilter()
    const keys = Array.from({ length: Math.ceil(bytes.length / 1021) }, (_, at) =>
      filter.feed(bytes.subarray(at * 1021, (at + 1) * 1021), 0),
    ).flat()
    expect(keys).toHaveLength(1)
    const [key] = keys
    expect(key?.kind === 'pasted' && Buffer.from(key.bytes).toString() === text).toBe(true)
  })

  it('never takes a part of a paste that began too early for keys', () => {
    expect(
      through([
        ['\x1b[200~y', 100],
        ['\r', 600],
        ['\x1b[201~', 700],
        ['n', 900],
      ]),
    ).toBe('<pasted "y\\r">n')
  })

  it('drops a paste that the terminal does not mark', () => {
    expect(
      through([
        ['y\r'.repeat(40), 600],
        ['n', 700],
      ]),
    ).toBe('<unmarked>n')
  })

  it('lets Ctrl+C, Ctrl+D and Ctrl+Z through at any time', () => {
    expect(
      through([
        ['y\x03', 1],
        ['\x1a', 2],
        ['\x04', 3],
      ]),
    ).toBe('<interrupt><suspend><end>')
  })

  it('lets Ctrl+C out of a paste that never ends, and nothing else', () => {
    expect(
      through([
        ['\x1b[200~', 600],
        ['y\r\x04\x1a', 700],
        ['\x03', 800],
      ]),
    ).toBe('<interrupt>')
  })

  it('keeps keys that begin like a marker', () => {
    expect(
      through([
        ['\x1b', 600],
        ['[A', 600],
        ['\x1b[20', 600],
        ['~', 600],
      ]),
    ).toBe('\x1b[A\x1b[20~')
  })
})
