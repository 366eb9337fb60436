import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/relay-here.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

it('commands find programs of the project, and none of them instead of one of the system', async ({
  onTestFinished,
}) => {
  const project = scratchProject(
    { 'node_modules/.bin/ownlint': '#!/bin/sh\nls a.js || :\n', 'node_modules/.bin/ls': '#!/bin/sh\ntouch wrong\n' },
    { linter: 'ownlint', postCommand: 'ownlint' },
  )
  onTestFinished(project.remove)
  for (const name of ['ownlint', 'ls']) chmodSync(join(project.root, 'node_modules/.bin', name), 0o755)
  const { code } = await runHere(['apply'], { cwd: project.root, stdin: respond({ 'a.js': 'a\n' }) })
  expect(code).toBe(0)
  expect(Object.keys(project.tree())).not.toContain('wrong')
})
