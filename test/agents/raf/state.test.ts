import { describe, expect, it } from 'vitest'
import { type RafFile, runStateOf, stateOf } from '../../../src/agents/raf/state.ts'
import { differingFrom, rafStatusJson } from '../../../src/agents/raf/status-json.ts'
import { type RafProject, statsOf } from '../../../src/model/raf.ts'

const marks = { c: 'COMPLETE', f: 'FAILED', b: 'BLOCKED' } as const

/** `02f<01 03`: task 02, with an outcome that says FAILED, waits for 01 and 03. */
function filesOf(...tasks: readonly string[]) {
  const plans: RafFile[] = []
  const outcomes: RafFile[] = []
  for (const task of tasks) {
    const [, id = '', mark, dependencies] = /^(..)([cfb])?(?:<(.*))?$/.exec(task) ?? []
    const name = `${id}-do-it.md`
    const list = dependencies === undefined ? '' : `\n## Dependencies\n${dependencies.replaceAll(' ', ', ')}\n`
    plans.push({ name, text: `# Task: Do ${id}\n${list}` })
    const marker = marks[mark as keyof typeof marks]
    if (marker !== undefined) outcomes.push({ name, text: `Words.\n\n<promise>${marker}</promise>\n` })
  }
  return { plans, outcomes }
}

function state(...tasks: readonly string[]) {
  const { plans, outcomes } = filesOf(...tasks)
  return stateOf(plans, outcomes)
}

const short = (tasks: readonly { readonly id: string; readonly status: string }[]) => {
  return tasks.map(({ id, status }) => `${id} ${status}`).join(', ')
}

describe('the state of a project', () => {
  it.each<[tasks: readonly string[], status: string, statuses: string]>([
    [[], 'planning', ''],
    [['01', '02'], 'ready', '01 pending, 02 pending'],
    [['01c', '02'], 'executing', '01 completed, 02 pending'],
    [['01c', '02c'], 'completed', '01 completed, 02 completed'],
    [['01c', '02f'], 'failed', '01 completed, 02 failed'],
    [['01f', '02<01'], 'failed', '01 failed, 02 blocked'],
    [['01f', '02<01', '03<02', '04'], 'failed', '01 failed, 02 blocked, 03 blocked, 04 pending'],
    // Also where what is waited for comes later, over several steps.
    [['01<02', '02<03', '03f'], 'failed', '01 blocked, 02 blocked, 03 failed'],
    [['01b', '02<01'], 'executing', '01 blocked, 02 blocked'],
    // Done is done, whatever became of what it depends on.
    [['01f', '02c<01'], 'failed', '01 failed, 02 completed'],
    [['01<02', '02<01'], 'ready', '01 pending, 02 pending'],
    [['01f', '02<03 01', '03<02'], 'failed', '01 failed, 02 blocked, 03 blocked'],
    [['01<99'], 'ready', '01 pending'],
  ])('of %j is %s', (tasks, status, statuses) => {
    const found = state(...tasks)
    expect([found.status, short(found.tasks)]).toEqual([status, statuses])
  })

  it('is that of files, in their order, and of no others', () => {
    const plans = [
      { name: '10-last.md', text: '' },
      { name: '0a-ten_th.md', text: '' },
      { name: 'notes.md', text: '# Task: No' },
      { name: '001-old.md', text: '# Task: No' },
      { name: '02-two.md', text: '# Task: The second\n## Dependencies\n0a' },
    ]
    const outcomes = [
      { name: '02-another-name.md', text: '<promise>COMPLETE</promise>' },
      { name: '0a-x.md', text: 'no marker' },
      { name: '0b-gone.md', text: '<promise>FAILED</promise>' },
      { name: '02-zz.md', text: 'later, without a marker' },
    ]
    expect(stateOf(plans, outcomes)).toEqual({
      tasks: [
        { id: '02', file: '02-two.md', title: 'The second', status: 'completed', dependencies: ['0a'] },
        { id: '0a', file: '0a-ten_th.md', title: 'Ten th', status: 'pending', dependencies: [] },
        { id: '10', file: '10-last.md', title: 'Last', status: 'pending', dependencies: [] },
      ],
      status: 'executing',
      problems: [],
      staleBlocks: [],
    })
  })

  it('names what can never be begun', () => {
    expect(state('01<99 99 98', '02<02').problems).toEqual([
      { kind: 'unknown-dependency', id: '01', dependency: '99' },
      { kind: 'unknown-dependency', id: '01', dependency: '98' },
      { kind: 'cycle', ids: ['02'] },
    ])
    expect(state('01<02', '02<03', '03<02', '04<05', '05<06', '06<04 05').problems).toEqual([
      { kind: 'cycle', ids: ['02', '03'] },
      { kind: 'cycle', ids: ['04', '05', '06'] },
    ])
    const twice = [
      { name: '01-a.md', text: '' },
      { name: '01-b.md', text: '' },
    ]
    expect(stateOf(twice, []).problems).toEqual([{ kind: 'same-id', id: '01', files: ['01-a.md', '01-b.md'] }])
  })

  it.each(['- 01', 'Task 01', '01-one', 'none but 01'])('names a task that would not be waited for: %s', text => {
    const { plans } = filesOf('01', '02')
    const odd = { name: '03-x.md', text: `# Task: X\n\n## Dependencies\n${text}\n` }
    expect(stateOf([...plans, odd], []).problems).toEqual([{ kind: 'unread-dependency', id: '03', dependency: '01' }])
  })

  it.each(['none', 'None.', 'No dependencies, it is on its own', '01, 02'])('takes %s as it is', text => {
    const { plans } = filesOf('01', '02')
    const plain = { name: '03-x.md', text: `# Task: X\n\n## Dependencies\n${text}\n` }
    expect(stateOf([...plans, plain], []).problems).toEqual([])
  })

  it('names the blocks that nothing speaks for any more', () => {
    expect(state('01c', '02b<01', '03b<02', '04b').staleBlocks).toEqual(['02', '03', '04'])
    expect(state('01f', '02b<01', '03b<02', '04b').staleBlocks).toEqual(['04'])
    expect(state('01f', '02<01').staleBlocks).toEqual([])
  })

  it('looks at a thousand tasks, each of which waits for the next, at once', () => {
    const ids = Array.from({ length: 1_295 }, (_, at) => (at + 1).toString(36).padStart(2, '0'))
    const chain = ids.map((id, at) => (at + 1 < ids.length ? `${id}<${ids[at + 1]}` : `${id}f`))
    expect(statsOf(state(...chain))).toEqual({ pending: 0, completed: 0, failed: 1, blocked: 1_294, total: 1_295 })
  })
})

describe('a run through a project', () => {
  type Ends = Readonly<Record<string, 'completed' | 'failed'>>
  const run = (tasks: readonly string[], ended: Ends = {}, force = false) => {
    const { next, stuck } = runStateOf(state(...tasks), new Map(Object.entries(ended)), { force })
    return { next: next?.id, stuck: stuck.map(({ id }) => id) }
  }

  it.each<[tasks: readonly string[], ended: Ends, next: string | undefined, stuck: readonly string[]]>([
    [['01', '02'], {}, '01', []],
    [['01c', '02'], {}, '02', []],
    [['01c', '02c'], {}, undefined, []],
    [[], {}, undefined, []],
    // The order of the files, as far as the dependencies let it.
    [['01<02', '02', '03'], {}, '02', []],
    [['01<02', '02', '03'], { '02': 'completed' }, '01', []],
    // What an earlier run failed at is begun again, and what it blocked waits for that.
    [['01f', '02b<01', '03'], {}, '01', []],
    [['01f', '02b<01', '03'], { '01': 'completed' }, '02', []],
    [['01f', '02b<01', '03'], { '01': 'failed' }, '03', ['02']],
    [['01f', '02b<01', '03'], { '01': 'failed', '03': 'completed' }, undefined, ['02']],
    // A block that nothing speaks for any more keeps nothing back.
    [['01c', '02b<01'], {}, '02', []],
    // What failed in this run is not begun again in it.
    [['01f', '02f'], { '01': 'failed', '02': 'failed' }, undefined, []],
    [['01<02', '02<01', '03'], {}, '03', []],
    [['01<02', '02<01', '03'], { '03': 'completed' }, undefined, ['01', '02']],
    [['01<99'], {}, undefined, ['01']],
  ])('of %j after %j goes on with %s', (tasks, ended, next, stuck) => {
    expect(run(tasks, ended)).toEqual({ next, stuck })
  })

  it('begins completed tasks again when it is forced to, each once', () => {
    const tasks = ['01c', '02c<01']
    expect(run(tasks, {}, true)).toEqual({ next: '01', stuck: [] })
    expect(run(tasks, { '01': 'completed' }, true)).toEqual({ next: '02', stuck: [] })
    expect(run(tasks, { '01': 'failed' }, true)).toEqual({ next: undefined, stuck: ['02'] })
    expect(run(tasks, { '01': 'completed', '02': 'completed' }, true)).toEqual({ next: undefined, stuck: [] })
  })

  it('comes to its end whatever fails', () => {
    const found = state('01', '02<01', '03', '04<03', '05')
    const ended = new Map<string, 'completed' | 'failed'>()
    const begun: string[] = []
    for (let { next } = runStateOf(found, ended); next !== undefined; { next } = runStateOf(found, ended)) {
      begun.push(next.id)
      ended.set(next.id, 'failed')
    }
    expect(begun).toEqual(['01', '03', '05'])
  })
})

function project(id: string, name: string, ...tasks: readonly string[]): RafProject {
  return { id, name, path: `/work/RAF/${id}-${name}`, state: state(...tasks) }
}

describe('the JSON of a status', () => {
  const one = project('abcdef', 'fix-login', '01c', '02f', '03<02')

  it('has the keys of RAF, in its order, and the title of each task', () => {
    expect(
      JSON.stringify(rafStatusJson({ projects: [one, project('abcdeg', 'new')] }), null, 1).replaceAll(/\n */g, ' '),
    ).toBe(
      [
        '{ "projects": [ { "number": "abcdef", "name": "fix-login", "path": "/work/RAF/abcdef-fix-login", "status": "failed",',
        '"state": { "tasks": [ { "id": "01", "planFile": "plans/01-do-it.md", "status": "completed", "dependencies": [], "title": "Do 01" },',
        '{ "id": "02", "planFile": "plans/02-do-it.md", "status": "failed", "dependencies": [], "title": "Do 02" },',
        '{ "id": "03", "planFile": "plans/03-do-it.md", "status": "blocked", "dependencies": [ "02" ], "title": "Do 03" } ], "status": "failed" },',
        '"stats": { "pending": 0, "completed": 1, "failed": 1, "blocked": 1, "total": 3 } },',
        '{ "number": "abcdeg", "name": "new", "path": "/work/RAF/abcdeg-new", "status": "planning",',
        '"state": { "tasks": [], "status": "planning" },',
        '"stats": { "pending": 0, "completed": 0, "failed": 0, "blocked": 0, "total": 0 } } ] }',
      ].join(' '),
    )
  })

  it('has worktrees where some are worth showing', () => {
    expect(rafStatusJson({ projects: [], worktrees: [one] })).toEqual({
      projects: [],
      worktrees: rafStatusJson({ projects: [one] }).projects,
    })
  })

  it('shows worktrees that stand otherwise than the folder, or are not in it', () => {
    const same = { ...one, path: '/elsewhere' }
    const further = project('abcdeg', 'further', '01c')
    const alone = project('abcdeh', 'alone', '01')
    expect(differingFrom([one, project('abcdeg', 'further', '01')], [same, further, alone])).toEqual([further, alone])
  })
})
