import { describe, expect, it } from 'vitest'
import { readSource } from '../../src/source/read-source.ts'
import { fakeSystem } from '../support/fake-system.ts'
import type { FakeTerminal } from '../support/fake-terminal.ts'

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

  it.each([
    [
      'takes what is pasted',
      (terminal: FakeTerminal) => terminal.paste('an answer'),
      { text: 'an answer', source: 'paste' },
    ],
    [
      'takes no paste that the terminal does not mark',
      (terminal: FakeTerminal) => terminal.pasteUnmarked(),
      { message: 'relay cannot tell a paste from typing in this terminal' },
    ],
  ])('%s where stdin is named and somebody sits there', async (_name, act, expected) => {
    const { system, terminal } = fakeSystem({ terminal: { canAsk: true } })
    const read = readSource('-', system).catch((error: unknown) => error)
    act(terminal)
    expect(await read).toMatchObject(expected)
    expect(terminal.stderr).toBe('Paste the answer here; Ctrl+C ends.\n')
  })

  it('names a file of Windows so that it needs no quotes in any shell', async () => {
    const { system } = fakeSystem({ files: { 'sub\\answer.md': 'from the file' } })
    const runtime = { ...system.runtime, platform: 'win32 x64' }
    expect((await readSource('sub\\answer.md', { ...system, runtime })).source).toBe('file:sub/answer.md')
    expect((await readSource('sub\\answer.md', system)).source).toBe('file:sub\\answer.md')
  })

  it('ends with Ctrl+C while it waits for a paste', async () => {
    const { system, interrupt } = fakeSystem({ terminal: { canAsk: true } })
    const read = readSource('-', system)
    interrupt('SIGINT')
    await expect(read).rejects.toMatchObject({ kind: 'usage', message: 'Nothing was pasted' })
  })

  it('names the limit of a file that is larger, and reads no more of stdin or a device than tells that it is', async () => {
    const { system } = fakeSystem({ files: { 'answer.md': 'x'.repeat(200) } })
    await expect(readSource('answer.md', system, 100)).rejects.toMatchObject({
      kind: 'usage',
      message: 'answer.md has 200 bytes; the limit is 100 (limits.responseBytes)',
    })
    expect((await readSource('answer.md', system, 200)).text).toHaveLength(200)
    const asked: (number | undefined)[] = []
    const terminal = {
      ...system.terminal,
      piped: true,
      readStdin: async (most?: number) => {
        asked.push(most)
        return Buffer.from('x')
      },
    }
    const files = {
      ...system.files,
      read: async (_path: string, most?: number) => {
        asked.push(most)
        return Buffer.from('x')
      },
    }
    await readSource('-', { ...system, terminal }, 100)
    await readSource('/dev/zero', { ...system, files }, 100)
    expect(asked).toEqual([108, 108])
  })

  it('says so when there is no such file', async () => {
    const { system } = fakeSystem()
    await expect(readSource('none.md', system)).rejects.toMatchObject({
      kind: 'usage',
      message: 'No such file: none.md',
    })
  })
})
