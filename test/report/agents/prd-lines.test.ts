import { describe, expect, it } from 'vitest'
import type { Prd, Story } from '../../../src/model/prd.ts'
import { prdFindingLines, prdLines } from '../../../src/report/agents/prd-lines.ts'
import { columnsOf } from '../../../src/report/text/columns-of.ts'
import { ascii, narrow, plain, screen } from '../samples.ts'

function story(id: string, priority: number, passes: boolean, title: string): Story {
  return { id, title, description: '', acceptanceCriteria: [], priority, passes, notes: '', dependsOn: [] }
}

const stories = [
  story('US-001', 1, true, 'Add priority field to database'),
  story(
    'US-002',
    10,
    false,
    'Display a priority badge on task cards, red for the highest of them, and grey for the lowest',
  ),
  story('US-003', 2, false, 'Filter tasks by priority'),
  story('US-004-very-long', Number.POSITIVE_INFINITY, false, 'A \x1b[2Jtitle\nof two lines'),
]
const prd: Prd = { project: 'MyApp', branchName: 'ralph/task-priority', description: '', stories }

describe('the user stories of a prd.json', () => {
  it('are a table', () => {
    expect(screen(prdLines(prd, 'US-003', plain))).toMatchInlineSnapshot(`
      "
      MyApp   ralph/task-priority
        id            priority  passes  title
      ✔ US-001        1         yes     Add priority field to database
      ○ US-002        10        no      Display a priority badge on task cards, red…
      ● US-003        2         no      Filter tasks by priority
      ○ US-004-very…  none      no      A \\x1b[2Jtitle\\nof two lines
      1 of 4 user stories passes. Next: US-003
      "
    `)
    expect(screen(prdLines(prd, 'US-003', ascii))).toMatchInlineSnapshot(`
      "
      MyApp   ralph/task-priority
         id            priority  passes  title
      ok US-001        1         yes     Add priority field to database
      o  US-002        10        no      Display a priority badge on task cards, ...
      *  US-003        2         no      Filter tasks by priority
      o  US-004-ve...  none      no      A \\x1b[2Jtitle\\nof two lines
      1 of 4 user stories passes. Next: US-003
      "
    `)
  })

  it('are one on a narrow screen as well', () => {
    const lines = prdLines(prd, 'US-003', narrow)
    expect(screen(lines)).toMatchInlineSnapshot(`
      "
      MyApp   ralph/task-priority
        id            priority  title
      ✔ US-001        1         Add priorit…
      ○ US-002        10        Display a p…
      ● US-003        2         Filter task…
      ○ US-004-very…  none      A \\x1b[2Jti…
      1 of 4 user stories passes. Next:
      US-003
      "
    `)
    expect(lines.filter(line => columnsOf(line) > narrow.columns)).toEqual([])
  })

  it.each<[stories: readonly Story[], next: string | undefined, said: string]>([
    [[], undefined, 'There is no user story in it.'],
    [stories.slice(0, 1), undefined, 'The one user story passes.'],
    [stories.map(each => ({ ...each, passes: true })), undefined, 'All 4 user stories pass.'],
    [stories.slice(1, 3), 'US-003', '0 of 2 user stories pass. Next: US-003'],
  ])('%#: are summed up', (stories, next, said) => {
    expect(prdLines({ ...prd, stories }, next, plain).at(-1)).toBe(said)
  })
})

describe('the findings of a prd.json', () => {
  const findings = [
    { rule: 'missing-key', story: undefined, message: '"branchName" is missing.' },
    {
      rule: 'vague',
      story: 'US-002',
      message: 'Nobody can verify "Works correctly\x1b[2J": say what is seen, or what a command prints.',
    },
  ]
  it('are a note each', () => {
    expect(screen(prdFindingLines(findings, 4, plain))).toMatchInlineSnapshot(`
      "
      ▲ "branchName" is missing.
      ▲ US-002: Nobody can verify "Works correctly\\x1b[2J": say what is seen, or
          what a command prints.
      2 findings.
      "
    `)
    expect(screen(prdFindingLines(findings.slice(0, 1), 4, narrow))).toMatchInlineSnapshot(`
      "
      ▲ "branchName" is missing.
      1 finding.
      "
    `)
  })

  it('are none where nothing was found', () => {
    expect(prdFindingLines([], 4, plain)).toEqual(['✔ 4 user stories, no findings'])
  })
})
