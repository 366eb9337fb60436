import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { shellWord } from '../../src/ground/shell-word.ts'
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

  it('says what happens on stderr, in plain lines where nobody looks', async () => {
    project = linted()
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(0)
    expect(told(stderr)).toMatchInlineSnapshot(`
      "── #1 ────────────────────────────────────────────────────────────────────────
      ● I changed what you asked for                         1 file  +1 -1  0b8f4f62
        ~ app.js                  +1  -1
      ✔ base    0 errors   TIME
      ✔ write   1 file   TIME
      ✔ lint    0 errors      new 0   fixed 0   same 0   TIME
      ✔ kept #1  auto: no new errors   TIME
      "
    `)
  })

  it('writes in ASCII where the locale has nothing else, and in colour where it is wanted', async () => {
    project = linted()
    const plain = await apply([], { stdin: worse, env: { LANG: 'C', NO_COLOR: '1', FORCE_COLOR: '1' } })
    expect(plain.stderr).toMatch(/^[\n\x20-\x7e]+$/)
    const coloured = await apply([], { stdin: worse, env: { FORCE_COLOR: '1' } })
    expect(coloured.stderr).toContain('\x1b[32m✔\x1b[39m')
    expect((await apply([], { stdin: worse })).stderr).not.toContain('\x1b')
  })

  it('takes several files in order, and stops at the first that does not stay', async () => {
    project = linted()
    project.write('1.md', better)
    project.write('2.md', respond({ 'b.js': 'var b\n' }, { uuid: other }))
    project.write('3.md', respond({ 'c.js': 'export {}\n' }, { uuid: other.replace('2b9a', '3b9a') }))
    const { code, stderr } = await apply(['1.md', '2.md', '3.md'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/kept #1[\s\S]*rolled back #2/)
    expect(stderr).not.toContain('c.js')
    expect(Object.keys(project.tree())).not.toContain('c.js')
    expect(project.journal()).toEqual([`${uuid}.yml`])
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
    ['empty.md', 6, '○ no patch  there is no text in empty.md\n    Nothing was written.'],
    ['prose.md', 6, '○ no patch  no YAML block with projectId was found in prose.md\n    Nothing was written.'],
    ['binary.md', 6, '○ no patch  no YAML block with projectId was found in binary.md\n    Nothing was written.'],
    ['blocks.md', 6, '○ no patch  it looks like one, but has no control block\n    Nothing was written.'],
    ['other.md', 6, '○ ignored  a patch for "billing-api" (this is "demo")\n'],
    ['outside.md', 6, '✖ refused\n    ../x.js: '],
    ['half.md', 6, '✖ refused\n    block 1, line '],
    ['prompt.md', 6, "○ no patch  this is relay's own text for the model, not an answer\n"],
  ])('%s: exit %i', async (name, code, said) => {
    project = linted()
    mkdirSync(join(project.root, 'a folder'))
    for (const [path, content] of Object.entries({
      'empty.md': '',
      'prose.md': 'Just a few words.\n',
      'binary.md': Uint8Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256),
      'blocks.md': better.slice(0, better.lastIndexOf('```yaml')),
      'other.md': respond({ 'app.js': 'x\n' }, { projectId: 'billing-api' }),
      'outside.md': respond({ '../x.js': 'x\n' }),
      'half.md': better.replace('// END\n```\n', ''),
      'prompt.md': (await runRelay(['prompt'], { cwd: project.root })).stdout,
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
        'Error: Cannot reach the clipboard: neither DISPLAY nor WAYLAND_DISPLAY leads to a desktop\nHint: Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.\n',
    })
  })

  it('more than the configuration allows: exit 6', async () => {
    project = linted({ limits: { responseBytes: 100 } })
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(6)
    expect(stderr).toContain('larger than 100 bytes')
  })

  it.each([
    [{ fileBytes: 20 }, 'The file there has', 'limits.fileBytes'],
    [{ pathLength: 3 }, 'The path has', 'limits.pathLength'],
    [{ files: 1 }, 'The patch changes 2 files', 'limits.files'],
  ])('a patch beyond %o: exit 6, and nothing is written or run', async (limits, said, key) => {
    project = linted({ limits, preCommand: 'touch ran' })
    const before = project.tree()
    const { code, stderr } = await apply([], { stdin: respond({ 'app.js': 'x\n', 'b.js': 'y\n' }) })
    expect(code).toBe(6)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said)
    expect(stderr).toContain(key)
    expect(project.tree()).toEqual(before)
  })

  it.each([
    ['{"projectId": "demo"', 'line 1, column 21: the text ends here, but its closing } is missing'],
    ['{"projectId": "demo", "linter": 3}', 'linter: found 3, allowed: a shell command as text, or "" for none'],
    ['{"approval": "maybe"}', 'approval: found "maybe", allowed: "yes" or "no"'],
    ['', 'the file is empty'],
  ])('a configuration that reads %s: exit 2', async (config, said) => {
    project = scratchProject({ 'relaycode.config.json': config, 'app.js': '1\n' }, null)
    const { code, stdout, stderr } = await apply([], { stdin: better })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`Error: Cannot use ${project.root}/relaycode.config.json:\n`)
    expect(stderr).toContain(said)
    expect(project.tree()).toEqual({ 'relaycode.config.json': config, 'app.js': '1\n' })
    expect(existsSync(join(project.root, '.relaycode'))).toBe(false)
  })

  it('says what it does not know in the configuration, and goes on', async () => {
    project = linted({ aproval: 'no' })
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^▲ unknown key "aproval"; did you mean "approval"\?\n/)
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
      /rolled back #1[\s\S]*1 new error \(limit 0\)\n[\s\S]*To apply it: relay apply --last --yes\n/,
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

  it('asks for everything with approval "no"', async () => {
    project = linted({ approval: 'no' })
    const end = await apply([], { stdin: better })
    expect(end.code).toBe(3)
    expect(end.stderr).toContain('approval is "no" in the configuration')
    expect((await apply(['--yes'], { stdin: better })).code).toBe(0)
  })

  it('lets as many new errors pass as the configuration allows', async () => {
    project = linted({ approvalOnErrorCount: 1 })
    const { code, stderr } = await apply([], { stdin: worse })
    expect(code).toBe(0)
    expect(stderr).toContain('kept #1  auto: 1 new error, within the limit')
  })

  it('has no last response in a new project', async () => {
    project = linted()
    const { code, stderr } = await apply(['--last'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'Error: No response was rolled back here that could be taken again\nHint: Name a file that holds one: `relay apply answer.md`.\n',
    )
    expect((await apply(['--last', 'x.md'])).code).toBe(2)
  })

  it('is asked about when the linter cannot run', async () => {
    project = linted({ linter: 'no-such-linter --now' })
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(3)
    expect(stderr).toContain('not counted: exit 127')
    expect(project.read('app.js')).toBe('export const app = 1\n')
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
    expect(unasked.code).toBe(3)
    expect(unasked.stderr).toContain('takes back a line that you changed since #1')
    expect(project.read('app.js')).toBe('export const app = 3\n')

    expect((await apply(['--again', '--yes'], { stdin: better })).code).toBe(0)
    expect(project.read('app.js')).toBe('export const app = 2\n')
    const [first, , second] = project.history()
    expect(first).toMatchObject({ number: 1, uuid, outcome: 'committed' })
    expect(second).toMatchObject({ number: 3, modelUuid: uuid, outcome: 'committed' })
    expect(second?.['uuid']).not.toBe(uuid)
    expect(project.journal()).toHaveLength(2)
  })

  it('is nothing to do when everything is so already', async () => {
    project = linted()
    const same = respond({ 'app.js': 'export const app = 1\n', 'gone.js': null })
    const { code, stderr } = await apply([], { stdin: same })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^○ unchanged {2}2 files, all as the patch wants them already; nothing to do\n/)
    expect(project.journal()).toEqual([])
  })

  it('asks about a uuid with other content, and gives it one of its own for a yes', async () => {
    project = linted()
    await apply([], { stdin: better })
    const reused = respond({ 'app.js': 'export const app = 9\n' })
    const asked = await apply([], { stdin: reused })
    expect(asked.code).toBe(3)
    expect(asked.stderr).toContain('its uuid is that of #1 (kept), but the content differs')
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
    expect(stderr).toMatch(/↩ rolled back #1 {2}post command failed: exit 9 {3}2 files as before/)
  })

  it('stop it before anything is written when the pre command fails: exit 4', async () => {
    project = linted({ preCommand: 'exit 3' })
    const before = project.tree()
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(4)
    expect(project.tree()).toEqual(before)
    expect(stderr).toMatch(/↩ rolled back #1 {2}pre command failed: exit 3 {3}no file had changed/)
  })

  it('may format what it wrote, and are named when they change more', async () => {
    project = linted({ postCommand: 'printf "// formatted\\n" >> app.js; echo more > other.txt' })
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
    expect(project.read('said').match(/has started this one, and waits for it to end/g)).toHaveLength(4)
  })

  it('are ended when they take too long', async () => {
    project = linted({ postCommand: 'sleep 600', commandTimeout: 0.5 })
    const before = project.tree()
    const { code, stderr } = await apply([], { stdin: better })
    expect(code).toBe(4)
    expect(stderr).toContain('no end within 0.5 s')
    expect(project.tree()).toEqual(before)
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

/** What was said, without what differs from run to run. */
function told(stderr: string): string {
  return stderr.replaceAll(/\d\d:\d\d:\d\d/g, 'HH:MM:SS').replaceAll(/^([✔▲✖↩].*\S) +\d+(\.\d+)? m?s$/gm, '$1   TIME')
}

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
