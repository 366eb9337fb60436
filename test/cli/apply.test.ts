import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { shellWord } from '../../src/ground/words.ts'
import { type RelayEnd, type RelayOptions, relayCommand, runRelay } from '../support/real-relay.ts'
import { runInTerminal } from '../support/real-terminal.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

const linter = readFileSync(new URL('../fixtures/no-var.sh', import.meta.url), 'utf8')
const other = '0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a12'
const better = respond({ 'app.js': 'export const app = 2\n' })
const worse = respond({ 'app.js': 'var app = 2\n' })

let project: ScratchProject
afterEach(() => project.remove())

/** A project with one file and the small linter. */
function linted(config: Readonly<Record<string, unknown>> = {}): ScratchProject {
  return scratchProject({ 'app.js': 'export const app = 1\n', 'lint.sh': linter }, { linter: 'sh lint.sh', ...config })
}

function apply(args: readonly string[], options: Partial<RelayOptions> = {}): Promise<RelayEnd> {
  return runRelay(['apply', ...args], { cwd: project.root, ...options })
}

describe('relay apply', () => {
  it('takes a response from a pipe, with or without a dash, and from a file', async () => {
    project = linted()
    for (const [number, { args, stdin, source }] of [
      { args: [], stdin: true, source: 'stdin' },
      { args: ['-'], stdin: true, source: 'stdin' },
      { args: ['an answer.md'], stdin: false, source: 'file:an answer.md' },
    ].entries()) {
      const id = `0b8f4f62-7d5e-4f5c-9a0e-00000000000${number}`
      const text = respond({ 'app.js': `export const app = ${number + 10}\n` }, { uuid: id })
      if (!stdin) project.write('an answer.md', text)
      const end = await apply(args, stdin ? { stdin: text } : {})
      expect(end).toMatchObject({ code: 0, stdout: '' })
      expect(project.read('app.js')).toBe(`export const app = ${number + 10}\n`)
      expect(project.entry(`${id}.yml`)).toMatchObject({ number: number + 1, source })
    }
  })

  it('writes in ASCII where the locale has nothing else, and in colour where it is wanted', async () => {
    project = linted()
    const plain = await apply([], { stdin: worse, env: { LANG: 'C', NO_COLOR: '1', FORCE_COLOR: '1' } })
    expect(plain.stderr).toMatch(/^[\n\x20-\x7e]+$/)
    const coloured = await apply([], { stdin: worse, env: { FORCE_COLOR: '1' } })
    expect(coloured.stderr).toContain('\x1b[32m✔\x1b[39m')
    expect((await apply([], { stdin: worse })).stderr).not.toContain('\x1b')
  })

  it('keeps CRLF, a byte order mark, the mode and the bytes of what it does not touch', async () => {
    project = scratchProject({ 'run.js': '\ufeff1\r\n2\r\n', 'raw.bin': Uint8Array.of(0, 255, 13, 10) })
    chmodSync(join(project.root, 'run.js'), 0o755)
    await apply([], { stdin: respond({ 'run.js': '1\n3\n' }) })
    expect(project.read('run.js')).toBe('\ufeff1\r\n3\r\n')
    expect(statSync(join(project.root, 'run.js')).mode & 0o777).toBe(0o755)
    expect(readFileSync(join(project.root, 'raw.bin'))).toEqual(Buffer.of(0, 255, 13, 10))
  })

  it('keeps its own records from other users', async () => {
    project = linted()
    await apply([], { stdin: better })
    expect(statSync(join(project.root, '.relaycode')).mode & 0o777).toBe(0o700)
    expect(statSync(join(project.root, '.relaycode', `${uuid}.yml`)).mode & 0o777).toBe(0o600)
  })
})

describe('what relay apply cannot take', () => {
  it.each([
    ['nofile.md', 2, 'Error: No such file: nofile.md\nHint: Name a file that holds the answer, or `-` for stdin.\n'],
    [
      'a folder',
      2,
      'Error: Cannot read a folder: it is a folder\nHint: Name a file that holds the answer, or `-` for stdin.\n',
    ],
    ['binary.md', 6, '○ not applied  no YAML block with projectId was found in binary.md\n    Nothing was written.'],
    ['outside.md', 6, '✖ refused\n    ../x.js: '],
    ['half.md', 6, '✖ refused\n    block 1, line '],
  ])('%s: exit %i', async (name, code, said) => {
    project = linted()
    mkdirSync(join(project.root, 'a folder'))
    for (const [path, content] of Object.entries({
      'binary.md': Uint8Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256),
      'outside.md': respond({ '../x.js': 'x\n' }),
      'half.md': better.replace('// END\n```\n', ''),
    })) {
      project.write(path, content)
    }
    const before = project.tree()
    const end = await apply([name])
    expect(end).toMatchObject({ code, stdout: '' })
    expect(end.stderr.slice(0, said.length)).toBe(said)
    expect(project.tree()).toEqual(before)
  })

  it('a name that no file can have: exit 2', async () => {
    project = linted()
    const { code, stderr } = await apply(['n'.repeat(300)])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Error: Cannot read n{300}: the name is too long\nHint: Name a file/)
  })

  it('no clipboard: exit 8', async () => {
    project = linted()
    expect(await apply([])).toEqual({
      code: 8,
      signal: null,
      stdout: '',
      stderr:
        'Error: Cannot reach the clipboard: neither DISPLAY nor WAYLAND_DISPLAY names a desktop\nHint: Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.\n',
    })
  })

  it('more than the configuration allows: exit 6', async () => {
    project = linted({ limits: { responseBytes: 100 } })
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(6)
    expect(stderr).toContain('larger than 100 bytes')
  })

  it.each([
    ['{"projectId": "demo"', 'line 1, column 21: close brace expected'],
    ['{"approval": "maybe"}', 'approval: found "maybe", allowed: "yes", "no" or "never"'],
  ])('a configuration that reads %s: exit 2', async (config, said) => {
    project = scratchProject({ 'relaycode.config.json': config, 'app.js': '1\n' }, null)
    const { code, stdout, stderr } = await apply([], { stdin: better })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`Error: Cannot use ${project.root}/relaycode.config.json:\n`)
    expect(stderr).toContain(said)
    expect(project.tree()).toEqual({ 'relaycode.config.json': config, 'app.js': '1\n' })
    expect(existsSync(join(project.root, '.relaycode'))).toBe(false)
  })
})

describe('what needs an answer, and nobody can be asked', () => {
  it('is taken back, and ends with 3', async () => {
    project = linted()
    const before = project.tree()
    const { code, stderr } = await apply([], { stdin: worse })
    expect(code).toBe(3)
    expect(project.tree()).toEqual(before)
    expect(project.journal()).toEqual([])
    expect(stderr).toMatch(
      /rolled back #1[\s\S]*1 new error \(0 allowed\)\n[\s\S]*To apply it: `relay apply --last --yes`\n/,
    )
  })

  it('is not answered by what is piped in', async () => {
    project = linted()
    project.write('worse.md', worse)
    expect((await apply(['worse.md'], { stdin: 'y\ny\n' })).code).toBe(3)
    expect(project.read('app.js')).toBe('export const app = 1\n')
  })

  it('is kept with --yes, also the last one', async () => {
    project = linted()
    expect((await apply([], { stdin: worse })).code).toBe(3)
    expect((await apply(['--last', '--yes'])).code).toBe(0)
    expect(project.read('app.js')).toBe('var app = 2\n')
    expect(project.entry(`${uuid}.yml`)).toMatchObject({
      source: 'stdin',
      checks: { after: { errors: 1, new: 1 } },
      outcome: { by: 'user' },
    })
  })

  it('has no last response in a new project', async () => {
    project = linted()
    const { code, stderr } = await apply(['--last'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'Error: No answer was rolled back here that relay could apply again\nHint: Name a file that holds an answer: `relay apply answer.md`.\n',
    )
    expect((await apply(['--last', 'x.md'])).code).toBe(2)
  })
})

describe('what was taken before', () => {
  it('is said and skipped, and taken with --again', async () => {
    project = linted()
    await apply([], { stdin: better })
    project.write('app.js', 'export const app = 3\n')
    const skipped = await apply([], { stdin: better })
    expect(skipped.code).toBe(0)
    expect(skipped.stderr).toMatch(/^○ skipped {2}already applied as #1 at \d\d:\d\d \(same uuid, same content\)\n/)
    expect(project.read('app.js')).toBe('export const app = 3\n')

    const unasked = await apply(['--again'], { stdin: better })
    expect(unasked.code).toBe(5)
    expect(unasked.stderr).toContain('app.js, line 1: changed by you since #1')
    expect(project.read('app.js')).toBe('export const app = 3\n')

    expect((await apply(['--again', '--on-overlap', 'model'], { stdin: better })).code).toBe(0)
    expect(project.read('app.js')).toBe('export const app = 2\n')
    const [first, second] = project.history()
    expect(first).toMatchObject({ number: 1, uuid, outcome: 'committed' })
    expect(second).toMatchObject({ number: 2, modelUuid: uuid, outcome: 'committed' })
    expect(second?.['uuid']).not.toBe(uuid)
    expect(project.journal()).toHaveLength(2)
  })

  it('asks about a uuid with other content, and gives it one of its own for a yes', async () => {
    project = linted()
    await apply([], { stdin: better })
    const reused = respond({ 'app.js': 'export const app = 9\n' })
    const asked = await apply([], { stdin: reused })
    expect(asked.code).toBe(3)
    expect(asked.stderr).toContain('same uuid as #1 (kept), different content')
    expect((await apply(['--yes'], { stdin: reused })).code).toBe(0)
    expect(project.journal()).toHaveLength(2)
    expect(project.history().at(-1)).toMatchObject({ number: 3, modelUuid: uuid, outcome: 'committed' })
  })
})

describe('the commands around a patch', () => {
  it('are taken back with it when the post command fails: exit 4', async () => {
    project = linted({ postCommand: 'echo "2 tests failed"; exit 9' })
    const before = project.tree()
    const { code, stderr } = await apply([], { stdin: respond({ 'app.js': 'x\n', 'new/deep/b.js': 'y\n' }) })
    expect(code).toBe(4)
    expect(project.tree()).toEqual(before)
    expect(stderr).toMatch(/✖ post {4}echo "2 tests failed"; exit 9 {3}exit 9 .*\n {4}2 tests failed\n/)
    expect(stderr).toMatch(/↩ rolled back #1 {2}post command failed: exit 9 {3}2 files restored/)
  })

  it('stop it before anything is written when the pre command fails: exit 4', async () => {
    project = linted({ preCommand: 'exit 3' })
    const before = project.tree()
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(4)
    expect(project.tree()).toEqual(before)
    expect(stderr).toMatch(/↩ not applied #1 {2}pre command failed: exit 3 {3}nothing was written/)
  })

  it('may format what it wrote, and are named when they change more', async () => {
    project = linted({ postCommand: 'for f in app.j*; do printf "// formatted\\n" >> $f; done; echo more > other.txt' })
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(0)
    expect(project.read('app.js')).toBe('export const app = 2\n// formatted\n')
    expect(stderr).toMatch(/✔ post .* changed 1 more file .*\n {4}other\.txt\n/)
    expect(project.entry(`${uuid}.yml`)).toMatchObject({
      operations: [{ op: 'write', path: 'app.js', content: 'export const app = 2\n' }],
    })
  })

  it('know what they are run for, and run in the root of the project', async () => {
    project = scratchProject({ 'sub/x.js': '1\n' }, { preCommand: 'pwd > where; env | grep ^RELAY_ | sort > env' })
    const { code } = await apply([], { stdin: better, cwd: join(project.root, 'sub') })
    expect(code).toBe(0)
    expect(project.read('where')).toBe(`${project.root}\n`)
    expect(project.read('env')).toContain(uuid)
    expect(project.read('app.js')).toBe('export const app = 2\n')
  })

  it('are told at once what of relay does not work in them', async () => {
    const program = relayCommand.map(shellWord).join(' ')
    const tried = ['status', 'log', 'undo', 'apply answer.md', 'prune --keep 1 --yes', 'recover']
    const postCommand = tried.map(each => `${program} ${each} >>said 2>&1; echo $? >>codes`).join('; ')
    project = scratchProject({ 'answer.md': better }, { postCommand })
    expect((await apply(['answer.md'])).code).toBe(0)
    expect(project.read('codes')).toBe('0\n0\n8\n8\n8\n8\n')
    expect(project.read('said').match(/ started this one, and waits for it to end/g)).toHaveLength(4)
  })
})

describe('links', () => {
  it('are written through inside the project, and refused when they lead outside', async () => {
    const outside = scratchProject({ 'secret.js': 'mine\n' }, null)
    try {
      project = scratchProject({ 'real/a.js': '1\n' })
      symlinkSync('real', join(project.root, 'inside'))
      symlinkSync(outside.root, join(project.root, 'out'))
      expect((await apply([], { stdin: respond({ 'inside/a.js': '2\n' }) })).code).toBe(0)
      expect(project.tree()).toMatchObject({ inside: '-> real', 'real/a.js': '2\n' })
      const refused = await apply([], { stdin: respond({ 'out/secret.js': '2\n' }, { uuid: other }) })
      expect(refused.code).toBe(6)
      expect(outside.read('secret.js')).toBe('mine\n')
    } finally {
      outside.remove()
    }
  })
})

describe('a response that is refused at a terminal', () => {
  const half = respond({ 'app.js': 'export const app = 2\n', '../b.js': 'export const b = 1\n' })

  it.each([
    {
      keys: ['s', 'y'],
      code: 0,
      app: 'export const app = 2\n',
      what: 'leaves its sound files to be taken alone, and asks',
    },
    { keys: ['s', 'n'], code: 3, app: 'export const app = 1\n', what: 'takes these back as well after a no' },
    { keys: ['n'], code: 6, app: 'export const app = 1\n', what: 'stays refused without a wish' },
    { keys: ['\u0003'], code: 130, app: 'export const app = 1\n', what: 'can be left with Ctrl+C' },
  ])('$what', async ({ keys, code, app }) => {
    project = linted()
    project.write('answer.md', half)
    const end = await runInTerminal(['apply', 'answer.md'], { cwd: project.root, keys })
    expect(end.stdout).toContain('What now? (c/s/n/?)')
    expect({ code: end.code, app: project.read('app.js') }).toEqual({ code, app })
  })

  it('is not asked about with --yes', async () => {
    project = linted()
    project.write('answer.md', half)
    const end = await runInTerminal(['apply', '--yes', 'answer.md'], { cwd: project.root })
    expect(end.code).toBe(6)
    expect(end.stdout).not.toContain('What now?')
  })
})
