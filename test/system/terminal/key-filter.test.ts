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

/** Feeds bytes in one moment, cut at these places, and gives what came through, each stretch of one kind as one. */
function bytesThrough(bytes: Buffer, cuts: readonly number[]): readonly (readonly [kind: string, bytes: string])[] {
  const filter = new KeyFilter()
  filter.guardEnd = 500
  const ends = [...cuts.filter(cut => cut < bytes.length), bytes.length].sort((a, b) => a - b)
  const found: [kind: string, bytes: string][] = []
  for (const key of ends.flatMap((end, at) => filter.feed(bytes.subarray(ends[at - 1] ?? 0, end), 600))) {
    const last = found.at(-1)
    const came = 'bytes' in key ? Buffer.from(key.bytes).toString('latin1') : ''
    if (key.kind === 'typed' && last?.[0] === 'typed') last[1] += came
    else found.push([key.kind, came])
  }
  return found
}

/** A piece, and when it comes. */
const at = (ms: number, text: string) => [text, ms] as const

describe('the filter in front of a question', () => {
  it('lets through what is typed', () => {
    expect(through([at(600, 'y'), at(700, 'é'), at(800, '\r')])).toBe('yé\r')
  })

  it.each(['constructor', 'toString', '__proto__'])(
    'takes the word %s that comes in one piece for what it is',
    word => {
      expect(through([at(600, word)])).toBe(word)
    },
  )

  it('drops what was typed before the question was seen', () => {
    expect(through([at(100, 'y\r'), at(499, 'y'), at(500, 'n')])).toBe('n')
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

  // Ctrl+C is left out: alone in a piece it counts wherever it comes.
  const sign = fc.constantFrom('y', '\r', 'é', '\x1a', '\x04', '\x1b', '\x1b[', '\x1b[20', '0~', '\x1b[A')
  const cuts = fc.array(fc.nat(400))

  it('gives the same keys, wherever the pieces are cut', () => {
    const keys = fc.array(sign, { maxLength: 12 }).map(signs => Buffer.from(signs.join('')))
    fc.assert(
      fc.property(keys, cuts, (bytes, cuts) => {
        fc.pre(!bytes.includes('\x1b[200~'))
        expect(bytesThrough(bytes, cuts)).toEqual(bytesThrough(bytes, []))
      }),
    )
  })

  it('gives the same text that was pasted, wherever the pieces are cut', () => {
    const inPaste = fc.oneof(sign, fc.constantFrom('\x1b[200~', '\x1b[201', 'line\n'.repeat(30)))
    const text = fc.array(inPaste, { maxLength: 12 }).map(signs => signs.join(''))
    fc.assert(
      fc.property(text, cuts, (text, cuts) => {
        const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~`)
        expect(bytesThrough(bytes, cuts)).toEqual([['pasted', Buffer.from(text).toString('latin1')]])
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
        at(600, 'a'),
        at(700, '\x1b[200~p\x1b[201~'),
        at(899, 'b'),
        at(1098, 'c'),
        at(1298, 'd'),
        at(1299, 'e'),
      ]),
    ).toBe('a<pasted "p">de')
  })

  it('lets Ctrl+C through right after a paste', () => {
    expect(through([at(600, '\x1b[200~p\x1b[201~'), at(601, '\x03'), at(602, 'y\x03')])).toBe('<pasted "p"><interrupt>')
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
    expect(through([at(100, '\x1b[200~y'), at(600, '\r'), at(700, '\x1b[201~'), at(900, 'n')])).toBe('<pasted "y\\r">n')
  })

  it('drops a paste that the terminal does not mark', () => {
    expect(through([at(600, 'y\r'.repeat(40)), at(700, 'n')])).toBe('<unmarked>n')
  })

  it('lets Ctrl+C, Ctrl+D and Ctrl+Z through at any time', () => {
    expect(through([at(1, 'y\x03'), at(2, '\x1a'), at(3, '\x04')])).toBe('<interrupt><suspend><end>')
  })

  it('lets Ctrl+C out of a paste that never ends, and nothing else', () => {
    expect(through([at(600, '\x1b[200~'), at(700, 'y\r\x04\x1a'), at(800, '\x03')])).toBe('<interrupt>')
  })

  it('keeps keys that begin like a marker', () => {
    expect(through([at(600, '\x1b'), at(600, '[A'), at(600, '\x1b[20'), at(600, '~')])).toBe('\x1b[A\x1b[20~')
  })
})
