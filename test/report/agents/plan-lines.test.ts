import { describe, expect, it } from 'vitest'
import type { RafProject, RafState, RafTask } from '../../../src/model/raf.ts'
import { planLines, planListLines } from '../../../src/report/agents/plan-lines.ts'
import { columnsOf } from '../../../src/report/text/columns-of.ts'
import { ascii, coloured, narrow, plain, screen } from '../samples.ts'

const statuses = { c: 'completed', f: 'failed', b: 'blocked', p: 'pending' } as const

/** A project whose tasks stand as the letters say. */
function project(id: string, name: string, letters: string, state: Partial<RafState> = {}): RafProject {
  const tasks = [...letters].map((letter, at): RafTask => {
    const taskId = (at + 1).toString(36).padStart(2, '0')
    const status = statuses[letter as keyof typeof statuses]
    return { id: taskId, file: `${taskId}-x.md`, title: `Task number ${at + 1}`, status, dependencies: [] }
  })
  const path = `/work/RAF/${id}-${name}`
  return { id, name, path, state: { tasks, status: 'executing', problems: [], staleBlocks: [], ...state } }
}

const listed = (projects: readonly RafProject[]) => ({ projects, worktrees: [], branches: [] })
const login = project('abcdef', 'fix-login', 'ccppp')

describe('the list of plans', () => {
  it('has a line each', () => {
    const running = { path: login.path, id: '03' }
    const projects = [login, project('abcdeg', 'dark-mode', 'cfb'), project('abcdeh', 'new', '')]
    expect(screen(planListLines(listed(projects), plain, running))).toMatchInlineSnapshot(`
      "
      abcdef fix-login ✓✓●○○ (2/5)
      abcdeg dark-mode ✓✗⊘ (1/3)
      abcdeh new (no tasks yet)
      "
    `)
    expect(screen(planListLines(listed(projects), ascii, running))).toMatchInlineSnapshot(`
      "
      abcdef fix-login ++*.. (2/5)
      abcdeg dark-mode +x- (1/3)
      abcdeh new (no tasks yet)
      "
    `)
    expect(planListLines(listed([login]), coloured, running)[0]).toContain('\x1b[32m✓\x1b[39m')
    expect(planListLines(listed([]), plain)).toEqual([])
  })

  it('shows the last ten, and how many more there are', () => {
    const many = Array.from({ length: 12 }, (_, at) => project(`aaaaa${String.fromCharCode(97 + at)}`, 'x', 'p'))
    const lines = planListLines(listed(many), plain)
    expect(lines).toEqual([
      ...['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map(letter => `aaaaa${letter} x ○ (0/1)`),
      '… and 2 more projects',
    ])
    expect(planListLines(listed(many.slice(0, 11)), ascii).at(-1)).toBe('... and 1 more project')
  })

  it('shows the worktrees that it is given below', () => {
    expect(
      screen(planListLines({ ...listed([login]), worktrees: [project('abcdef', 'fix-login', 'ccccp')] }, plain)),
    ).toMatchInlineSnapshot(`
      "
      abcdef fix-login ✓✓○○○ (2/5)
      Worktrees:
      abcdef fix-login ✓✓✓✓○ (4/5)
      "
    `)
  })

  it('puts the signs below the name where there is too little room', () => {
    const long = project('abcdei', 'a-name-that-is-as-long-as-a-name-may-be-fifty-long', 'c'.repeat(40) + 'p'.repeat(5))
    const hostile = project('abcdej', 'x\x1b[2J\u202e\n', 'p')
    expect(
      screen(planListLines(listed([login, long, hostile, project('abcdek', long.name, '')]), narrow)),
    ).toMatchInlineSnapshot(`
      "
      abcdef fix-login ✓✓○○○ (2/5)
      abcdei a-name-that-is-as-long-as-a-na…
             ✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓
             ✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓○○○○○ (40/45)
      abcdej x\\x1b[2J\\u202e\\n ○ (0/1)
      abcdek a-name-that-is… (no tasks yet)
      "
    `)
    for (const style of [narrow, plain, ascii]) {
      for (const line of planListLines(listed([login, long, hostile]), style)) {
        expect(columnsOf(line)).toBeLessThanOrEqual(style.columns)
      }
    }
  })
})

describe('one plan', () => {
  const state: RafState = {
    tasks: [
      { id: '01', file: '01-a.md', title: 'Add the table', status: 'completed', dependencies: [] },
      {
        id: '02',
        file: '02-b.md',
        title: 'Add a form for everybody who has no account yet',
        status: 'failed',
        dependencies: ['01'],
      },
      { id: '03', file: '03-c.md', title: 'Style it', status: 'blocked', dependencies: ['01', '02'] },
      { id: '04', file: '04-d.md', title: 'Send a \x1b[31mletter', status: 'pending', dependencies: [] },
      { id: '05', file: '05-e.md', title: 'Old', status: 'blocked', dependencies: ['01'] },
    ],
    status: 'failed',
    problems: [],
    staleBlocks: ['05'],
  }
  const plan = { ...login, state }

  it('is shown task by task, with what keeps each back', () => {
    expect(screen(planLines(plan, undefined, plain, { path: plan.path, id: '04' }))).toMatchInlineSnapshot(`
      "
      abcdef fix-login   failed
        ✓ 01 Add the table
        ✗ 02 Add a form for everybody who has no account yet
        ⊘ 03 Style it (waits for 02)
        ● 04 Send a \\x1b[31mletter
        ⊘ 05 Old (nothing blocks it any more)
        1 of 5 done, 1 failed, 2 blocked
      "
    `)
    expect(screen(planLines(plan, undefined, narrow))).toMatchInlineSnapshot(`
      "
      abcdef fix-login   failed
        ✓ 01 Add the table
        ✗ 02 Add a form for everybody who
             has no account yet
        ⊘ 03 Style it (waits for 02)
        ○ 04 Send a \\x1b[31mletter
        ⊘ 05 Old (nothing blocks it any
             more)
        1 of 5 done, 1 failed, 2 blocked
      To try the failed tasks again:
      \`relay do abcdef\`
      "
    `)
    expect(screen(planLines(plan, undefined, ascii).slice(1, 4))).toMatchInlineSnapshot(`
      "
        + 01 Add the table
        x 02 Add a form for everybody who has no account yet
        - 03 Style it (waits for 02)
      "
    `)
  })

  it('is shown twice where it stands otherwise in a worktree', () => {
    const main = project('abcdef', 'fix-login', 'p', { status: 'ready' })
    const worktree = { ...project('abcdef', 'fix-login', 'cp', { status: 'executing' }), path: '/elsewhere' }
    expect(screen(planLines(main, { name: 'Worktree', project: worktree }, plain))).toMatchInlineSnapshot(`
      "
      abcdef fix-login   ready
      Main:
        ○ 01 Task number 1
        0 of 1 done
      Worktree:
        ✓ 01 Task number 1
        ○ 02 Task number 2
        1 of 2 done
      To continue: \`relay do -w abcdef\`
      "
    `)
  })

  it('says what keeps it from being done', () => {
    const problems: RafState['problems'] = [
      { kind: 'same-id', id: '01', files: ['01-a.md', '01-b.md'] },
      { kind: 'unknown-dependency', id: '01', dependency: '99' },
      { kind: 'cycle', ids: ['02'] },
      { kind: 'cycle', ids: ['03', '04'] },
    ]
    const stuck = project('abcdef', 'x', 'p', { status: 'ready', problems })
    expect(screen(planLines(stuck, undefined, plain))).toMatchInlineSnapshot(`
      "
      abcdef x   ready
        ○ 01 Task number 1
        0 of 1 done
      ▲ 01-a.md and 01-b.md have the same id: rename all but one.
      ▲ 01 depends on 99, and there is no such task.
      ▲ 02 depends on itself.
      ▲ 03, 04 depend on each other in a circle, so none of them can begin.
      "
    `)
  })

  it.each([
    ['planning', '', 'To plan its tasks: `relay plan --amend abcdef`'],
    ['ready', 'p', 'To start it: `relay do abcdef`'],
    ['executing', 'cp', 'To continue: `relay do abcdef`'],
    ['failed', 'f', 'To try the failed tasks again: `relay do abcdef`'],
    ['completed', 'c', '  1 of 1 done'],
  ] as const)('that is %s ends with what comes next', (status, letters, last) => {
    expect(planLines(project('abcdef', 'x', letters, { status }), undefined, plain).at(-1)).toBe(last)
  })
})
