import { describe, expect, it } from 'vitest'
import { createLandingTalk } from '../../../src/commands/alone/landing-talk.ts'
import type { Reason } from '../../../src/model/check.ts'
import type { Answer, Outcome, Question } from '../../../src/model/talk.ts'
import { fakeProject, fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const wrong: Reason = { kind: 'new-errors', count: 1, limit: 0 }
const everyChange: Reason = { kind: 'approval-no' }

interface Scene {
  /** No attempt follows a no. */
  readonly isLast?: boolean
  /** Somebody sits there, and would answer yes. */
  readonly present?: boolean
  readonly options?: { readonly yes?: boolean; readonly allowSensitive?: boolean }
}

/** What becomes of a question about an agent's work, and what a person is asked of it. */
async function answerTo(question: Partial<Question>, { isLast = false, present = true, options = {} }: Scene = {}) {
  const { system } = fakeSystem()
  const screen = { ...fakeTalk(['yes']), present }
  const landing = createLandingTalk('claude', fakeProject(), screen, options, system, () => undefined)
  let answer: Answer | undefined
  const attempt = { isLast: () => isLast, isSecondOverlap: false }
  await landing.settle(async () => {
    answer = await landing.talk.ask(question as Question)
    return { kind: 'unchanged', paths: [] } satisfies Outcome
  }, attempt)
  return { answer, asked: screen.questions }
}

const gate = (...reasons: readonly Reason[]): Partial<Question> => ({ kind: 'gate', number: 1, reasons }) as Question
const sensitive = { kind: 'sensitive', number: 1, flags: [], changes: [] } as unknown as Question

describe('the work of an agent that the checks refuse', () => {
  it('goes back without a question while attempts are left, at a terminal as without', async () => {
    for (const present of [true, false]) {
      for (const options of [{}, { yes: true }]) {
        const { answer, asked } = await answerTo(gate(wrong), { present, options })
        expect([answer, asked]).toEqual(['not-accepted', []])
      }
    }
    expect((await answerTo(gate(everyChange, wrong))).answer).toBe('not-accepted')
  })

  it('is asked about once no attempt follows, and the question says what a no does', async () => {
    const { answer, asked } = await answerTo(gate(wrong), { isLast: true })
    expect([answer, asked]).toEqual(['yes', [expect.objectContaining({ afterNo: 'end' })]])
    expect((await answerTo(gate(wrong), { isLast: true, options: { yes: true }, present: false })).asked).toHaveLength(
      1,
    )
  })

  it('is refused where nobody sits there', async () => {
    const { answer, asked } = await answerTo(gate(wrong), { isLast: true, present: false })
    expect([answer, asked]).toEqual(['not-accepted', []])
  })
})

describe('the work of an agent that the checks accept', () => {
  it('is asked about where every change is, and a no leads to another attempt', async () => {
    const { answer, asked } = await answerTo(gate(everyChange))
    expect([answer, asked]).toEqual(['yes', [expect.objectContaining({ afterNo: 'again' })]])
  })
})

describe('sensitive work of an agent', () => {
  it('is asked about, or answered by --allow-sensitive, and else refused', async () => {
    expect((await answerTo(sensitive)).asked).toHaveLength(1)
    expect((await answerTo(sensitive, { present: false, options: { allowSensitive: true } })).asked).toHaveLength(1)
    expect(await answerTo(sensitive, { present: false })).toEqual({ answer: 'not-accepted', asked: [] })
  })

  it('needs no second yes where a later attempt brings the same, and one where it brings something else', async () => {
    const { system } = fakeSystem()
    const screen = fakeTalk(['yes', 'yes'])
    const landing = createLandingTalk('claude', fakeProject(), screen, {}, system, () => undefined)
    const flags = [{ flag: 'sensitive', path: 'ci.yml', reason: 'CI' }]
    const asked = (text: string) => {
      const after = { kind: 'file', bytes: Buffer.from(text), mode: 0o644 }
      return { ...sensitive, flags, changes: [{ path: 'ci.yml', after }] } as unknown as Question
    }
    const answers: Answer[] = []
    for (const text of ['on: push', 'on: push', 'on: pull_request']) answers.push(await landing.talk.ask(asked(text)))
    expect([answers, screen.questions.length]).toEqual([['yes', 'yes', 'yes'], 2])
  })
})
