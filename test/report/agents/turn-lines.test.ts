import { expect, it } from 'vitest'
import type { TurnEnd } from '../../../src/model/agent.ts'
import { turnLines } from '../../../src/report/agents/turn-lines.ts'
import { plain } from '../samples.ts'

const end: TurnEnd = {
  ...{ status: 'ok', text: 'The tests pass.', usage: {}, sessionId: undefined, resetsAt: undefined },
  ...{ why: '', marker: undefined, log: undefined },
}

it.each<[readonly string[], string | undefined]>([
  [[], undefined],
  [['Bash: npm run build', 'Write: /etc/x'], 'claude was refused: Bash: npm run build, Write: /etc/x'],
  [['1', '2', '3', '4', '5', '6', '7'], 'claude was refused: 1, 2, 3, 4, 5 and 2 more'],
])('says below an answer what the agent was refused: %j', (refused, words) => {
  const [, line] = turnLines({ name: 'claude', login: {} }, end, { ms: 10, refused }, plain)
  expect(line?.replace(/^\W+/, '')).toBe(words)
})
