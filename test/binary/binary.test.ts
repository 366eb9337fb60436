import { existsSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { relayBinary, runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

const answer = respond({ 'app.js': '2\n' })

let project: ScratchProject
afterEach(() => project.remove())

it('is what these tests run', () => {
  project = scratchProject()
  expect(relayBinary).toBeDefined()
})

it('runs nothing that a project names in its bunfig.toml, and takes nothing from its .env', async () => {
  project = scratchProject({
    'bunfig.toml': 'preload = ["./evil.js"]\n[test]\npreload = ["./evil.js"]\n',
    'evil.js': "require('node:fs').writeFileSync('evil-ran', '')\n",
    '.env': 'RELAY_PROMPT_DISABLED=1\nFORCE_COLOR=1\n',
    'package.json': '{"name":"demo","type":"commonjs"}\n',
    'tsconfig.json': '{"compilerOptions":{"paths":{"*":["./evil.js"]}}}\n',
  })
  for (const args of [['--version'], ['--help'], ['parse', '-'], ['apply', '-']]) {
    const { code, stdout, stderr } = await runRelay(args, { cwd: project.root, stdin: answer })
    expect({ args, code }).toEqual({ args, code: 0 })
    expect(stdout + stderr).not.toContain('\u001b[')
  }
  expect(existsSync(`${project.root}/evil-ran`)).toBe(false)
})

it('applies a patch with an empty PATH', async () => {
  project = scratchProject({ 'app.js': '1\n' })
  const { code, stderr } = await runRelay(['apply', '-'], { cwd: project.root, stdin: answer, env: { PATH: '' } })
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('✔ kept #1') })
  expect(project.read('app.js')).toBe('2\n')
})

it('rolls back what it would have to ask about when stdin is /dev/null, and does not wait', async () => {
  project = scratchProject({ 'app.js': '1\n', 'answer.md': answer }, { approval: 'no' })
  const { code } = await runRelay(['apply', 'answer.md'], { cwd: project.root })
  expect(code).toBe(3)
  expect(project.read('app.js')).toBe('1\n')
})

it('prints megabytes into a pipe to the last byte', async () => {
  project = scratchProject()
  const content = 'const line = 1\n'.repeat(200_000)
  const { code, stdout } = await runRelay(['parse', '--json'], {
    cwd: project.root,
    stdin: respond({ 'app.js': content }),
  })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).operations[0].content).toBe(content)
})
