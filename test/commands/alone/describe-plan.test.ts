import { describe, expect, it } from 'vitest'
import { describePlan, nameOfPlan, suggestedName, withoutComments } from '../../../src/commands/alone/describe-plan.ts'
import { fakeProject } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'

describe('withoutComments', () => {
  it.each([
    ['<!-- one\n two -->\n\nFix it.\n', 'Fix it.'],
    ['# Login\n\n<!-- one -->\nFix <!-- not --> it.\n', '# Login\n\nFix <!-- not --> it.'],
    ['<!-- one -->\n<!-- two -->', ''],
  ])('of %j is %j', (text, expected) => {
    expect(withoutComments(text)).toBe(expected)
  })
})

describe('suggestedName', () => {
  it.each([
    ['Fix the login form', 'fix-the-login'],
    ['It is a bug in UTF-8!', 'bug-utf'],
    ['?!', ''],
  ])('of %j is %j', (text, expected) => {
    expect(suggestedName(text)).toBe(expected)
  })
})

describe('nameOfPlan', () => {
  const ask = (answers: readonly string[], text = 'Fix the login form') => {
    return nameOfPlan(undefined, { text, takesFirst: false }, fakeSystem({ answers }).system)
  }

  it('takes what is suggested, or what is typed', async () => {
    expect(await ask([''])).toBe('fix-the-login')
    expect(await ask(['My Plan'])).toBe('my-plan')
    expect(await ask(['', '?', 'x'], '…')).toBe('x')
    await expect(ask([])).rejects.toThrow('The plan has no name')
  })

  it('asks nobody with -y', async () => {
    const { system, terminal } = fakeSystem({ answers: ['other'] })
    expect(await nameOfPlan(undefined, { text: 'Fix it all', takesFirst: true }, system)).toBe('fix-all')
    expect(terminal.questions).toEqual([])
  })
})

describe('describePlan', () => {
  it('keeps the draft until the plan is there', async () => {
    let text = 'Fix it.\n'
    const { system, disk } = fakeSystem({
      terminal: { canAsk: true, editor: ([path = '']) => disk.write(path, text) },
    })
    const { text: said, draft = '', forget } = await describePlan(fakeProject(), 'a new plan', system)
    expect([said, Buffer.from((await system.files.read(draft)) ?? []).toString()]).toEqual(['Fix it.', 'Fix it.\n'])
    await forget()
    expect(await system.files.read(draft)).toBeNull()
    text = ' \n'
    await expect(describePlan(fakeProject(), 'a new plan', system)).rejects.toThrow('No project description provided.')
  })

  it('says what to do without an editor, and without a terminal', async () => {
    const without = fakeSystem({ terminal: { canAsk: true } })
    await expect(describePlan(fakeProject(), 'a new plan', without.system)).rejects.toThrow(
      'The editor "vi" did not start',
    )
    const nobody = fakeSystem({})
    await expect(describePlan(fakeProject(), 'a new plan', nobody.system)).rejects.toThrow(
      'No project description provided.',
    )
  })

  it('opens no vi that nobody named before it has said how to leave it', async () => {
    const { system, terminal } = fakeSystem({ answers: ['n'], terminal: { fallbackEditor: 'vi', editor: () => {} } })
    await expect(describePlan(fakeProject(), 'a new plan', system)).rejects.toThrow('No project description provided.')
    expect([terminal.edited, terminal.stderr]).toEqual([[], expect.stringMatching(/To leave it press\s+Escape/)])
  })
})
