import { expect, it } from 'vitest'
import { nextAfter } from '../../../src/agents/work/ship-branch.ts'

it('gives the command that merges by hand where both sides changed the same places', () => {
  expect(nextAfter({ reason: 'conflict' }, 'ralph/a', 'main')).toBe('git switch main && git merge ralph/a')
  expect(nextAfter({ reason: 'conflict' }, 'it;s', 'main')).toBe("git switch main && git merge 'it;s'")
})

it.each(['local-edits', 'elsewhere', 'busy', 'refused'] as const)('has the merge tried again after: %s', reason => {
  expect(nextAfter({ reason }, 'work', 'main')).toContain('the same command with `--after merge`')
})
