import { describe, expect, it } from 'vitest'
import { type RafPlace, rafBook } from '../../../src/agents/raf/raf-book.ts'
import { readProject } from '../../../src/agents/raf/read-project.ts'
import type { AgentChange } from '../../../src/model/agent-changes.ts'
import type { AttemptFacts, TaskEnd, Turned } from '../../../src/model/task.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const folder = 'abcdef-demo'
const raf = `RAF/${folder}`
const complete = '<promise>COMPLETE</promise>'
const checkout = '/project/checkout'
const facts: AttemptFacts = { cwd: checkout, attempt: 1, before: [], isResumed: false, ms: 65_000 }
const turn: Turned = {
  status: 'ok',
  text: `Done. ${complete}`,
  marker: 'COMPLETE',
  usage: {},
  sessionId: undefined,
  why: '',
  log: undefined,
}
const file = (text: string, mode = 0o644) => ({ kind: 'file', bytes: new TextEncoder().encode(text), mode }) as const
const code: AgentChange = { path: 'a.js', base: null, made: file('1\n') }
const plan = (needs = '') => `# Task: Do it\n\n## Dependencies\n${needs}\n`

/** A project with these files of its plan, and the book of it. */
async function world(files: Readonly<Record<string, string>>, more: Partial<RafPlace> = {}) {
  const below = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${raf}/${path}`, text]))
  const { system, disk } = fakeSystem({ files: below, autoAdvance: true })
  disk.folder(checkout)
  const read = () => readProject('/project/RAF', folder, system.files)
  const place: RafPlace = {
    folder,
    read,
    home: async () => '/project',
    branch: undefined,
    agent: 'claude',
    force: false,
    ...more,
  }
  const book = await rafBook(place, { ...system, print: ({ task, lastOutcome = '' }) => `${task.id} ${lastOutcome}` })
  const text = (path: string) => disk.text()[path.replace(/^\/project\//, '')]
  return { book, disk, system, outcome: (name: string) => text(`${raf}/outcomes/${name}.md`), text }
}

function ended(id: string, result: TaskEnd['result']): TaskEnd {
  return { task: { id, title: 'Do it' }, attempts: 2, ms: 5000, usage: {}, result }
}
const failedEnd = (id: string, why = 'no such API'): TaskEnd => {
  return ended(id, { kind: 'failed', why, kept: 3, last: { ...turn, marker: 'FAILED', text: 'It broke.' } })
}
const task = { id: '01', title: 'Do it' }

describe('the book of a plan', () => {
  it('gives its tasks in their order, each once in a run', async () => {
    const { book } = await world({ 'plans/01-a.md': plan('02'), 'plans/02-b.md': plan(), 'plans/0a-c.md': plan('01') })
    expect([book.name, book.tasks]).toEqual(['Demo', 3])
    const done = (...ids: readonly string[]) => ids.map(id => ended(id, { kind: 'done' }))
    expect((await book.next([]))?.id).toBe('02')
    expect((await book.next(done('02')))?.id).toBe('01')
    expect((await book.next(done('02', '01')))?.id).toBe('0a')
    expect(await book.next(done('02', '01', '0a'))).toBeUndefined()
  })

  it('reports no failure over an outcome that the user saves at this moment', async () => {
    const { system, disk, outcome } = await world({ 'plans/01-a.md': plan(), 'outcomes/01-a.md': 'before\n' })
    let saves = 0
    const read = async () => {
      const project = await readProject('/project/RAF', folder, system.files)
      disk.write(`${raf}/outcomes/01-a.md`, `mine ${++saves}\n`)
      return project
    }
    const place = { folder, read, home: async () => '/project', branch: undefined, agent: 'claude', force: false }
    const book = await rafBook(place, { ...system, print: () => '' })
    await book.write(failedEnd('01'))
    expect(outcome('01-a')).toBe(`mine ${saves}\n`)
  })

  it('reports what a failed task blocks, and drops such a report when nothing blocks it any more', async () => {
    const { book, outcome } = await world({
      'plans/01-a.md': plan(),
      'plans/02-b.md': plan('01'),
      'plans/03-c.md': plan('02'),
    })
    await book.write(failedEnd('01'))
    expect(await book.next([failedEnd('01')])).toBeUndefined()
    expect(outcome('03-c')).toMatch(/^# Outcome: Task 03 Blocked\n[\s\S]*\n<promise>BLOCKED<\/promise>\n$/)
    const again = await world({
      'plans/01-a.md': plan(),
      'plans/02-b.md': plan('01'),
      'outcomes/01-a.md': complete,
      'outcomes/02-b.md': outcome('02-b') ?? '',
    })
    expect((await again.book.next([]))?.id).toBe('02')
    expect(again.outcome('02-b')).toBeUndefined()
  })

  it('reports why a task failed, with the marker as the last line', async () => {
    const { book, outcome } = await world({ 'plans/01-a.md': plan() })
    await book.write(failedEnd('01'))
    expect(outcome('01-a')).toBe(`## Status: FAILED

# Task 01 - Failed

## Failure Reason

What the agent made was not taken.

no such API

## Analysis

It said that it was done, but the checks, relay or whoever was asked said no.

## Suggested Fix

Change the task or the project, then run \`relay do\` again. \`relay apply --kept 3\` lands what was made.

## Relevant Output

\`\`\`
It broke.
\`\`\`

## Details

- Attempts: 2
- Elapsed time: 5s
- Failed at: 2026-11-20T14:02:11.000Z
- Agent: claude
- Kept: relay apply --kept 3

<promise>FAILED</promise>
`)
  })

  it('has in the checkout what counts, whatever an agent made of it', async () => {
    const { book, text, disk } = await world({ 'plans/01-a.md': plan(), 'input.md': 'Make it.\n' })
    disk.write(`${checkout}/${raf}/input.md`, 'odd')
    disk.symlink('/etc', `${checkout}/${raf}/plans`)
    disk.write(`${checkout}/${raf}/outcomes/01-a.md`, 'Reason: x <promise>FAILED</promise>')
    await book.envelope(task, { ...facts, attempt: 2 })
    expect(text(`${checkout}/${raf}/input.md`)).toBe('Make it.\n')
    expect(text(`${checkout}/${raf}/plans/01-a.md`)).toBe(plan())
    expect(text(`${checkout}/${raf}/outcomes/01-a.md`)).toBeUndefined()
  })

  it('leaves for the next attempt an outcome that says that all is done', async () => {
    const { book, text, disk } = await world({ 'plans/01-a.md': plan() })
    disk.write(`${checkout}/${raf}/outcomes/01-a.md`, complete)
    await book.envelope(task, { ...facts, attempt: 2 })
    expect(text(`${checkout}/${raf}/outcomes/01-a.md`)).toBe(complete)
    await book.envelope(task, facts)
    expect(text(`${checkout}/${raf}/outcomes/01-a.md`)).toBeUndefined()
  })

  it('brings home the code and the outcome, and nothing else of any plan', async () => {
    const { book, disk } = await world({ 'plans/01-a.md': plan(), 'plans/02-b.md': plan() })
    disk.write(`${checkout}/${raf}/outcomes/01-a.md`, `## Summary\nMake it.\n\n${complete}\n`)
    const odd = [`${raf}/plans/02-b.md`, `${raf}/outcomes/02-b.md`, 'RAF/bbbbbb-other/outcomes/01-a.md']
    const changes = [code, ...odd.map(path => ({ path, base: null, made: file('odd') }))]
    const settled = await book.settle(task, turn, changes, facts)
    const made = `## Summary
Make it.

## Details

- Attempts: 1
- Elapsed time: 1m 5s
- Completed at: 2026-11-20T14:02:11.000Z
- Agent: claude

${complete}
`
    expect(settled).toEqual({
      kind: 'done',
      changes: [code, { path: `${raf}/outcomes/01-a.md`, base: null, made: file(made) }],
      title: 'RAF[abcdef:01] Make it',
      message: 'RAF[abcdef:01] Make it',
      own: [`${raf}/outcomes/01-a.md`],
      dropped: odd,
    })
  })

  it('starts the outcome from what stands in the folder, where git ignores it', async () => {
    const { book } = await world({ 'plans/01-a.md': plan(), 'outcomes/01-a.md': 'old' })
    const settled = await book.settle(task, turn, [code], facts)
    expect(settled).toMatchObject({ changes: [code, { base: file('old'), made: { kind: 'file', mode: 0o644 } }] })
  })

  it('takes no outcome of an earlier run for the word of the agent', async () => {
    const old = 'Reason: x\n<promise>FAILED</promise>\n'
    const { book } = await world({ 'plans/01-a.md': plan(), 'outcomes/01-a.md': old })
    expect(await book.envelope(task, facts)).toBe(`01 ${old}`)
    expect((await book.settle(task, turn, [code], facts)).kind).toBe('done')
    expect(await book.settle(task, { ...turn, marker: undefined }, [code], facts)).toMatchObject({ kind: 'not-done' })
  })

  it("asks the agent's outcome whether a turn that was cut had done its task", async () => {
    const { book, disk } = await world({ 'plans/01-a.md': plan(), 'outcomes/01-a.md': `before ${complete}` })
    expect(await book.saysDone?.(task, facts)).toBe(false)
    disk.write(`${checkout}/${raf}/outcomes/01-a.md`, `before ${complete}`)
    expect(await book.saysDone?.(task, facts)).toBe(false)
    disk.write(`${checkout}/${raf}/outcomes/01-a.md`, `Half of it. ${complete} and more`)
    expect(await book.saysDone?.(task, facts)).toBe(false)
    disk.write(`${checkout}/${raf}/outcomes/01-a.md`, `All of it.\n${complete}\n`)
    expect(await book.saysDone?.(task, facts)).toBe(true)
  })

  it.each<[string, Partial<Turned>, object]>([
    [
      'gives up',
      { marker: 'FAILED', text: 'Reason: tests fail\n<promise>FAILED</promise>' },
      { kind: 'not-done', why: 'The agent says that the task failed: tests fail' },
    ],
    [
      'says that it cannot be done',
      { marker: 'BLOCKED', text: 'Reason: Permission denied for db\n<promise>BLOCKED</promise>' },
      { kind: 'not-done', why: 'The agent says that the task is blocked: Permission denied for db', isFinal: true },
    ],
    [
      'did nothing',
      {},
      {
        kind: 'not-done',
        why: `The agent says that the task is done, but it changed nothing and wrote no ${raf}/outcomes/01-a.md.`,
      },
    ],
  ])('does not count a turn that %s', async (_, end, settled) => {
    const { book } = await world({ 'plans/01-a.md': plan() })
    const changes = end.marker === undefined ? [] : [code]
    expect(await book.settle(task, { ...turn, ...end }, changes, facts)).toEqual(settled)
  })

  it('wants a task that was begun as long as it is in the plan and not done', async () => {
    const { book, disk } = await world({ 'plans/01-a.md': plan() })
    expect([await book.isWanted(task), await book.isWanted({ id: '09', title: '' })]).toEqual([true, false])
    disk.write(`${raf}/outcomes/01-a.md`, complete)
    expect(await book.isWanted(task)).toBe(false)
  })

  it('keeps its reports in a work tree that each attempt brings to its branch', async () => {
    const { book, text, disk, system } = await world(
      { 'plans/01-a.md': plan(), 'plans/02-b.md': plan() },
      { home: async () => checkout, branch: { cwd: checkout, isIgnored: false } },
    )
    await book.write(failedEnd('01'))
    const report = `${checkout}/${raf}/outcomes/01-a.md`
    expect(text(report)).toContain('## Status: FAILED')
    await system.files.remove(report)
    disk.write(`${checkout}/a.js`, '1\n')
    await book.envelope({ id: '02', title: 'Do it' }, facts)
    expect(text(report)).toContain('## Status: FAILED')
    const left = { path: `${raf}/outcomes/01-a.md`, base: null, made: file('report') }
    const settled = await book.settle({ id: '02', title: 'Do it' }, turn, [code, left], facts)
    const paths = settled.kind === 'done' ? settled.changes.map(({ path }) => path) : []
    expect(paths).toEqual(['a.js', `${raf}/plans/01-a.md`, `${raf}/plans/02-b.md`, `${raf}/outcomes/02-b.md`])
  })
})
