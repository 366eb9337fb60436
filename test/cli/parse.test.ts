import { readdirSync, readFileSync } from 'node:fs'
import pMap from 'p-map'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { journalWorld } from '../support/journal-world.ts'
import { runRelay } from '../support/real-relay.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

const folder = new URL('../fixtures/cases/', import.meta.url)
const cases = readdirSync(folder).map(name => ({
  name,
  path: new URL(`${name}/response.md`, folder).pathname,
}))

describe('relay parse --json', () => {
  let project: ScratchProject
  beforeAll(() => {
    project = scratchProject()
  })
  afterAll(() => project.remove())

  // The single binary has another engine, with regular expressions of its own.
  it('reads the example responses as it does in the tests of the parser, and changes nothing', async () => {
    const both = async ({ path }: { readonly path: string }) => {
      const { stdout } = await runRelay(['parse', '--json', path], { cwd: project.root })
      const here = await journalWorld().run(['parse', '-', '--json'], {
        terminal: { stdin: readFileSync(path, 'utf8') },
      })
      return [stdout, here.stdout]
    }
    for (const [stdout, here] of await pMap(cases, both, { concurrency: 2 })) expect(stdout).toBe(here)
    expect(project.tree()).toEqual({ 'relaycode.config.json': '{"projectId":"demo"}' })
    expect(() => project.journal()).toThrow('ENOENT')
  })

  it('needs no project when it is told the id', async () => {
    const elsewhere = scratchProject({}, null)
    try {
      const response = readFileSync(cases[0]?.path ?? '')
      const from = { cwd: elsewhere.root, stdin: response }
      const { code, stdout } = await runRelay(['parse', '--json', '--project-id', 'demo'], from)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'patch', control: { projectId: 'demo' } })
      const other = await runRelay(['parse', '--json', '-', '--project-id', 'other'], from)
      expect(JSON.parse(other.stdout)).toEqual({
        verdict: 'ignored',
        why: 'other-project',
        problems: [],
        control: { projectId: 'demo', uuid: expect.any(String) },
        operations: [],
        reasoning: [],
        flags: [],
        here: null,
      })
      expect(elsewhere.tree()).toEqual({})
    } finally {
      elsewhere.remove()
    }
  })

  it('says it in words without --json, on stdout', async () => {
    const told = async (name: string) => {
      const { path } = cases.find(each => each.name.startsWith(name)) ?? { path: '' }
      const { code, stdout, stderr } = await runRelay(['parse', path], { cwd: project.root })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return stdout
    }
    expect(await told('01')).toMatchInlineSnapshot(`
      "✔ an answer  3 files, 3 pieces of reasoning, 0 flags
        projectId demo
        uuid      005f3a11-4c1d-4a7e-9b3f-a1be458a19d5
        write   src/load.ts          5 lines
        write   scripts/build.py     10 lines
        write   src/styles/main.css  7 lines
      "
    `)
    expect(await told('18')).toMatchInlineSnapshot(`
      "○ ignored  an answer for "other-project" (this project is "demo")
      "
    `)
    expect(await told('45')).toMatchInlineSnapshot(`
      "✔ an answer  1 file, 1 piece of reasoning, 1 flag
        projectId demo
        uuid      005f3a39-4c1d-4a7e-9b3f-a1be458eef2d
        write   src/lazy.ts  7 lines
      ▲ placeholder: src/lazy.ts: a comment stands in for code that was left out
          "// ... rest of the code remains unchanged ..." (line 12 of the answer)
      "
    `)
    expect(await told('78')).toMatchInlineSnapshot(`
      "✖ refused
          line 28: Two different YAML blocks, at lines 11 and 28: two answers were
            copied together, or one is an example in a file whose fences do not
            match. Copy one answer alone.
          Nothing was written.
        projectId demo
        uuid      005f3a5b-4c1d-4a7e-9b3f-a1be45930aeb
      "
    `)
    expect(await told('87')).toMatchInlineSnapshot(`
      "✔ an answer  1 file, 1 piece of reasoning, 0 flags
        projectId demo
        uuid      005f3a61-4c1d-4a7e-9b3f-a1be4593c485
        write   src/s.ts  1 line
      "
    `)
  })

  it('tells what is odd about the configuration, like every command', async () => {
    const odd = scratchProject({}, { linterr: 'tsc' })
    try {
      const { code, stdout, stderr } = await runRelay(['parse', '--json', cases[0]?.path ?? ''], { cwd: odd.root })
      expect({ code, stderr }).toMatchInlineSnapshot(`
        {
          "code": 0,
          "stderr": "▲ unknown key "linterr"; did you mean "linter"?
        ",
        }
      `)
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'patch' })
      const told = await runRelay(['parse', '--project-id', 'demo', cases[0]?.path ?? ''], { cwd: odd.root })
      expect(told.stderr).toBe('')
    } finally {
      odd.remove()
    }
  })
})
