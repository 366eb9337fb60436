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

  it('needs a project', async () => {
    const { system, terminal } = fakeSystem()
    await expect(prompt(system, { copy: true })).rejects.toThrow('No relaycode.config.json in /project or above')
    expect(terminal.stdout).toBe('')
  })
})
