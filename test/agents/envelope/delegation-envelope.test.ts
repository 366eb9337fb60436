import { expect, it } from 'vitest'
import { delegationEnvelope } from '../../../src/agents/envelope/delegation-envelope.ts'

const first = { attempt: 1, before: [], isResumed: false }

it('composes what the macro composes', () => {
  const parts = { instructions: 'Add a toggle', extra: 'Be quick', fromFile: '# More' }
  expect(delegationEnvelope(parts, first)).toBe(`Add a toggle

## Additional Instructions
Be quick

## Instructions from File
# More

## Important Guidelines
- Make the requested changes to the codebase
- Run tests to verify that your changes work
- Do NOT perform any git operations (no commit, push, branch, etc.)
- When the changes are complete and the tests pass, simply stop`)
})

it('leaves out what is blank, and tells what did not count before', () => {
  const text = delegationEnvelope(
    { instructions: 'Add a toggle', extra: '  ' },
    { ...first, attempt: 2, before: ['a.ts:1: error'] },
  )
  expect(text.startsWith('Add a toggle\n\n## Important Guidelines\n')).toBe(true)
  expect(text).toContain('# What went wrong before\n\nThis is attempt 2.')
  expect(text).toContain('a.ts:1: error')
})
