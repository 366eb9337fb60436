import { expect, it } from 'vitest'
import { errorOf, titleOfSession } from '../../../src/agents/session/delegation.ts'
import { sessionBook } from '../../../src/agents/session/session-book.ts'
import { pullRequestBody } from '../../../src/agents/session/ship-session.ts'
import type { Session } from '../../../src/model/session.ts'
import type { WorkEnd } from '../../../src/model/task.ts'

const change = { path: 'a.txt', base: null, made: null }
const facts = { cwd: '/', attempt: 1, before: [], isResumed: false }
const turn = (text: string, marker?: 'COMPLETE' | 'FAILED' | 'BLOCKED') => {
  return { status: 'ok', text, usage: {}, sessionId: undefined, why: '', marker, log: undefined } as const
}

function world(commit?: string) {
  const noted: Partial<Session>[] = []
  const book = sessionBook({
    word: '1a2b3c4d',
    key: 'k',
    title: 'T',
    message: 'feat: T',
    envelope: () => 'do it',
    read: async () => ({ commit }) as Session,
    note: async news => void noted.push(news),
  })
  return { book, noted }
}
const task = { id: '', title: 'T' }

it('has one task, until its work is committed', async () => {
  expect(await world().book.next([])).toEqual(task)
  expect(await world('abc').book.next([])).toBeUndefined()
  expect(await world('abc').book.isWanted(task)).toBe(false)
})

it('lands what a turn made, and keeps what was said of it', async () => {
  const { book, noted } = world()
  const done = { kind: 'done', changes: [change], title: 'T', message: 'feat: T' }
  expect(await book.settle(task, turn('Done.\n<promise>COMPLETE</promise>', 'COMPLETE'), [change], facts)).toEqual(done)
  expect(noted).toEqual([{ summary: 'Done.' }])
})

it('does not take what the agent calls undone, nor nothing', async () => {
  const { book } = world()
  expect(await book.settle(task, turn('Reason: no\n<promise>FAILED</promise>', 'FAILED'), [change], facts)).toEqual({
    kind: 'not-done',
    why: 'The agent says that it is not done (FAILED): Reason: no',
  })
  expect(await book.settle(task, turn('Done.'), [], facts)).toMatchObject({ kind: 'not-done', isFinal: true })
})

it.each([
  [{ isTold: true } as const, 'Look at `relay agents`'],
  [{}, 'Correct `checkout.setup`'],
])('names what kept the agent from beginning: %j', (how, first) => {
  const end = { tasks: [], stopped: { kind: 'no-agent', why: 'no', ...how } } as unknown as WorkEnd
  expect(errorOf(end, undefined, { id: 'abcdef12-3' } as Session)?.hint).toContain(`${first}. Then: `)
})

it('says in a pull request what was asked for, and what was run', () => {
  const session = { agent: 'codex', instructions: 'Add it', extra: 'soon', summary: '' }
  expect(pullRequestBody(session, { postCommand: '', linter: 'npm run lint' })).toBe(`## Summary

Add it

## Instructions

Add it

soon

## Checks

- \`npm run lint\`

relay ran them after the agent was done, and took the result.

---

Made by an agent (codex), by way of \`relay delegate\`.
`)
})

it('closes no issue because an agent says so, and one because the user does', () => {
  const summary = 'Closes #1, fixes: o/r#2, resolved https://github.com/o/r/issues/3; see #4.'
  const session = { agent: 'codex', instructions: 'Add it. Closes #5', extra: '', summary }
  const body = pullRequestBody(session, { postCommand: '', linter: '' })
  expect(body).toContain('Closes `#1`, fixes: `o/r#2`, resolved `https://github.com/o/r/issues/3`; see #4.')
  expect(body).toContain('Add it. Closes #5')
})

it('is called by the first line, in at most 72 characters', () => {
  expect(titleOfSession({ instructions: '- When I type out a URL\n\nmore' })).toBe('When I type out a URL')
  expect([...titleOfSession({ instructions: 'word '.repeat(40) })].length).toBeLessThanOrEqual(72)
})
