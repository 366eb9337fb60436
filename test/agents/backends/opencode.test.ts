import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opencode } from '../../../src/agents/backends/opencode.ts'
import type { AgentEnd } from '../../../src/model/agent.ts'

const recorded = new URL('../../fixtures/agents/opencode/', import.meta.url)

it('tells a tool that is missing, as opencode does where all tools but some are denied', () => {
  const error = "Model tried to call unavailable tool 'invalid'. Available tools: glob, grep, read, todowrite."
  const part = { type: 'tool', tool: 'write', state: { status: 'error', input: { filePath: 'a.txt' }, error } }
  expect(opencode.read(JSON.stringify({ type: 'tool_use', part }), 'out')).toEqual([
    { kind: 'tool', name: 'write' },
    { kind: 'denied', what: 'write: a.txt' },
  ])
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

function judged(lines: readonly string[], code: number | null = 0): AgentEnd {
  const events = lines.flatMap(line => opencode.read(line, 'out'))
  return opencode.end({ events, code, stderr: '' })
}
