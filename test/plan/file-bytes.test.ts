import { describe, expect, it } from 'vitest'
import { fileBytes } from '../../src/plan/file-bytes.ts'

describe('fileBytes', () => {
  it.each([
    ['a new file gets LF and no mark', 'a\nb\n', undefined, 'a\nb\n'],
    ['a file with LF keeps LF', 'a\nb\n', 'x\n', 'a\nb\n'],
    ['a file with CRLF keeps CRLF', 'a\nb\n', 'x\r\ny\r\n', 'a\r\nb\r\n'],
    ['the more frequent line end counts: CRLF', 'a\nb\n', 'x\r\ny\r\nz\n', 'a\r\nb\r\n'],
    ['the more frequent line end counts: LF', 'a\nb\n', 'x\r\ny\nz\n', 'a\nb\n'],
    ['LF when both are as frequent', 'a\n', 'x\r\ny\n', 'a\n'],
    ['LF when the file has no line end', 'a\nb\n', 'x', 'a\nb\n'],
    ['LF when the file is empty', 'a\nb\n', '', 'a\nb\n'],
    ['a single CR is no line end', 'a\nb\n', 'x\ry\rz', 'a\nb\n'],
    ['CRLF in the text is not doubled', 'a\r\nb\n', 'x\r\n', 'a\r\nb\r\n'],
    ['a mark stays', 'a\n', '\ufeffx\n', '\ufeffa\n'],
    ['a mark and CRLF stay', 'a\nb\n', '\ufeffx\r\n', '\ufeffa\r\nb\r\n'],
    ['a mark of the text is kept', '\ufeffa\n', undefined, '\ufeffa\n'],
    ['two marks become one', '\ufeffa\n', '\ufeffx\n', '\ufeffa\n'],
    ['many marks become one', '\ufeff\ufeffa\n', undefined, '\ufeffa\n'],
    ['a mark inside stays where it is', 'a\ufeffb\n', '\ufeffx\n', '\ufeffa\ufeffb\n'],
    ['nothing is zero bytes', '', '\ufeffx\r\n', ''],
    ['a text of other scripts is UTF-8', 'größe 日本 😀\n', undefined, 'größe 日本 😀\n'],
  ])('%s', (_, content, before, after) => {
    const bytes = fileBytes(content, before === undefined ? undefined : Buffer.from(before))
    expect(Buffer.from(bytes).toString('utf8')).toBe(after)
  })
})
