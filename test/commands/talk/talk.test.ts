import { describe, expect, it } from 'vitest'
import { createTalk } from '../../../src/commands/talk/talk.ts'
import { offerWayOut } from '../../../src/commands/talk/way-out.ts'
import type { Outcome, Question } from '../../../src/model/talk.ts'
import { trustProject } from '../../../src/project/trust.ts'
import { fakeProject } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const edited: Question = { kind: 'edited', number: 42, paths: ['secret-plans.ts'] }

const gate = {
  kind: 'gate',
  number: 1,
  title: 't',
  root: '/p',
  reasons: [],
  changes: [],
  leftOut: [],
  checks: { before: { kind: 'unchecked' }, after: { kind: 'unchecked' }, comparison: undefined },
  reasoning: [],
  canFollowUp: false,
  held: false,
} as const

async function noticesOf(config: Parameters<typeof fakeProject>[0], question: Question = edited, agreed = false) {
  const { system, terminal } = fakeSystem({ answers: ['?', 'y'] })
  const project = fakeProject(config)
  if (agreed) expect(await trustProject(project, [], system)).toBeUndefined()
  const talk = createTalk(system, () => project)
  await talk.ask(question)
  return terminal.notices
}

describe('a question', () => {
  it('is announced once, with no word of the patch, and over when it is answered', async () => {
    expect(await noticesOf({ projectId: 'my\x1bapp' })).toEqual([
      { project: 'my\\x1bapp', number: 42, way: 'auto' },
      'over',
    ])
  })

  it('has the number of the transaction that has begun, or none', async () => {
    const { system, terminal } = fakeSystem({ answers: ['n', 'n'] })
    const talk = createTalk(system, () => fakeProject())
    await talk.ask({ kind: 'sensitive', number: 7, changes: [], flags: [], reasoning: [] })
    await talk.ask({ kind: 'offered', title: 't', changes: [] })
    expect(terminal.notices.flatMap(each => (each === 'over' ? [] : [each.number]))).toEqual([7, undefined])
  })

  it('is announced by the command of the project’s only when the user has agreed to it', async () => {
    const config = { notify: 'curl https://x' }
    expect((await noticesOf(config))[0]).toMatchObject({ way: 'auto' })
    expect((await noticesOf(config, edited, true))[0]).toMatchObject({ way: 'curl https://x' })
  })

  it('names the option that answers it, where the command line does', async () => {
    const { system, terminal } = fakeSystem()
    const talk = createTalk(system, () => fakeProject(), { yes: true, allowSensitive: true })
    expect(await talk.ask({ kind: 'sensitive', number: 42, changes: [], flags: [], reasoning: [] })).toBe('yes')
    expect(terminal.stderr).toMatch(/\n {2}Answered by --allow-sensitive\.\n$/)
    expect(await talk.ask(edited)).toBe('unasked')
    expect(await talk.ask(gate)).toBe('yes')
    expect(terminal.stderr).toMatch(/\n {2}Answered by --yes\.\n$/)
  })

  it('is answered by its own option and by no other; one that was left open by none', async () => {
    const sensitive: Question = { kind: 'sensitive', number: 1, changes: [], flags: [], reasoning: [] }
    const ask = (given: object, question: Question) =>
      createTalk(fakeSystem().system, () => fakeProject(), given).ask(question)
    expect(await ask({ yes: true }, sensitive)).toBe('unasked')
    expect(await ask({ allowSensitive: true }, gate)).toBe('unasked')
    expect(await ask({ yes: true, allowSensitive: true }, { ...gate, held: true })).toBe('unasked')
  })

  it.each(['gate', 'sensitive'] as const)(
    'shows all doubts with the reasoning where the screen has only the first, also one more (%s)',
    async kind => {
      const flags = Array.from({ length: 21 }, (_, n) => {
        return { flag: 'sensitive-path', path: `f${n}.ts`, reason: `doubt ${n}` } as const
      })
      const reasons = flags.map(flag => ({ kind: 'flag', flag }) as const)
      const question: Question =
        kind === 'gate' ? { ...gate, reasons } : { kind, number: 7, changes: [], flags, reasoning: [] }
      const { system, terminal } = fakeSystem({ answers: ['w', 'n'] })
      expect(await createTalk(system, () => fakeProject()).ask({ ...question, reasoning: ['Because.'] })).toBe('no')
      expect(terminal.stderr).toContain('doubt 19\n    and 1 more flag like these; w shows all\n')
      expect(terminal.paged.join('\n')).toMatch(/doubt 0\n[\s\S]*doubt 20\n\n +Because\./)
    },
  )

  it('does not show everything again after an editor in which nothing was changed', async () => {
    const { system, terminal } = fakeSystem({ answers: ['y', 'y', 'y'] })
    const talk = createTalk(system, () => fakeProject())
    const doubtful: Question = { ...gate, reasons: [{ kind: 'approval-no' }] }
    const times = () => terminal.stderr.split('needs you').length - 1
    await talk.ask(doubtful)
    talk.report({ kind: 'edited', paths: [] })
    await talk.ask(doubtful)
    expect([times(), terminal.questions.length]).toEqual([1, 2])
    talk.report({ kind: 'edited', paths: ['a.ts'] })
    await talk.ask(doubtful)
    expect(times()).toBe(2)
  })

  it('is not announced where it is answered already, or nobody can', async () => {
    const { system, terminal } = fakeSystem()
    await createTalk(system, () => fakeProject()).ask(edited)
    expect(terminal.notices).toEqual([])
  })
})

it('announces that a response was not taken and there are ways out, unless something else was copied already', async () => {
  const refused: Outcome = { kind: 'refused', problems: [{ code: 'x', message: 'Bad.' }] }
  for (const [signal, notices] of [
    [new AbortController().signal, 2],
    [AbortSignal.abort(), 0],
  ] as const) {
    const { system, terminal } = fakeSystem({ answers: ['?', 'c', undefined] })
    await offerWayOut(refused, {}, fakeProject(), system, signal)
    expect(terminal.notices).toHaveLength(notices)
  }
})

it('makes the places of new errors links to the project’s files', () => {
  const { system, terminal } = fakeSystem({ terminal: { links: 'files' } })
  const project = fakeProject()
  const error = { file: 'src/a.ts', line: 3, code: 'E1', message: 'bad' }
  createTalk(system, () => project).report({
    kind: 'checked',
    step: 'lint',
    check: { kind: 'counted', errors: 1, list: [error], code: 0, failed: [], output: '' },
    comparison: { new: 1, fixed: 0, same: 0, newErrors: [error] },
    ms: 1,
  })
  expect(terminal.stderr).toContain(`\x1b]8;;file://${project.root}/src/a.ts\x1b\\src/a.ts:3\x1b]8;;\x1b\\  E1  bad`)
})
