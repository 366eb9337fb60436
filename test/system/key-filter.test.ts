import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyFilter } from '../../src/system/key-filter.ts'

/** Feeds pieces, each at its time, and gives what came through as one text; controls stand in angle brackets. */
function through(pieces: readonly (readonly [string, number])[], guardEnd = 500): string {
  const filter = new KeyFilter()
  filter.guardEnd = guardEnd
  return pieces
    .flatMap(([text, at]) => filter.feed(Buffer.from(text), at))
    .map(key => (key.kind === 'typed' ? Buffer.from(key.bytes).toString() : `<${key.kind}>`))
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

  it('drops what is pasted, wherever the pieces are cut', () => {
    const typed = 'a\x1b[200~y\r\x1b[201~b\x1b[200~n\r\x1b[201~c'
    fc.assert(
      fc.property(fc.array(fc.nat(typed.length)), cuts => {
        const at = [0, ...cuts.sort((a, b) => a - b), typed.length]
        const pieces = at.slice(1).map((end, i): [string, number] => [typed.slice(at[i], end), 600])
        expect(through(pieces)).toBe('abc')
      }),
    )
  })

  it('drops the rest of a paste that began too early', () => {
    expect(
      through([
        ['\x1b[200~y', 100],
        ['\r', 600],
        ['\x1b[201~n', 700],
      ]),
    ).toBe('n')
  })

  it('drops a paste that the terminal does not mark', () => {
    expect(
      through([
        ['y\r'.repeat(40), 600],
        ['n', 700],
      ]),
    ).toBe('n')
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
