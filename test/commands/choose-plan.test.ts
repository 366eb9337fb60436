import { describe, expect, it } from 'vitest'
import { choosePlan } from '../../src/commands/alone/choose-plan.ts'
import { lookAtPlans } from '../../src/commands/open/look-at-plans.ts'
import { failure } from '../support/failure.ts'
import { fakeSystem } from '../support/fake-system.ts'

const files = {
  'RAF/aaaaaa-old/plans/01-one.md': '# Task: One\n',
  'RAF/aaaaaa-old/outcomes/01-one.md': '<promise>COMPLETE</promise>\n',
  'RAF/abcdef-fix-login/plans/01-one.md': '# Task: One\n',
}
const chosen = (answers: readonly string[]) => {
  const { system, terminal } = fakeSystem({ files, answers })
  return { terminal, end: choosePlan('/project', undefined, false, system) }
}

describe('which plan', () => {
  it('is asked, with how far each is', async () => {
    const { terminal, end } = chosen(['', '3', '2'])
    expect(await end).toBe('abcdef-fix-login')
    expect(terminal.stderr).toContain('1  aaaaaa old (1/1 tasks)\n  2  abcdef fix-login (0/1 tasks)\n')
  })

  it('may be answered with the beginning of its folder, or not at all', async () => {
    expect(await chosen(['aaa']).end).toBe('aaaaaa-old')
    expect(await failure(chosen([]).end)).toMatchObject({ kind: 'declined' })
  })

  it('is the only one with Enter', async () => {
    const only = { 'RAF/abcdef-fix-login/plans/01-one.md': '# Task: One\n' }
    const { system, terminal } = fakeSystem({ files: only, answers: [''] })
    expect(await choosePlan('/project', undefined, false, system)).toBe('abcdef-fix-login')
    expect(terminal.questions).toEqual(['Which plan? (Enter takes it) '])
  })

  it('is told where nobody can be asked', async () => {
    const { system } = fakeSystem({ files })
    expect(await failure(choosePlan('/project', undefined, false, system))).toEqual({
      kind: 'usage',
      message: 'Which plan?\n  aaaaaa old (1/1 tasks)\n  abcdef fix-login (0/1 tasks)',
      hint: 'Name it: `relay do aaaaaa-old`',
    })
  })

  it('is none in the form of RAF 5, which is named for what it is', async () => {
    const later = { 'RAF/1-numbers/plans/1-a.md': '# Task: A\n' }
    const message = '1-numbers is a plan in the form of RAF 5; relay carries out those of RAF 2 alone'
    const choose = (typed: string | undefined, { system } = fakeSystem({ files: later })) =>
      failure(choosePlan('/project', typed, false, system))
    expect(await choose(undefined)).toMatchObject({ kind: 'usage', message })
    for (const typed of ['1-numbers', 'RAF/1-numbers/']) expect(await choose(typed)).toMatchObject({ message })
    const { system, terminal } = fakeSystem({ files: { ...files, ...later } })
    const plans = await lookAtPlans('/project', undefined, system)
    expect(plans.projects.map(({ folder }) => folder)).toEqual(['aaaaaa-old', 'abcdef-fix-login'])
    expect(terminal.stderr).toContain('1-numbers is a plan in the form of RAF 5')
    expect(await failure(lookAtPlans('/project', '1-numbers', system))).toMatchObject({ message })
  })
})
