import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareFiles } from '../../src/report/compare-files.ts'
import { compareLines } from '../../src/report/compare-lines.ts'
import { lineCounts } from '../../src/report/line-counts.ts'
import { file, numbered } from './samples.ts'

describe('compareLines', () => {
  it('finds what was changed, added and removed', () => {
    expect(compareLines(['a', 'b', 'c', 'd', 'e'], ['a', 'B', 'c', 'e', 'f'])).toEqual([
      { beforeStart: 1, beforeEnd: 2, afterStart: 1, afterEnd: 2 },
      { beforeStart: 3, beforeEnd: 4, afterStart: 3, afterEnd: 3 },
      { beforeStart: 5, beforeEnd: 5, afterStart: 4, afterEnd: 5 },
    ])
  })

  it('gives differences from which the new text can be made again', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '}', 'long line'), { maxLength: 40 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const made: string[] = []
        let at = 0
        for (const { beforeStart, beforeEnd, afterStart, afterEnd } of compareLines(before, after)) {
          made.push(...before.slice(at, beforeStart), ...after.slice(afterStart, afterEnd))
          at = beforeEnd
        }
        expect([...made, ...before.slice(at)]).toEqual(after)
      }),
    )
  })

  it('gives up on what would take too long, and says that all between the common ends is new', () => {
    const middle = Array.from({ length: 20_000 }, (_, n) => `line ${n}`)
    const before = ['first', ...middle, 'last']
    const after = ['first', ...middle.toReversed(), 'last']
    expect(compareLines(before, after)).toEqual([
      { beforeStart: 1, beforeEnd: 20_001, afterStart: 1, afterEnd: 20_001 },
    ])
  })

  it('stays exact for many small changes in a large file', () => {
    const before = Array.from({ length: 20_000 }, (_, n) => `line ${n}`)
    const after = before.map((line, n) => (n % 4 === 0 ? `${line} changed` : line))
    expect(compareLines(before, after)).toHaveLength(5000)
  })
})

describe('lineCounts', () => {
  it.each([
    ['a new file', null, file(numbered(1, 8)), { added: 8, removed: 0, binary: false }],
    ['a deleted file', file('a\nb'), null, { added: 0, removed: 2, binary: false }],
    ['an empty new file', null, file(''), { added: 0, removed: 0, binary: false }],
    ['nothing to delete', null, null, { added: 0, removed: 0, binary: false }],
    ['a changed line', file('a\nb\nc\n'), file('a\nB\nc\n'), { added: 1, removed: 1, binary: false }],
    ['other line ends', file('a\r\nb\r\n'), file('a\nb\n'), { added: 0, removed: 0, binary: false }],
    ['a last line without an end', file('a\nb'), file('a\nb\n'), { added: 0, removed: 0, binary: false }],
    ['a NUL', file('a\0b'), file('a\n'), { added: 0, removed: 0, binary: true }],
    ['no UTF-8', file(new Uint8Array([0xe4, 0x0a])), file('ä\n'), { added: 0, removed: 0, binary: true }],
    ['a removed link', { kind: 'link', to: '../x' } as const, null, { added: 0, removed: 0, binary: false }],
  ])('counts %s', (_, before, after, counts) => {
    expect(lineCounts(before, after)).toEqual(counts)
  })
})

describe('compareFiles', () => {
  it.each([
    ['LF to CRLF', file('a\nb\n'), file('a\r\nb\r\n'), ['line ends LF -> CRLF']],
    ['mixed to LF', file('a\r\nb\n'), file('a\nb\n'), ['line ends mixed -> LF']],
    ['mixed in another way', file('a\r\nb\nc\r\n'), file('a\r\nb\nc\n'), ['some line ends differ']],
    ['as many, at other places', file('a\r\nb\nc'), file('a\nb\r\nc'), ['some line ends differ']],
    ['a byte order mark', file('a\n'), file('\ufeffa\n'), ['byte order mark added']],
    ['no byte order mark any more', file('\ufeffa\n'), file('a\n'), ['byte order mark removed']],
    ['an end for the last line', file('a'), file('a\n'), ['line end at the end of the file added']],
    ['no end for the last line', file('a\r\n'), file('a'), ['line end at the end of the file removed']],
    ['another mode', file('a\n'), file('a\n', 0o755), ['mode 0644 -> 0755']],
    ['indentation', file('if\n  a\n'), file('if\n\ta\n'), ['only blanks and indentation differ']],
    ['everything', file(numbered(1, 9)), file(numbered(1, 9, 'new')), ['rewritten: no line stays']],
    ['everything but brackets', file('a\nb\nc\nd\n}\n'), file('v\nw\nx\n}\ny\n'), ['rewritten: no line stays']],
    ['nearly everything', file(numbered(1, 9)), file(`${numbered(1, 9, 'new')}line 9\n`), []],
    ['nothing left', file('a\n'), file(''), ['emptied']],
    ['an empty new file', null, file(''), ['empty file']],
    ['a new program', null, file('a\n', 0o755), ['mode 0755, executable']],
    ['a new file without a last line end', null, file('a'), ['no line end at the end of the file']],
    ['a new CRLF file', null, file('\ufeffa\r\n'), ['byte order mark', 'line ends CRLF']],
    ['a link', { kind: 'link', to: '../x' } as const, null, ['was a link to ../x']],
    ['bytes', file(new Uint8Array(1200)), file(new Uint8Array(3_400_000)), ['binary: 1.2 kB -> 3.4 MB']],
    ['a new binary', null, file(new Uint8Array(1)), ['binary: 1 byte']],
    ['nothing at all', file('a\n'), file('a\n'), []],
  ])('says in words: %s', (_, before, after, notes) => {
    expect(compareFiles(before, after).notes).toEqual(notes)
  })
})
