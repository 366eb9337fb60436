import { expect, it } from 'vitest'
import type { WorkEnd } from '../../../src/model/task.ts'
import { readWorkEvent } from '../../../src/report/agents/work-events.ts'
import { plain } from '../samples.ts'

const nothing: WorkEnd = {
  ...{ tasks: [], of: 2, ms: 4000, turns: 0, usage: {} },
  ...{ stopped: { kind: 'all-done' }, shipped: undefined },
}
const stopped = { kind: 'work-left', why: 'the cost of --max-cost is reached' } as const

it.each<[string, Partial<WorkEnd>, string]>([
  [
    'every turn, also of a task that has not ended',
    { turns: 3, usage: { inputTokens: 2000, outputTokens: 400, cost: 0.0042 }, stopped },
    '0 of 2 tasks done, 4.0 s, 2,400 tokens, $0.0042. Stopped: the cost of --max-cost is reached',
  ],
  [
    'what no agent told',
    { turns: 1, stopped },
    '0 of 2 tasks done, 4.0 s, tokens unknown, cost unknown. Stopped: the cost of --max-cost is reached',
  ],
  ['no use where no agent worked', {}, 'no work was left to do, 4.0 s'],
])('sums up %s', (_, end, words) => {
  const { lines } = readWorkEvent(
    { kind: 'run-ended', end: { ...nothing, ...end } },
    { agent: 'claude', isOnly: false },
    plain,
  )
  expect(lines.join(' ').replaceAll(/\s+/g, ' ').replace(/^\W+/, '')).toBe(words)
})
