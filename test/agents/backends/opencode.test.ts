import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opencode } from '../../../src/agents/backends/opencode.ts'
import type { AgentEnd } from '../../../src/model/agent.ts'

const now = new Date('2026-11-26T12:00:00Z')

const recorded = new URL('../../fixtures/agents/opencode/', import.meta.url)

it('tells a tool that is missing, as opencode does where all tools but some are denied', () => {
  const error = "Model tried to call unavailable tool 'invalid'. Available tools: glob, grep, read, todowrite."
  const part = { type: 'tool', tool: 'write', state: { status: 'error', input: { filePath: 'a.txt' }, error } }
  expect(opencode.read(JSON.stringify({ type: 'tool_use', part }), 'out', now)).toEqual([
    { kind: 'tool', name: 'write', path: 'a.txt' },
    { kind: 'denied', what: 'write: a.txt' },
  ])
})

it('tells a rate limit, and that it is tried again until then', () => {
  const why = 'AI_APICallError: Rate limit reached for requests'
  const log = `timestamp=2026-11-26T12:00:00 level=ERROR message="stream error" providerID=x error.error="${why}"`
  expect(opencode.read(log, 'err', now)).toEqual([{ kind: 'retry', why, isRateLimit: true }])
  expect(judged([], null, [log])).toMatchObject({ status: 'rate-limited', why: `it was still trying again: ${why}` })
  const error = { name: 'APIError', data: { message: 'Rate limit reached for requests', statusCode: 429 } }
  expect(judged([JSON.stringify({ type: 'error', sessionID: 's', error })], 1).status).toBe('rate-limited')
})

describe('a run of opencode that ends in the middle', () => {
  it.each([
    // In the first the tool is told before the text of its step, in the second after it.
    ['write.read-only', 'denied'],
    ['edit.workspace-write', 'failed'],
  ])('is no answer after the first step of %s', (name, status) => {
    const lines = readFileSync(new URL(`${name}.stdout.txt`, recorded), 'utf8').split('\n')
    const first = lines.slice(0, lines.findIndex(line => line.startsWith('{"type":"step_finish"')) + 1)
    expect(judged(first).status).toBe(status)
    // Some providers tell a stop where tools were called.
    expect(judged(first.map(line => line.replace('"reason":"tool-calls"', '"reason":"stop"'))).status).toBe(status)
  })

  it('is no answer where a signal ended it, and keeps what was said', () => {
    const lines = readFileSync(new URL('text.read-only.stdout.txt', recorded), 'utf8').split('\n')
    expect(judged(lines, null)).toMatchObject({ status: 'failed', text: 'The project has one README.' })
  })
})

function judged(lines: readonly string[], code: number | null = 0, logs: readonly string[] = []): AgentEnd {
  const events = [
    ...logs.flatMap(line => opencode.read(line, 'err', now)),
    ...lines.flatMap(line => opencode.read(line, 'out', now)),
  ]
  return opencode.end({ events, code, stderr: '' })
}
