import { expect, it } from 'vitest'
import { codex } from '../../../src/agents/backends/codex.ts'

const now = new Date(2026, 10, 26, 20, 30, 40)

it.each([
  ['9:06 PM', new Date(2026, 10, 26, 21, 6)],
  ['8:30 PM', new Date(2026, 10, 26, 20, 30)],
  ['8:29 PM', new Date(2026, 10, 27, 20, 29)],
  ['12:10 AM', new Date(2026, 10, 27, 0, 10)],
  ['12:10 PM', new Date(2026, 10, 27, 12, 10)],
  ['Nov 28th, 2026 1:33 PM', new Date(2026, 10, 28, 13, 33)],
  ['later', undefined],
])('reads a limit that ends at %s', (told, resetsAt) => {
  const message = `You’ve hit your usage limit. Visit https://chatgpt.com or try again at ${told}.`
  const [event] = codex.read(JSON.stringify({ type: 'error', message }), 'out', now)
  expect(event).toEqual({ kind: 'error', status: 'rate-limited', message, ...(resetsAt && { resetsAt }) })
})
