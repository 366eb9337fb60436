import { expect, it } from 'vitest'
import { createTurnView } from '../../../src/commands/talk/turn-view.ts'
import { createWatchEvents } from '../../../src/commands/talk/watch-events.ts'
import type { TurnEnd } from '../../../src/model/agent.ts'
import { type FakeSystemOptions, fakeSystem } from '../../support/fake-system.ts'

const end: TurnEnd = {
  ...{ status: 'ok', text: 'Done.', usage: {}, sessionId: undefined, resetsAt: undefined },
  ...{ why: '', marker: undefined, log: undefined },
}

function view(agents: readonly string[], given: FakeSystemOptions = {}) {
  const world = fakeSystem(given)
  const { system } = world
  const asked = agents.map(name => ({ name, login: {} }))
  return { ...world, shown: createTurnView(asked, createWatchEvents(system, false), system) }
}

it('says every 30 s what an agent does where there is no live line', async () => {
  const { shown, terminal, clock } = view(['claude'])
  shown.tell('claude', { kind: 'tool', name: 'Bash', command: 'npm test' })
  await clock.advance(29_000)
  expect(terminal.stderr).toBe('')
  await clock.advance(1000)
  shown.tell('claude', { kind: 'text', text: 'Now the docs.' })
  await clock.advance(30_000)
  expect(terminal.stderr).toBe('○ 30.0 s  claude uses Bash: npm test\n○ 1 min  claude answers\n')
  shown.close()
  await clock.advance(60_000)
  expect(terminal.stderr.split('\n')).toHaveLength(3)
  expect(clock.sleeping).toBe(0)
})

it('names no agent that has ended, and says nothing once all have', async () => {
  const { shown, terminal, clock } = view(['claude', 'codex'])
  shown.done('codex', end)
  await clock.advance(30_000)
  shown.done('claude', end)
  await clock.advance(60_000)
  expect(terminal.stderr).toBe('○ 30.0 s  claude is starting\n')
  shown.close()
})

it('prints no line of its own where a live line tells the same', async () => {
  const { shown, terminal, clock } = view(['claude'], { terminal: { live: true } })
  await clock.advance(60_000)
  expect(terminal.stderr).toBe('')
  shown.close()
})

it('makes room for each of several agents, on one line', async () => {
  const { shown, terminal, clock } = view(['claude', 'codex'])
  shown.tell('claude', { kind: 'tool', name: 'Bash', command: `cat > a.txt <<X\n${'x'.repeat(100)}` })
  shown.tell('codex', { kind: 'tool', name: 'file_change', path: 'src/a.ts' })
  await clock.advance(30_000)
  expect(terminal.stderr).toBe('○ 30.0 s  claude uses Bash: cat > a.txt… | codex uses file_change: src/a…\n')
  shown.close()
})
