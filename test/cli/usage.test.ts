import { accessSync, constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { wholeProgram } from '../../src/cli/program.ts'
import { longPage, shortPage, summaries } from '../../src/commands/help/first-page.ts'
import { relayBin, relayBinary, relayCommand, runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

const empty = mkdtempSync(join(tmpdir(), 'relay-usage-'))
afterAll(() => rmSync(empty, { recursive: true, force: true }))

const run = (...args: string[]) => runRelay(args, { cwd: empty })

const tooWide = (page: string) => page.split('\n').filter(line => line.length > 80)

describe('the command line', () => {
  it('can still be started by its name when it was built anew after npm link', () => {
    accessSync(relayBin, constants.X_OK)
  })

  it.runIf(process.platform === 'linux')('says that its output did not arrive, and fails', async () => {
    const command = ['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...relayCommand] as const
    const { code, stderr } = await runRelay(['--help'], { cwd: empty, command })
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: 'Error: Cannot write stdout: the disk is full; not all of it has arrived\n',
    })
  })

  it('says nothing to who stops reading', async () => {
    const command = ['sh', '-c', '{ "$@"; echo $? >&2; } | true', 'sh', ...relayCommand] as const
    expect(await runRelay(['--help'], { cwd: empty, command })).toMatchObject({ code: 0, stderr: '0\n' })
  })

  // A newer version takes the place of the one that runs, or no file can be opened any more.
  it('says why it failed also when its own files are gone by then', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'relay-version-'))
    cpSync(dirname(relayBin), copy, { recursive: true })
    const project = scratchProject({ 'a.ts': 'a\n' }, { preCommand: `rm -r ${copy} .relaycode` })
    const command = [process.execPath, join(copy, 'relay.cjs')] as const
    const { code, stderr } = await runRelay(['apply'], {
      cwd: project.root,
      command,
      stdin: respond({ 'a.ts': 'A\n' }),
    })
    expect({ code, said: stderr.split('\n').find(line => line.startsWith('Error')) }).toEqual({
      code: 2,
      said: 'Error: What relay keeps in .relaycode/ was removed while the pre command ran: relay needs it to roll back',
    })
    expect(project.tree()).toMatchObject({ 'a.ts': 'a\n' })
    project.remove()
  })

  it('prints the help on stdout: all of it, or a summary', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, stdout: longPage(), stderr: '' })
    expect(await run('-h')).toMatchObject({ code: 0, stdout: shortPage(), stderr: '' })
    expect(await run('--no-input', '--help')).toMatchObject({ code: 0, stdout: longPage(), stderr: '' })
    expect(tooWide(longPage() + shortPage())).toEqual([])
    await expect(`$ relay -h\n${shortPage()}\n$ relay --help\n${longPage()}`).toMatchFileSnapshot('help-first.txt')
  })

  it.runIf(relayBinary === undefined).each(['-h', '--help', 'help', '--version'])(
    'answers at once, with nothing of its other files loaded: %s',
    async word => {
      const alone = mkdtempSync(join(tmpdir(), 'relay-alone-'))
      cpSync(relayBin, join(alone, 'relay.cjs'))
      const command = [process.execPath, join(alone, 'relay.cjs')] as const
      expect(await runRelay([word], { cwd: empty, command })).toEqual(await run(word))
      rmSync(alone, { recursive: true })
    },
  )

  it('lists each command with what it takes', () => {
    const program = wholeProgram(packageJson.version)
    const commands = program.commands
      .map(command => command.name())
      .filter(name => !/^(complete|exit-codes)$/.test(name))
    expect([...summaries.keys()]).toEqual([...commands, 'help'])
    for (const name of commands) {
      const takes = program.commands
        .find(command => command.name() === name)
        ?.usage()
        .replace('[options]', '')
        .trim()
      expect(shortPage()).toContain(`\n  ${[name, takes].join(' ').trim()}  `)
    }
  })

  it('explains each command, in short and in full, at most 80 columns wide', async () => {
    const pages: string[] = []
    for (const command of summaries.keys()) {
      if (command === 'help') continue
      const [short, long] = [await run(command, '-h'), await run(command, '--help')]
      expect(await run('help', command)).toEqual(long)
      for (const [typed, page] of [
        [`${command} -h`, short],
        [`help ${command}`, long],
      ] as const) {
        expect(page).toMatchObject({ code: 0, stderr: '' })
        expect(tooWide(page.stdout)).toEqual([])
        pages.push(`$ relay ${typed}\n${page.stdout}`)
      }
    }
    await expect(pages.join('\n')).toMatchFileSnapshot('help.txt')
  })

  it('names in the help what each option and argument may be', () => {
    const unnamed = wholeProgram(packageJson.version).commands.flatMap(command =>
      [...command.options, ...command.registeredArguments].flatMap(({ argChoices = [], description }) =>
        argChoices.filter(choice => !description.includes(choice)).map(choice => `${command.name()}: ${choice}`),
      ),
    )
    expect(unnamed).toEqual([])
  })

  it('explains the exit codes', async () => {
    const help = await run('help', 'exit-codes')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Exit codes\n/)
    expect(tooWide(help.stdout)).toEqual([])
    expect(await run('exit-codes')).toEqual(help)
    expect(await run('help', 'exit-code')).toEqual(help)
  })

  it('prints the same help for help itself', async () => {
    const help = await run('--help')
    expect(await run('help')).toEqual(help)
    expect(await run('help', 'help')).toEqual(help)
  })

  it.each([['--version'], ['-v'], ['-V'], ['--no-input', '-V'], ['watch', '-V']])(
    'prints the version: %s',
    async (...args) => {
      expect(await run(...args)).toEqual({ code: 0, signal: null, stdout: `${packageJson.version}\n`, stderr: '' })
    },
  )

  it('prints the summary on stderr when nothing is asked for, and ends with 2', async () => {
    const { code, stdout, stderr } = await run()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe((await run('-h')).stdout)
  })

  it.each([
    [['wtach'], "Error: unknown command 'wtach'\n(Did you mean watch?)\n", '--help'],
    [['qqqqqqqq'], "Error: unknown command 'qqqqqqqq'\n", '--help'],
    [['help', 'lgo'], "Error: unknown command 'lgo'\n(Did you mean log?)\n", '--help'],
    [['help', '--jsn'], "Error: unknown option '--jsn'\n", '--help'],
    [['udno', '--yes'], "Error: unknown command 'udno'\n(Did you mean undo?)\n", '--help'],
    [['\x1b]0;x\x07\u202e.md'], "Error: unknown command '\\x1b]0;x\\x07\\u202e.md'\n", '--help'],
    [['log', '--jsn'], "Error: unknown option '--jsn'\n(Did you mean --json?)\n", 'help log'],
    [['pack', '--no-copy', 'src'], "Error: unknown option '--no-copy'\n", 'help pack'],
    [['revert'], "Error: missing required argument 'number'\n", 'help revert'],
    [['apply', '--yse'], "Error: unknown option '--yse'\n(Did you mean --yes?)\n", 'help apply'],
    [['--int'], "Error: unknown option '--int'\n(Did you mean --init?)\n", '--help'],
    [['parse', 'a', 'b'], "Error: too many arguments for 'parse'. Expected 1 argument but got 2.\n", 'help parse'],
    [['--init', 'here'], "Error: too many arguments for 'init'. Expected 0 arguments but got 1.\n", 'help init'],
    [['watch', '--init'], 'Error: --init goes with no other command\n', '--help'],
    [['undo', '1', '2'], "Error: too many arguments for 'undo'. Expected 1 argument but got 2.\n", 'help undo'],
    [['parse', '--project-id'], "Error: option '--project-id <id>' argument missing\n", 'help parse'],
  ])('says what is wrong with %j, and ends with 2', async (args, said, help) => {
    expect(await run(...args)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `${said}Hint: Run \`relay ${help}\`.\n`,
    })
  })

  it.each([
    [['show', ''], 'show'],
    [['apply', '--yes', ''], '--yes'],
    [['log', '--file', '', '--json'], '--file'],
    [['log', '--file='], '--file='],
    [[''], 'relay'],
  ])('takes nothing for the newest, all or the folder: %j', async (args, before) => {
    expect(await run(...args)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `Error: the argument after '${before}' is empty\nHint: Check the shell variable that you used.\n`,
    })
  })

  it.each([
    [['log', '-p'], '`relay diff 42` shows what #42 changed.'],
    [['diff', '--stat'], '`relay show 42` lists the files of #42.'],
    [['undo', '--dry-run'], '`relay undo` shows what it will do, and asks first.'],
  ])('leads from an option of git to its own: %j', async (args, hint) => {
    expect((await run(...args)).stderr).toMatch(new RegExp(`\nHint: ${hint}\n$`.replaceAll('.', '\\.')))
  })

  it('takes `version` and `log -5` as git does', async () => {
    expect((await run('version')).stdout).toMatch(/^\d+\.\d+\.\d+/)
    expect((await run('log', '-5')).stderr).toContain('No relaycode.config.json')
  })

  it('leads from an earlier undo to relay revert', async () => {
    expect(await run('redo', '3')).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        "Error: too many arguments for 'redo'. Expected 0 arguments but got 1.\n" +
        'Hint: For an earlier undo run `relay revert` with its number in `relay log`.\n',
    })
  })

  it.each([[['watch']], [['apply', '-']], [['prompt']], [['recover']]])('wants a project for %j', async args => {
    expect(await run(...args)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `Error: No relaycode.config.json in ${empty} or above\nHint: Run \`relay --init\` in your project first.\n`,
    })
  })
})
