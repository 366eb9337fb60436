import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { LoneKey } from '../../../src/system/terminal/idle-keyboard.ts'
import { KeyFilter } from '../../../src/system/terminal/key-filter.ts'

/** Feeds pieces, each at its time; the screen changed at 0. */
function keys(pieces: readonly (readonly [string, number])[]): readonly (string | undefined)[] {
  const filter = new KeyFilter()
  filter.guardEnd = Number.NEGATIVE_INFINITY
  const lone = new LoneKey()
  lone.stir(0)
  return pieces.map(([text, at]) => lone.take(filter.feed(Buffer.from(text), at), at))
}

/** A piece, and when it comes. */
const at = (ms: number, text: string) => [text, ms] as const

describe('a key of a watcher that waits', () => {
  it('is one that comes alone', () => {
    expect(keys([at(600, 'u'), at(1200, '?'), at(1800, 'é')])).toEqual(['u', '?', 'é'])
  })

  it('may have an Enter behind it, and Enter alone is none', () => {
    expect(keys([at(600, 'u\r'), at(1200, '\r'), at(1800, 'd')])).toEqual(['u', undefined, 'd'])
  })

  it('is not what was typed before the screen could be read, or right after something else', () => {
    expect(keys([at(499, 'u'), at(900, 'u'), at(1300, 'u'), at(1800, 'u')])).toEqual([
      undefined,
      undefined,
      undefined,
      'u',
    ])
  })

  it.each(['uu', 'undo\r', '\x1b[A', '\x1bu', ' ', '\t', '\x7f', '\x1b[200~u\x1b[201~', 'u'.repeat(100)])(
    'is not %j',
    text => {
      expect(keys([[text, 600]])).toEqual([undefined])
    },
  )

  it('is nothing of a paste, wherever the pieces are cut', () => {
    const text = '\x1b[200~u\rq\x1b[201~'
    for (let cut = 1; cut < text.length; cut++) {
      const pieces = [
        [text.slice(0, cut), 600],
        [text.slice(cut), 1800],
      ] as const
      expect(keys(pieces)).toEqual([undefined, undefined])
    }
  })
})
