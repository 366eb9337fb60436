import { describe, expect, it } from 'vitest'
import { commitSubject, isSubjectOf, planSubject, stashName } from '../../../src/agents/raf/commit-subject.ts'
import {
  blockedOutcome,
  fallbackOutcome,
  finishedOutcome,
  statusOfOutcome,
  summaryOf,
  usageOfOutcome,
} from '../../../src/agents/raf/outcome.ts'
import type { RafTask } from '../../../src/model/raf.ts'

const complete = '<promise>COMPLETE</promise>'
const failed = '<promise>FAILED</promise>'
const blocked = '<promise>BLOCKED</promise>'

describe('the status of an outcome', () => {
  it.each([
    ['', undefined],
    ['Done.', undefined],
    [complete, 'completed'],
    [`# A\n\n${failed}\n`, 'failed'],
    [`x ${blocked} y`, 'blocked'],
    [`${failed}\nThen it went well.\n${complete}`, 'completed'],
    [`${complete}\n## Details\n${failed}\n- x`, 'failed'],
    [`${complete}\r\n`, 'completed'],
    ['<promise>complete</promise>', undefined],
    ['<promise> COMPLETE </promise>', undefined],
    ['<promise>DONE</promise>', undefined],
  ])('of %j is %s', (text, status) => {
    expect(statusOfOutcome(text)).toBe(status)
  })
})

describe('the summary of an outcome', () => {
  it.each([
    ['the section', '# Outcome\n\nWords.\n\n## Summary\n\nOne.\n\nTwo.\n\n## Changes\n- x', 'One.\n\nTwo.'],
    ['the section without a marker in it', `## Summary\nOne.\n\n${complete}\n`, 'One.'],
    [
      'the first paragraph',
      `## Status: SUCCESS\n\n# Task 01 - Completed\n\nIt is\nthere.\n\nMore.\n${complete}`,
      'It is\nthere.',
    ],
    ['no section in fenced code', '```\n## Summary\nNo.\n```\n\nx', '```\n## Summary\nNo.\n```'],
    ['nothing', '', ''],
    ['nothing but a marker', complete, ''],
    ['an empty section', `## Summary\n\n## Changes\n- x`, ''],
  ])('is %s', (_, text, summary) => {
    expect(summaryOf(text)).toBe(summary)
  })
})

describe('an outcome that relay writes', () => {
  const usage = { inputTokens: 2000, outputTokens: 400, cost: 0.0042 }
  const details = { attempts: 2, ms: 125_400, usage, agent: 'claude', at: new Date('2026-11-26T10:00:00Z') }
  const written = `## Details

- Attempts: 2
- Elapsed time: 2m 5s
- Tokens: 2000 in, 400 out
- Cost: $0.0042
- Completed at: 2026-11-26T10:00:00.000Z
- Agent: claude

${complete}
`

  it('is the fallback, letter by letter, where the agent wrote none', () => {
    expect(fallbackOutcome('0a')).toBe(
      '## Status: SUCCESS\n\n# Task 0a - Completed\n\nTask completed. No detailed report provided.\n\n<promise>COMPLETE</promise>\n',
    )
  })

  it.each([
    ['the marker was last', `# A\n\nDone.\n\n${complete}\n`, `# A\n\nDone.\n\n${written}`],
    ['there was no marker', '# A\n\nDone.', `# A\n\nDone.\n\n${written}`],
    ['something stood behind the marker', `# A\n${complete}\n## More\nx\n`, `# A\n\n## More\nx\n\n${written}`],
    ['an earlier marker is a part of the words', `${failed} at first\n${complete}`, `${failed} at first\n\n${written}`],
    ['line ends were those of Windows', `\ufeff# A\r\n${complete}\r\n`, `# A\n\n${written}`],
    ['there was nothing else', complete, written],
    ['there was nothing', '', written],
    ['the agent has details of its own', `## Details\n\nMine.\n\n${complete}`, `## Details\n\nMine.\n\n${written}`],
  ])('ends with the details and the marker where %s', (_, text, finished) => {
    expect(finishedOutcome(text, 'COMPLETE', details)).toBe(finished)
    expect(finishedOutcome(finished, 'COMPLETE', details)).toBe(finished)
    expect(statusOfOutcome(finished)).toBe('completed')
    expect(usageOfOutcome(finished)).toEqual(usage)
  })

  it('says nothing of a use that the agent did not tell, or told itself', () => {
    expect(usageOfOutcome(finishedOutcome('- Cost: $9.0000', 'COMPLETE', { ...details, usage: {} }))).toBeUndefined()
  })

  it.each([
    [0, '0s'],
    [59_499, '59s'],
    [60_000, '1m 0s'],
    [3_600_000, '1h 0m'],
    [3_790_000, '1h 3m'],
  ])('tells %i milliseconds as %s', (ms, words) => {
    expect(finishedOutcome('', 'COMPLETE', { ...details, ms })).toContain(`- Elapsed time: ${words}\n`)
  })

  it('says of a blocked task what blocks it', () => {
    const task = (id: string, status: RafTask['status'], dependencies: readonly string[] = []): RafTask => {
      return { id, file: `${id}-x.md`, title: 'X', status, dependencies }
    }
    const last = task('04', 'blocked', ['01', '02', '03'])
    const tasks = [task('01', 'failed'), task('02', 'completed'), task('03', 'blocked', ['01']), last]
    const outcome = blockedOutcome(last, tasks)
    expect(outcome).toMatchInlineSnapshot(`
      "# Outcome: Task 04 Blocked

      ## Summary

      This task was not begun: tasks that it depends on failed or are blocked.

      ## Blocking Dependencies

      **Failed dependencies**: 01

      **Blocked dependencies**: 03

      **Task dependencies**: 01, 02, 03

      ## Resolution

      \`relay do\` runs failed tasks again, and then this one.

      <promise>BLOCKED</promise>
      "
    `)
    expect(statusOfOutcome(outcome)).toBe('blocked')
  })
})

describe('the subject of a commit', () => {
  it.each<[outcome: string, subject: string]>([
    ['## Summary\nAdd validation for user input fields. Then more.', 'Add validation for user input fields'],
    ['## Summary\n- **Add** `a.ts`, e.g. for b\n- x', 'Add a.ts, e.g. for b'],
    [`Fix the\nlogin.\n${complete}`, 'Fix the'],
    [fallbackOutcome('0a'), 'Add the form'],
    ['', 'Add the form'],
    [complete, 'Add the form'],
    ['## Summary\nSure!\nAdd a form', 'Add a form'],
    ['## Summary\nAdd\x1b[31m a \u202eform', 'Add [31m a form'],
    [
      '## Summary\nAdd validation for all the fields of the long form, and for those of the short one too',
      'Add validation for all the fields of the long form, and',
    ],
    [`## Summary\n${'x'.repeat(100)}`, 'x'.repeat(72 - 'RAF[abcdef:0a] '.length)],
    [`## Summary\n${'字'.repeat(100)}`, '字'.repeat(72 - 'RAF[abcdef:0a] '.length)],
  ])('of %j is %s', (outcome, what) => {
    const subject = commitSubject('abcdef', '0a', outcome, 'Add the form')
    expect(subject).toBe(`RAF[abcdef:0a] ${what}`)
    expect(Array.from(subject).length).toBeLessThanOrEqual(72)
    expect(isSubjectOf('abcdef', '0a', subject)).toBe(true)
  })

  it.each(['RAF[abcdef:10] Add', 'RAF[abcdef:0a]', 'RAF[abcdef:0a] ', 'raf[abcdef:0a] Add', 'RAF[abcdef:0a] A\nB'])(
    'is not %j',
    subject => {
      expect(isSubjectOf('abcdef', '0a', subject)).toBe(false)
    },
  )

  it('and the other names in git are as RAF has them', () => {
    expect(planSubject('abcdef', 'Plan', 'fix-login')).toBe('RAF[abcdef] Plan: fix-login')
    expect(planSubject('abcdef', 'Amend', 'fix-login')).toBe('RAF[abcdef] Amend: fix-login')
    expect(stashName('abcdef', '0a')).toBe('raf-abcdef-task-0a-failed')
  })
})
