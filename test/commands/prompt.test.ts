import { describe, expect, it } from 'vitest'
import { prompt } from '../../src/commands/prompt.ts'
import { instructions } from '../../src/project/instructions.ts'
import { fakeSystem } from '../support/fake-system.ts'

const files = { 'relaycode.config.json': '{"projectId": "my-app", "theme": 1}', 'src/a.ts': '' }

describe('relay prompt', () => {
  it('prints the instructions alone and copies them, from anywhere in the project', async () => {
    const { system, terminal, clipboard, disk } = fakeSystem({ files, cwd: '/project/src' })
    const before = disk.tree()
    expect(await prompt(system, { copy: true })).toBe(0)
    expect(terminal.stdout).toBe(instructions('my-app'))
    expect(clipboard.written).toEqual([instructions('my-app')])
    expect(terminal.stderr).toMatchInlineSnapshot(`
      "▲ unknown key "theme"
      ✔ copied the instructions: paste them into your LLM's system prompt
      "
    `)
    expect(disk.tree()).toEqual(before)
  })

  it('only prints with --no-copy', async () => {
    const { system, terminal, clipboard } = fakeSystem({ files })
    expect(await prompt(system, { copy: false })).toBe(0)
    expect(terminal.stdout).toBe(instructions('my-app'))
    expect(clipboard.written).toEqual([])
  })

  it('prints the instructions that allow edits with --edits, or where the configuration says so', async () => {
    const asked = fakeSystem({ files })
    expect(await prompt(asked.system, { copy: true, edits: true })).toBe(0)
    const told = fakeSystem({
      files: { 'relaycode.config.json': '{"projectId": "my-app", "instructions": "edits"}' },
    })
    expect(await prompt(told.system, { copy: true })).toBe(0)
    for (const { terminal, clipboard } of [asked, told]) {
      expect(terminal.stdout).toBe(instructions('my-app', 'edits'))
      expect(clipboard.written).toEqual([instructions('my-app', 'edits')])
    }
  })

  it('gives what the user wants to tell each LLM last', async () => {
    const own = { '/home/me/.config/relaycode/config.json': '{"instructions": "Answer in German.\\n"}' }
    const { system, terminal } = fakeSystem({ files: { ...files, ...own } })
    expect(await prompt(system, { copy: true })).toBe(0)
    expect(terminal.stdout).toBe(`${instructions('my-app')}\nAnswer in German.\n`)
  })

  it('needs a project', async () => {
    const { system, terminal } = fakeSystem()
    await expect(prompt(system, { copy: true })).rejects.toThrow('No relaycode.config.json in /project or above')
    expect(terminal.stdout).toBe('')
  })
})
