import { expect, it } from 'vitest'
import { setupFailure } from '../../../src/agents/work/setup-failure.ts'
import type { CommandResult } from '../../../src/model/check.ts'

it.each<[CommandResult['end'], string, string]>([
  [{ kind: 'exit', code: 4 }, 'no registry\n', 'no registry'],
  [{ kind: 'exit', code: 4 }, '', 'exit 4'],
  [{ kind: 'time-limit' }, '', 'no end within 2 s'],
  [{ kind: 'time-limit' }, 'fetching\n', 'no end within 2 s: fetching'],
])('says how the setup ended: %j after "%s"', (end, output, words) => {
  const message = setupFailure({ end, output, cut: false }, 2, [])
  expect(message).toBe(`\`checkout.setup\` failed in the checkout: ${words}`)
})
