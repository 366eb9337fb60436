import { describe, expect, it } from 'vitest'
import { readSource } from '../../src/source/read-source.ts'
import { fakeSystem } from '../support/fake-system.ts'

describe('where a response is read from', () => {
  it.each([
    ['a file, named from where the user stands', 'answer.md', {}, { text: 'from the file', source: 'file:answer.md' }],
    ['stdin, when it is named', '-', { terminal: { stdin: 'piped' } }, { text: 'piped', source: 'stdin' }],
    ['stdin, when something is piped', undefined, { terminal: { stdin: 'piped' } }, { text: 'piped', source: 'stdin' }],
    [
      'the clipboard, when nothing is said',
      undefined,
      { clipboard: 'copied' },
      { text: 'copied', source: 'clipboard' },
    ],
    ['an empty clipboard', undefined, {}, { text: '', source: 'clipboard' }],
  ])('is %s', async (_name, from, options, expected) => {
    const { system } = fakeSystem({ files: { 'answer.md': '\uFEFFfrom the file' }, ...options })
    expect(await readSource(from, system)).toEqual(expected)
  })

  it('says so when there is no such file', async () => {
    const { system } = fakeSystem()
    await expect(readSource('none.md', system)).rejects.toMatchObject({
      kind: 'usage',
      message: 'No such file: none.md',
    })
  })
})
