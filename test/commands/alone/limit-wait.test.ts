import { expect, it } from 'vitest'
import { waitForLimit } from '../../../src/commands/alone/limit-wait.ts'
import { fakeSystem } from '../../support/fake-system.ts'

it('shows how long it still is until a limit ends, and Esc ends the wait', async () => {
  const { system, terminal, clock } = fakeSystem({ answers: [] })
  const shown: (string | undefined)[] = []
  const live = Object.assign(terminal, { live: true, status: (line?: string) => void shown.push(line) })
  const wait = waitForLimit(new Date(system.clock.now().getTime() + 61_000), { ...system, terminal: live })
  expect(shown.at(-1)).toBe('1 min 1 s left until the limit ends; Esc ends the wait')
  await clock.advance(1000)
  expect(shown.at(-1)).toContain('1 min left')
  terminal.press('x')
  expect(wait.ended.aborted).toBe(false)
  terminal.pressEscape()
  expect(wait.ended.aborted).toBe(true)
  wait.over()
  expect(shown.at(-1)).toBeUndefined()
})
