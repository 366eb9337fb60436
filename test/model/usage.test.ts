import { expect, it } from 'vitest'
import type { AgentEvent, AgentUsage } from '../../src/model/agent.ts'
import { usageIn } from '../../src/model/usage.ts'

const used = (inputTokens: number, outputTokens: number, more: AgentUsage = {}, request?: string): AgentEvent => {
  return { kind: 'usage', usage: { inputTokens, outputTokens, ...more }, ...(request === undefined ? {} : { request }) }
}
const request = (id: string, inputTokens: number, outputTokens = 1) => used(inputTokens, outputTokens, {}, id)

it.each<[string, readonly AgentEvent[], AgentUsage]>([
  ['nothing', [{ kind: 'end' }], {}],
  ['steps', [used(100, 50), used(200, 50, { cost: 0.5 })], { inputTokens: 300, outputTokens: 100, cost: 0.5 }],
  ['a request told twice', [request('a', 100), request('a', 100, 7)], { inputTokens: 100, outputTokens: 7 }],
  ['requests side by side', [request('a', 1), request('b', 2), request('a', 1)], { inputTokens: 3, outputTokens: 2 }],
  [
    'a total, which has the requests in it',
    [request('a', 100), request('b', 200), used(300, 90, { cost: 1 })],
    { inputTokens: 300, outputTokens: 90, cost: 1 },
  ],
  [
    'a total that leaves out a request',
    [request('a', 100), used(0, 0, { cost: 0 })],
    { inputTokens: 100, outputTokens: 1, cost: 0 },
  ],
  ['requests after a total', [request('a', 1), used(10, 10), request('b', 5)], { inputTokens: 15, outputTokens: 11 }],
])('sums up %s', (_, events, sum) => {
  expect(usageIn(events)).toEqual(sum)
})
