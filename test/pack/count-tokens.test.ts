import { describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../src/pack/count-tokens.ts'

describe('tokens', async () => {
  const count = await loadTokenizer()

  it.each([
    ['', 0],
    ['hello world', 2],
    ['const a = 1\n', 6],
    ['<|endoftext|>', 7],
  ])('of %j are as the models count them', (text, tokens) => {
    expect(count(text)).toBe(tokens)
  })

  it('of a long run are nearly as many as of the whole', () => {
    // In one piece the library counts 1,250 and 79.
    expect(count('a'.repeat(10_000))).toBe(1260)
    expect(count(' '.repeat(10_000))).toBe(100)
  })

  it('of a long run are counted in no time', () => {
    const before = performance.now()
    for (const sign of ['a', ' ', '=', '漢']) count(sign.repeat(300_000))
    expect(performance.now() - before).toBeLessThan(20_000)
  })
})
