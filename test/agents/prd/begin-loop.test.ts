import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginLoop } from '../../../src/agents/prd/begin-loop.ts'
import { loopPaths } from '../../../src/agents/prd/loop-files.ts'
import { jsonIn, markdownIn, prdName } from '../../../src/agents/prd/prd-prompts.ts'
import type { Files } from '../../../src/ports.ts'
import { realSystem } from '../../../src/system/system.ts'

let root: string
let place: Parameters<typeof beginLoop>[0]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'relay-begin-'))
  mkdirSync(join(root, 'own'))
  place = { root, paths: loopPaths('prd.json'), lastPrd: join(root, 'own/last-prd.json') }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const system = realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() })
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The last run was on another branch. */
function lastRun() {
  writeFileSync(join(root, 'own/last-prd.json'), 'the old one\n')
  writeFileSync(join(root, 'prd.json'), 'the new one\n')
  writeFileSync(join(root, 'progress.txt'), '# Ralph Progress Log\nStarted: x\n---\n## old\n')
  writeFileSync(join(root, '.last-branch'), 'ralph/old\n')
}

describe('the beginning of a loop', () => {
  it('writes what is missing, and archives nothing the first time', async () => {
    writeFileSync(join(root, 'prd.json'), 'the new one\n')
    expect(await beginLoop(place, 'ralph/new', system)).toBeUndefined()
    expect(read('progress.txt')).toMatch(/^# Ralph Progress Log\nStarted: .*\n---\n$/)
    expect([read('.last-branch'), read('own/last-prd.json')]).toEqual(['ralph/new\n', 'the new one\n'])
  })

  it.each([1, 2, 3, 4, 5])('archives the last run once, also where it was stopped behind write %i', async stop => {
    lastRun()
    let writes = 0
    const files: Files = {
      ...system.files,
      async replace(...args) {
        if (++writes > stop) throw new Error('stopped')
        return system.files.replace(...args)
      },
    }
    await beginLoop(place, 'ralph/new', { ...system, files }).catch(() => undefined)
    await beginLoop(place, 'ralph/new', system)
    const folders = readdirSync(join(root, 'archive'))
    expect(folders).toEqual([expect.stringMatching(/-old$/)])
    expect(read(`archive/${folders[0]}/prd.json`)).toBe('the old one\n')
    expect(read(`archive/${folders[0]}/progress.txt`)).toContain('## old')
    expect(read('progress.txt')).not.toContain('## old')
    expect(read('.last-branch')).toBe('ralph/new\n')
  })
})

describe('the answer of an agent', () => {
  it.each([
    ['```json\n{"a": 1}\n```', '{"a": 1}\n'],
    ['So:\n```js\nx\n```\n```json\n{"a": 1}\n```\nDone.', '{"a": 1}\n'],
    ['{"a": 1}', '{"a": 1}\n'],
    ['Here: {"a": "```"} and that is it', '{"a": "```"}\n'],
    ['nothing', '\n'],
  ])('holds JSON: %j', (answer, json) => expect(jsonIn(answer)).toBe(json))

  it.each([
    ['# PRD: X\n\n```\ncode\n```\n', '# PRD: X\n\n```\ncode\n```\n'],
    ['```markdown\n# PRD: X\n```', '# PRD: X\n'],
  ])('holds Markdown: %j', (answer, markdown) => expect(markdownIn(answer)).toBe(markdown))

  it.each([
    ['# PRD: Task Priority!', 'prd-task-priority'],
    ['# Ünïts & more', 'prd-ünïts-more'],
    ['no title', 'prd-feature'],
    ['# ../../etc', 'prd-etc'],
  ])('has a name: %j', (markdown, name) => expect(prdName(markdown)).toBe(name))
})
