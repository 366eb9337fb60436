import { describe, expect, it } from 'vitest'
import { mergeFiles } from '../../src/lines/merge-files.ts'

const labels = { ours: 'now', theirs: 'before #4' }

function merge(base: string | Uint8Array, ours: string | Uint8Array, theirs: string | Uint8Array) {
  const bytes = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text)
  const merged = mergeFiles({ base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) }, labels)
  const text = (of: Uint8Array) => Buffer.from(of).toString('utf8')
  if (merged.kind === 'clean') return text(merged.bytes)
  return merged.kind === 'binary' ? 'binary' : { places: merged.places, marked: text(merged.marked) }
}

describe('mergeFiles', () => {
  it.each([
    ['lines', 'a\nb\nc\n', 'x\nb\nc\n', 'a\nb\ny\n', 'x\nb\ny\n'],
    ['a missing end of the last line', 'a\nb\nc', 'x\nb\nc', 'a\nb\nc\n', 'x\nb\nc\n'],
    ['lines in front of a missing end', 'a\nb\nc', 'a\nb\nc', 'b\nc', 'b\nc'],
    ['CRLF', 'a\r\nb\r\nc\r\n', 'x\r\nb\r\nc\r\n', 'a\r\nb\r\ny\r\n', 'x\r\nb\r\ny\r\n'],
    ['a file that was converted since', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n', 'a\nb\ny\n', 'a\r\nb\r\ny\r\n'],
    ['a conversion that is taken back', 'a\r\nb\r\nc\r\n', 'x\r\nb\r\nc\r\n', 'a\nb\nc\n', 'x\nb\nc\n'],
    ['mixed line ends, kept as they are', 'a\r\nb\nc\n', 'a\r\nb\nx\n', 'y\r\nb\nc\n', 'y\r\nb\nx\n'],
    ['one line without an end in a CRLF file', 'a\r\nb\r\nc\r\n', 'x', 'a\r\nb\r\nc\r\n', 'x'],
    ['a conversion beside one line without an end', 'a\r\nb\r\nc\r\n', 'x', 'a\nb\nc\n', 'x'],
    ['a byte order mark that came since', 'a\nb\nc\n', '\ufeffa\nb\nc\n', 'a\nb\ny\n', '\ufeffa\nb\ny\n'],
    ['a byte order mark that is taken back', '\ufeffa\nb\nc\n', '\ufeffx\nb\nc\n', 'a\nb\nc\n', 'x\nb\nc\n'],
    ['a file that was emptied', 'a\n', '', 'a\n', ''],
    [
      'lines named after what objects have',
      'a\n__proto__\nc\n',
      'x\n__proto__\nc\n',
      'a\n__proto__\nconstructor\n',
      'x\n__proto__\nconstructor\n',
    ],
  ])('merges %s', (_name, base, ours, theirs, merged) => {
    expect(merge(base, ours, theirs)).toBe(merged)
  })

  it('shows both texts where they overlap, and puts them between markers', () => {
    expect(merge('a\nb\nc\n', 'new\na\nmine\nc\n', 'a\ntheirs\nc\n')).toEqual({
      places: [{ line: 3, ours: ['mine'], theirs: ['theirs'] }],
      marked: 'new\na\n<<<<<<< now\nmine\n=======\ntheirs\n>>>>>>> before #4\nc\n',
    })
  })

  it.each([
    [
      'CRLF',
      'a\r\nb\r\n',
      'a\r\nx\r\n',
      'a\r\ny\r\n',
      'a\r\n<<<<<<< now\r\nx\r\n=======\r\ny\r\n>>>>>>> before #4\r\n',
    ],
    ['no last line end', 'a\nb', 'a\nx', 'a\ny', 'a\n<<<<<<< now\nx\n=======\ny\n>>>>>>> before #4\n'],
    [
      'mixed ends',
      'a\nb\r\nc\n',
      'a\nx\r\nc\n',
      'a\ny\r\nc\n',
      'a\n<<<<<<< now\r\nx\r\n=======\r\ny\r\n>>>>>>> before #4\r\nc\n',
    ],
    ['nothing on one side', 'a\nb\n', 'a\n', 'a\ny\n', 'a\n<<<<<<< now\n=======\ny\n>>>>>>> before #4\n'],
  ])('writes markers with %s', (_name, base, ours, theirs, marked) => {
    expect(merge(base, ours, theirs)).toMatchObject({ marked })
  })

  it.each([
    ['a NUL', 'a\n\0'],
    ['no UTF-8', Uint8Array.of(0x61, 0xff)],
  ])('merges nothing where one of them has %s', (_name, odd) => {
    expect(merge(odd, 'a\n', 'b\n')).toBe('binary')
    expect(merge('a\n', odd, 'b\n')).toBe('binary')
    expect(merge('a\n', 'b\n', odd)).toBe('binary')
  })
})
