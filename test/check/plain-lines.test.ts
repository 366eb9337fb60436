import { describe, expect, it } from 'vitest'
import { plainLines } from '../../src/check/read-check.ts'

describe('plainLines', () => {
  it.each([
    ['line ends of every kind', 'a\nb\r\nc\rd', ['a', 'b', 'c', 'd']],
    ['colours', '\x1b[1;31merror\x1b[0m: \x1b[38;5;12mx\x1b[m', ['error: x']],
    ['clearing of lines', '\x1b[2K\x1b[1Ga\x1b[K', ['a']],
    ['links', '\x1b]8;;https://x.y/z\x07-Wall\x1b]8;;\x07 \x1b]8;;u\x1b\\b\x1b]8;;\x1b\\', ['-Wall b']],
    ['character sets', '\x1b(B\x1b[ma', ['a']],
    ['the short form of colours', '\x9b31ma\x9b0m', ['a']],
    ['a sequence that is cut short', 'a\x1b[31', ['a']],
    ['a link that is cut short, up to the end of its line', 'a\x1b]8;;http\nb', ['a', 'b']],
    ['text without any', 'a [0m b', ['a [0m b']],
  ])('understands %s', (_name, output, lines) => {
    expect(plainLines(output)).toEqual(lines)
  })
})
