import { describe, expect, it } from 'vitest'
import type { EndedRun } from '../../../src/agents/backends/backend.ts'
import { judgeEnd } from '../../../src/agents/backends/judge-end.ts'
import type { AgentEvent } from '../../../src/model/agent.ts'

const end: AgentEvent = { kind: 'end' }
const text: AgentEvent = { kind: 'text', text: 'Done.' }

describe('judgeEnd', () => {
  it('believes a program that was ended by force after it had said all', () => {
    expect(judged({ events: [text, end], code: null })).toEqual(['ok', 'Done.', ''])
  })

  it('calls it denied where nothing came after a refusal', () => {
    const denied: AgentEvent = { kind: 'denied', what: 'git commit' }
    const events = [text, { kind: 'tool', name: 'shell' } as const, denied, denied, end]
    expect(judged({ events })).toEqual(['denied', '', 'it ended without an answer after it was refused: git commit'])
  })

  it('takes no answer of white space', () => {
    expect(judged({ events: [{ kind: 'text', text: ' \n' }, end] })).toEqual([
      'no-output',
      ' \n',
      'it ended without an answer',
    ])
  })

  it('believes no end with an error, or with a bad exit code', () => {
    const error: AgentEvent = { kind: 'error', message: 'no.' }
    expect(judged({ events: [text, error, end] })).toEqual(['failed', 'Done.', 'no.'])
    expect(judged({ events: [text, end], code: 3 })).toEqual(['failed', 'Done.', 'it ended with exit code 3'])
  })

  it('takes a limit that a program tells in words alone for one', () => {
    const why = 'API Error: 429 too many requests'
    expect(judged({ events: [], code: 1, stderr: `${why}\n` })).toEqual(['rate-limited', '', why])
    expect(judged({ events: [], code: 1, stderr: 'Disk quota exceeded\n' })[0]).toBe('failed')
  })

  it('says why a program of Node crashed, and not which Node it was', () => {
    const stderr = "/a.js:1\nthrow new Error('boom')\n^\n\nError: boom\n    at a.js:1\n\nNode.js v20.20.2\n"
    expect(judged({ events: [], code: 1, stderr })).toEqual(['failed', '', 'Error: boom'])
  })

  it('says the last sentence of stderr, without colours and what is indented', () => {
    const stderr = 'Noise.\n\x1b[31mIt broke.\x1b[0m\n    at a.js:1\n}\n'
    expect(judged({ events: [], code: 1, stderr })).toEqual(['failed', '', 'It broke.'])
  })

  it('adds up what was used', () => {
    const usage = (inputTokens: number, cost: number): AgentEvent => ({ kind: 'usage', usage: { inputTokens, cost } })
    const run = { events: [usage(1, 0.5), usage(2, 0.25), text, end], code: 0, stderr: '' }
    expect(judgeEnd(run).usage).toEqual({ inputTokens: 3, cost: 0.75 })
  })
})

function judged(run: Partial<EndedRun> & Pick<EndedRun, 'events'>): readonly string[] {
  const { status, text, why } = judgeEnd({ code: 0, stderr: '', ...run })
  return [status, text, why]
}
