import { describe, expect, it } from 'vitest'
import {
  isHopeless,
  type KnownFailure,
  knownFailureOf,
  knownFailures,
  reasonIn,
} from '../../../src/agents/raf/failure.ts'
import { failureReport } from '../../../src/agents/raf/failure-report.ts'
import { statusOfOutcome } from '../../../src/agents/raf/outcome.ts'
import type { AgentStatus } from '../../../src/model/agent.ts'

describe('a failure', () => {
  it.each<[status: AgentStatus, why: string, known: KnownFailure | undefined]>([
    ['overflow', '', 'context_overflow'],
    ['rate-limited', '', 'rate_limit'],
    ['timeout', '', 'timeout'],
    ['stalled', '', 'stalled'],
    ['denied', '', 'denied'],
    ['no-output', '', 'no_output'],
    ['failed', 'Prompt is too long · 210000 tokens', 'context_overflow'],
    ['failed', 'context length exceeded', 'context_overflow'],
    ['failed', 'over the maximum context of the model', 'context_overflow'],
    ['failed', 'max_output_tokens was reached', 'context_overflow'],
    ['failed', 'HTTP 429', 'rate_limit'],
    ['failed', 'Rate limit reached', 'rate_limit'],
    ['failed', 'API Error: 500 Internal server error', 'api_error'],
    ['failed', 'Overloaded', 'api_error'],
    ['failed', 'connect ECONNREFUSED 127.0.0.1:443', 'api_error'],
    ['failed', 'status: 503', 'api_error'],
    ['failed', 'exit code 1', undefined],
    ['failed', 'line 512 of a.ts', undefined],
    // The assistant's own words, or those of the checks, are no error of the program.
    ['ok', 'The context window component is fixed', undefined],
    ['ok', '2 new errors: rate limit is not defined', undefined],
    ['auth', '', undefined],
  ])('by %s with %j is %s', (status, why, known) => {
    expect(knownFailureOf(status, why)).toBe(known)
  })

  it('is told in whole sentences', () => {
    for (const texts of Object.values(knownFailures)) {
      for (const text of Object.values(texts)) expect(text).toMatch(/^[A-Z].*(?:[.)]|`)$/s)
    }
  })

  it.each([
    ['Reason: no such table\nmore', 'no such table'],
    ['x\nreason:   It is gone', 'It is gone'],
    ['<promise>FAILED</promise>\nThe tests need a database.\n', 'The tests need a database.'],
    ['<promise>FAILED</promise> a\n<promise>BLOCKED</promise> b', 'b'],
    [`<promise>FAILED</promise>${'😀'.repeat(600)}`, '😀'.repeat(500)],
    ['<promise>COMPLETE</promise> done', ''],
    ['No words.', ''],
  ])('has its reason in %j', (text, reason) => {
    expect(reasonIn(text)).toBe(reason)
  })

  it.each([
    ['This cannot be done', true],
    ['Impossible without a key', true],
    ['npm: Permission denied', true],
    ['Access denied', true],
    ['not supported by node 20', true],
    ['a test failed', false],
  ])('with %j is hopeless: %j', (reason, is) => {
    expect(isHopeless(reason)).toBe(is)
  })
})

describe('the report of a failure', () => {
  const details = { attempts: 3, ms: 61_000, usage: {}, agent: 'codex', at: new Date('2026-11-26T10:00:00Z') }

  it('says why, what to do and what was printed, and ends with its marker', () => {
    const report = failureReport({
      taskId: '0a',
      why: '2 new errors',
      analysis: { reason: 'The types do not match.', analysis: 'b() takes a number.', fix: 'Give it one.' },
      output: '\x1b[31merror\x1b[0m in ```ts\r\n<promise>COMPLETE</promise>\n',
      details: { ...details, kept: 'relay apply --kept 3' },
    })
    expect(report).toMatchInlineSnapshot(`
      "## Status: FAILED

      # Task 0a - Failed

      ## Failure Reason

      The types do not match.

      2 new errors

      ## Analysis

      b() takes a number.

      ## Suggested Fix

      Give it one.

      ## Relevant Output

      \`\`\`\`
      error in \`\`\`ts
      <promise>COMPLETE</promise>
      \`\`\`\`

      ## Details

      - Attempts: 3
      - Elapsed time: 1m 1s
      - Failed at: 2026-11-26T10:00:00.000Z
      - Agent: codex
      - Kept: relay apply --kept 3

      <promise>FAILED</promise>
      "
    `)
    expect(statusOfOutcome(report)).toBe('failed')
  })

  it('does without an analysis and without output', () => {
    const report = failureReport({ taskId: '01', why: '', analysis: undefined, output: ' \n', details })
    expect(report).toContain('## Failure Reason\n\nUnknown.\n\n## Analysis\n\nNo analysis was made.\n')
    expect(report).toContain('## Relevant Output\n\nNone.\n')
  })

  it('has the end of a long output, in whole lines and characters', () => {
    const output = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n')
    const parts = { taskId: '01', why: 'x', analysis: undefined, details }
    expect(failureReport({ ...parts, output })).toMatch(/```\nline 150\n(?:.*\n){48}line 199\n```/)
    const long = failureReport({ ...parts, output: '€'.repeat(10_000) })
    expect(/```\n(.*)\n```/.exec(long)?.[1]).toBe('€'.repeat(2_666))
  })
})
