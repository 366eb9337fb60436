import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/relay-here.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

it('each command of a linter runs, and their errors count together', async ({ onTestFinished }) => {
  const says = (place: string) =>
    `for file in *.js; do test -f $file && echo "${place}: error: no" && exit 1; done; exit 0`
  const project = scratchProject({}, { linter: [says('a.js:1:1'), says('a.js:2:1')] })
  onTestFinished(project.remove)
  const { code, stderr } = await runHere(['apply'], { cwd: project.root, stdin: respond({ 'a.js': 'a\nb\n' }) })
  expect(stderr).toContain('2 new errors')
  expect(stderr).toContain('a.js:2:1')
  expect(code).toBe(3)
})

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
