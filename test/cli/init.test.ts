import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runRelay } from '../support/real-relay.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

/** The text as users know it, word for word. */
const known = readFileSync(new URL('../fixtures/init.txt', import.meta.url), 'utf8')

let project: ScratchProject
afterEach(() => project.remove())

const run = (...args: string[]) => runRelay(args, { cwd: project.root })

describe('relay --init', () => {
  it.each([
    ['my-app', 'my-app'],
    ['café', 'café'],
    ['@acme/app', '"@acme/app"'],
    ['012', '"012"'],
    ['null', '"null"'],
    ['$&', '"$&"'],
  ])('prints exactly the known text for a project named %s', async (name, written) => {
    project = scratchProject({ 'package.json': JSON.stringify({ name }) }, null)
    const { code, stdout, stderr } = await run('--init')
    expect(code).toBe(0)
    expect(stdout).toBe(known.split('your-project-name').join(written))
    expect(stderr).toContain(`projectId ${name} (from package.json)`)
    expect(JSON.parse(project.read('relaycode.config.json'))).toEqual({
      projectId: name,
      clipboardPollInterval: 2000,
      approval: 'yes',
      approvalOnErrorCount: 0,
      linter: '',
      preCommand: '',
      postCommand: '',
    })
    expect(project.read('.gitignore')).toBe('.relaycode/\n')
    expect(statSync(join(project.root, '.relaycode')).mode & 0o777).toBe(0o700)
  })

  it('is the same as relay init, changes nothing in a second run, and says so', async () => {
    project = scratchProject({ 'package.json': '{"name":"my-app"}', '.gitignore': 'dist\n' }, null)
    const first = await run('--init', '--no-copy')
    project.write('relaycode.config.json', '{"projectId": "renamed"}')
    const before = project.tree()
    const second = await run('init', '--no-copy')
    expect(second.code).toBe(0)
    expect(second.stdout).toBe(first.stdout.replace('my-app', 'renamed'))
    expect(second.stderr).toMatch(/kept {5}relaycode\.config\.json {3}as it was; projectId renamed/)
    expect(project.tree()).toEqual(before)
    expect(project.read('.gitignore')).toBe('dist\n.relaycode/\n')
  })

  it('prints the instructions of that text, with a title, any time with relay prompt', async () => {
    project = scratchProject({}, { projectId: '@acme/app' })
    const { code, stdout } = await run('prompt')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Code changes rules 1-6:\n/)
    const asked = stdout.replace('    promptSummary: (a short title in the imperative)\n', '')
    expect(asked).not.toBe(stdout)
    expect(known.replace('your-project-name', '"@acme/app"').split(/^-{75}\n/m)).toContain(`\n${asked}`)
  })

  it.each([
    ['package.json', '{"name": "my-app",}'],
    ['relaycode.config.json', '{"projectId": "my-app"'],
    ['relaycode.config.json', '{"projectId": 7}'],
  ])('makes nothing, and says why, when %s is %s', async (path, text) => {
    project = scratchProject({ [path]: text }, null)
    const { code, stdout, stderr } = await run('--init')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Error: .*\n[\s\S]*Hint: /)
    expect(stderr).toContain(path)
    expect(project.tree()).toEqual({ [path]: text })
    expect(() => project.journal()).toThrow('ENOENT')
  })
})
