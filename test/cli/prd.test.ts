import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prdText, story } from '../agents/prd/prd-world.ts'
import { schemas } from '../support/json-schemas.ts'
import { runRelay, testPath } from '../support/real-relay.ts'
import { runInTerminal } from '../support/real-terminal.ts'

let home: string
let cwd: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-prd-'))
  cwd = join(home, 'project')
  for (const folder of [cwd, join(home, 'bin'), join(home, 'calls')]) mkdirSync(folder)
  execFileSync('git', ['init', '-q'], { cwd })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** An agent that gives these answers, one after the other. */
function codex(...answers: readonly string[]) {
  for (const [at, text] of answers.entries()) {
    const event = { type: 'item.completed', item: { type: 'agent_message', text } }
    writeFileSync(join(home, `answer${at + 1}`), `${JSON.stringify(event)}\n{"type":"turn.completed"}\n`)
  }
  const script = `N=$(($(ls '${home}/calls' | wc -l) + 1)); cat > '${home}/calls/'$N; cat '${home}/answer'$N`
  writeFileSync(join(home, 'bin/codex'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
const call = (number: number) => readFileSync(join(home, 'calls', String(number)), 'utf8')
const write = (path: string, text: string) => {
  mkdirSync(join(cwd, path, '..'), { recursive: true })
  writeFileSync(join(cwd, path), text)
}
const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
const env = () => ({ HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: `${join(home, 'bin')}:${testPath}` })
const relay = (args: readonly string[], stdin?: string) =>
  runRelay(['prd', ...args], {
    cwd,
    env: env(),
    ...(stdin !== undefined && { stdin }),
  })
const good = prdText([story('US-001')])
const fenced = (json: string) => `Here it is:\n\n\`\`\`json\n${json}\`\`\`\n`

describe('relay prd', () => {
  it('shows the stories, and checks them', async () => {
    write(
      'prd.json',
      prdText([story('US-001', { passes: true }), story('US-002', { acceptanceCriteria: ['Works well'] })]),
    )
    const shown = await relay([])
    expect({ code: shown.code, stdout: shown.stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "MyApp   ralph/priority
        id      priority  passes  title
      ✔ US-001  1         yes     Add US-001 to the list
      ● US-002  2         no      Add US-002 to the list
      1 of 2 user stories passes. Next: US-002
      ",
      }
    `)
    const checked = await relay(['check'])
    expect({ code: checked.code, stdout: checked.stdout }).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stdout": "▲ US-002: The criterion "Typecheck passes" is missing.
      ▲ US-002: Nobody can verify "Works well": say what is seen, or what a
          command prints.
      2 findings.
      ",
      }
    `)
    const json = await relay(['check', '--json'])
    expect(v.safeParse(schemas.prd, JSON.parse(json.stdout)).issues).toBeUndefined()
    expect([json.code, (await relay(['status', '--json'])).stdout]).toEqual([6, json.stdout])
    write('prd.json', good)
    expect((await relay(['check'])).code).toBe(0)
  })

  it('writes a prd.json from a PRD, and has it mended where the rules find something', async () => {
    write('tasks/prd-x.md', '# PRD: X\n')
    codex(fenced(prdText([story('US-001', { acceptanceCriteria: ['A line'] })])), fenced(good))
    const { code, stderr } = await relay(['convert', 'tasks/prd-x.md'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/Next: relay loop\n$/) })
    expect(read('prd.json')).toBe(good)
    expect(call(1)).toContain('# The PRD\n\n```\n# PRD: X\n```')
    expect(call(2)).toContain('- US-001: The criterion "Typecheck passes" is missing.')
  })

  it('names the prd.json for the loop where that would not look there', async () => {
    write('x.md', '# X\n')
    codex(fenced(good))
    const { stderr } = await relay(['convert', 'x.md', '--prd', 'sub/my.json'])
    expect([stderr, read('sub/my.json')]).toEqual([
      expect.stringContaining('Next: relay loop --prd sub/my.json\n'),
      good,
    ])
  })

  it('archives the one that was there, and says what still speaks against the new one', async () => {
    write('scripts/ralph/prd.json', prdText([story('US-009')], { branchName: 'ralph/old' }))
    write('x.md', '# X\n')
    const bad = prdText([story('US-001', { acceptanceCriteria: ['A line'] })])
    codex(fenced(bad), fenced(bad))
    expect((await relay(['convert', 'x.md'])).code).toBe(6)
    expect(read('scripts/ralph/prd.json')).toBe(bad)
    const [folder = ''] = readdirSync(join(cwd, 'scripts/ralph/archive'))
    expect(folder).toMatch(/-old$/)
    expect(read(`scripts/ralph/archive/${folder}/prd.json`)).toContain('US-009')
  })

  it('leaves all as it is where the agent writes nothing of use', async () => {
    write('prd.json', good)
    write('x.md', '# X\n')
    codex('I cannot.', 'No.')
    const { code, stdout } = await relay(['convert', 'x.md'])
    expect([code, stdout, read('prd.json'), existsSync(join(cwd, 'archive'))]).toEqual([9, 'No.\n', good, false])
  })

  it('plans a feature from its description: a PRD in tasks/, then a prd.json', async () => {
    codex('# PRD: Task priority\n\nText.\n', fenced(good))
    expect((await relay(['new'], 'Tasks get a priority\n')).code).toBe(0)
    expect([read('tasks/prd-task-priority.md'), read('prd.json')]).toEqual(['# PRD: Task priority\n\nText.\n', good])
    expect(call(1)).toContain('# The feature\n\n```\nTasks get a priority\n```')
  })

  it('asks what the agent asks, and hands on answers by their letters', async () => {
    codex('1. What is it for? (A/B/?)\n   A. Sorting\n   B. Other: say what\n', '# PRD: Prio\n', fenced(good))
    const { code, stdout } = await runInTerminal(['prd', 'new', 'Tasks get a priority'], {
      cwd,
      env: env(),
      keys: ['1A'],
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('   A. Sorting') })
    expect(stdout.indexOf('Your answers, such as "1A, 2C"')).toBeGreaterThan(stdout.indexOf('   A. Sorting'))
    expect(call(1)).toContain('so that "1A, 2C, 3B" answers all of them')
    expect(call(2)).toMatch(/1\. What is it for[\s\S]*B\. Other: say what[\s\S]*\n1A\n/)
    expect(read('prd.json')).toBe(good)
  })

  it('archives what is there', async () => {
    write('prd.json', good)
    write('progress.txt', '# Ralph Progress Log\nStarted: x\n---\n## a\n')
    expect((await relay(['archive'])).code).toBe(0)
    const [folder = ''] = readdirSync(join(cwd, 'archive'))
    expect([read(`archive/${folder}/prd.json`), read(`archive/${folder}/progress.txt`)]).toEqual([
      good,
      '# Ralph Progress Log\nStarted: x\n---\n## a\n',
    ])
    expect([read('prd.json'), read('progress.txt')]).toEqual([good, expect.not.stringContaining('## a')])
  })

  it('writes the skills out, and leaves alone what is there', async () => {
    write('skills/prompt.md', 'mine\n')
    const { code, stderr } = await relay(['skills'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringMatching(/Left alone.*prompt\.md/) })
    expect(read('skills/prompt.md')).toBe('mine\n')
    expect(read('skills/ralph/SKILL.md')).toContain('name: ralph')
    await relay(['skills', 'new'])
    expect((await relay(['skills', 'new'])).stderr).toBe('All of it is in new/ already.\n')
  })

  it.each([
    [['status'], /There is no prd\.json/],
    [['frobnicate'], /knows no "frobnicate"/],
    [['convert'], /takes the PRD/],
    [['convert', 'gone.md'], /There is no gone\.md/],
    [['check', 'other.json'], /takes no "other\.json"[\s\S]*--prd other\.json/],
    [['convert', 'more', 'words'], /takes no "words"/],
  ] as const)('ends with 2 for %j', async (args, says) => {
    const { code, stderr } = await relay(args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) })
  })
})
