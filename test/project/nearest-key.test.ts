import { describe, expect, it } from 'vitest'
import { nearestKey } from '../../src/project/nearest-key.ts'

const known = [
  'projectId',
  'clipboardPollInterval',
  'approval',
  'approvalOnErrorCount',
  'linter',
  'commandTimeout',
  'policy',
  'policy.ask',
  'policy.deny',
]

describe('nearestKey', () => {
  it.each([
    ['projectID', 'projectId'],
    ['lniter', 'linter'],
    ['aproval', 'approval'],
    ['pollInterval', 'clipboardPollInterval'],
    ['timeout', 'commandTimeout'],
    ['deny', 'policy.deny'],
  ])('takes %s for %s', (written, meant) => {
    expect(nearestKey(written, known)).toBe(meant)
  })

  it.each(['theme', '', 'x', '__proto__', 'linterlinterlinterlinterlinterlinterlinter'])(
    'has no idea what "%s" may mean',
    written => {
      expect(nearestKey(written, known)).toBeUndefined()
    },
  )
})
