import { describe, expect, it } from 'vitest'
import { compareFiles } from '../../../src/report/diff/compare-files.ts'
import { file, numbered } from '../samples.ts'

describe('compareFiles', () => {
  it.each([
    ['a new file', null, file(numbered(1, 8)), 8, 0],
    ['a deleted file', file('a\nb'), null, 0, 2],
    ['an empty new file', null, file(''), 0, 0],
    ['nothing to delete', null, null, 0, 0],
    ['a changed line', file('a\nb\nc\n'), file('a\nB\nc\n'), 1, 1],
    ['other line ends', file('a\r\nb\r\n'), file('a\nb\n'), 0, 0],
    ['a last line without an end', file('a\nb'), file('a\nb\n'), 0, 0],
    ['a removed link', { kind: 'link', to: '../x' } as const, null, 0, 0],
  ])('counts lines: %s', (_, before, after, added, removed) => {
    expect(compareFiles(before, after)).toMatchObject({ added, removed, lines: expect.anything() })
  })

  it.each([
    ['a NUL', file('a\n'), file('a\0b')],
    ['no UTF-8', file('ä\n'), file(new Uint8Array([0xe4, 0x0a]))],
  ])('takes for no text: %s', (_, before, after) => {
    expect(compareFiles(before, after)).toMatchObject({ added: 0, removed: 0, lines: undefined })
    const toText = compareFiles(after, before)
    expect(toText.lines).toEqual({ before: [], after: [expect.any(String)] })
    expect(toText.notes).toEqual([expect.stringMatching(/^binary before: /)])
  })

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
    ['a mode that the umask decides', file('a\nb\n'), file('a\n', 0o666), []],
    ['a program moved, and a program no more', file('a\n', 0o755), file('a\n', 0o666), ['no longer executable']],
    ['indentation', file('if\n  a\n'), file('if\n\ta\n'), ['only blanks and indentation differ']],
    ['everything', file(numbered(1, 9)), file(numbered(1, 9, 'new')), ['rewritten: no line stays']],
    ['everything but brackets', file('a\nb\nc\nd\n}\n'), file('v\nw\nx\n}\ny\n'), ['rewritten: no line stays']],
    ['much', file(numbered(1, 9)), file(`${numbered(1, 9, 'new')}line 9\n`), []],
    [
      'nearly everything',
      file(numbered(1, 30)),
      file(`${numbered(1, 30, 'new')}line 9\n`),
      ['rewritten: 1 of 30 lines stays'],
    ],
    ['a new link', null, { kind: 'link', to: '../x' } as const, ['a link to ../x']],
    [
      'another link',
      { kind: 'link', to: 'a' } as const,
      { kind: 'link', to: 'b' } as const,
      ['was a link to a', 'now a link to b'],
    ],
    ['a text of many bytes', file(numbered(1, 400_000)), file('a\n'), ['too large to show: 4.7 MB -> 2 bytes']],
    ['a text of many lines', null, file('\n'.repeat(300_000)), ['too large to show: 300.0 kB']],
    [
      'a text of many lines in the place of a link',
      { kind: 'link', to: 'a' } as const,
      file('\n'.repeat(300_000)),
      ['was a link to a', 'too large to show: 300.0 kB'],
    ],
    ['nothing left', file('a\n'), file(''), ['emptied']],
    ['an empty new file', null, file(''), ['empty file']],
    ['a new program', null, file('a\n', 0o755), ['mode 0755, executable']],
    ['a new file without a last line end', null, file('a'), ['no line end at the end of the file']],
    ['a new CRLF file', null, file('\ufeffa\r\n'), ['byte order mark', 'line ends CRLF']],
    ['a link', { kind: 'link', to: '../x' } as const, null, ['was a link to ../x']],
    ['bytes', file(new Uint8Array(1200)), file(new Uint8Array(3_400_000)), ['binary: 1.2 kB -> 3.4 MB']],
    ['bytes in another mode', file('\0'), file('\0', 0o755), ['mode 0644 -> 0755']],
    ['a new binary', null, file(new Uint8Array(1)), ['binary: 1 byte']],
    ['nothing at all', file('a\n'), file('a\n'), []],
  ])('says in words: %s', (_, before, after, notes) => {
    expect(compareFiles(before, after).notes).toEqual(notes)
  })
})
