import { describe, expect, it } from 'vitest'
import { addIgnoreLine } from '../../src/project/add-ignore-line.ts'

describe('addIgnoreLine', () => {
  it.each([
    ['', '.relaycode/\n'],
    ['dist\n', 'dist\n.relaycode/\n'],
    ['dist', 'dist\n.relaycode/\n'],
    ['dist\n\n', 'dist\n\n.relaycode/\n'],
    ['dist\r\nout', 'dist\r\nout\r\n.relaycode/\r\n'],
    ['# .relaycode/\n', '# .relaycode/\n.relaycode/\n'],
    ['.relaycode.bak\n', '.relaycode.bak\n.relaycode/\n'],
    ['.relaycode/lock\n', '.relaycode/lock\n.relaycode/\n'],
    ['  .relaycode/\n', '  .relaycode/\n.relaycode/\n'],
  ])('makes %j to %j, and leaves that alone', (before, after) => {
    expect(addIgnoreLine(before)).toBe(after)
    expect(addIgnoreLine(after)).toBeNull()
  })

  it.each([
    '.relaycode',
    '.relaycode/',
    '/.relaycode',
    '**/.relaycode/',
    '.relaycode/*',
    '.relaycode/**',
    'dist\n.relaycode/  \nout\n',
    'dist\r\n.relaycode/\r\n',
    '\u00ef\u00bb\u00bf.relaycode/\n',
    '!.relaycode/',
  ])('needs nothing in %j', text => {
    expect(addIgnoreLine(text)).toBeNull()
  })
})
