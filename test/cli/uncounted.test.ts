import { expect, it } from 'vitest'
import { runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

it('says what to do about a linter that is not there, and not only how to keep the change unchecked', async ({
  onTestFinished,
}) => {
  const project = scratchProject({}, { linter: 'nosuchlint .' })
  onTestFinished(project.remove)
  const { code, stderr } = await runRelay(['apply'], { cwd: project.root, stdin: respond({ 'a.js': 'a\n' }) })
  expect(code).toBe(3)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'Run the linter yourself in the project’s root, then correct "linter" in relaycode.config.json.',
  )
  expect(stderr).toContain('To apply it: `relay apply --last --yes`')
})
