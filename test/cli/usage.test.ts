import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { runRelay } from '../support/real-relay.ts'

const empty = mkdtempSync(join(tmpdir(), 'relay-usage-'))
afterAll(() => rmSync(empty, { recursive: true, force: true }))

const run = (...args: string[]) => runRelay(args, { cwd: empty })

describe('the command line', () => {
  it('prints the help on stdout, at most 80 columns wide', async () => {
    const { code, stdout, stderr } = await run('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: relay [options] [command]

      Apply an LLM's answer from the clipboard to this project: checked, and kept or
      taken back as a whole.

      Options:
        -V, --version              print the version
        --init                     the same as \`relay init\`
        --no-copy                  with --init: leave the clipboard alone
        --no-input                 never ask; what would need an answer is declined
        -h, --help                 print help

      Commands:
        init [options]             set up relay in this folder, and print the
                                   instructions for your LLM
        watch [options]            apply each patch that is copied, until Ctrl+C
        apply [options] [file...]  apply responses from files, stdin or the clipboard
        parse [options] [file]     show what relay understands of a response; changes
                                   nothing
        log [options]              list what was applied, newest first
        show [options] [number]    show all about one of them: why, what, checked how,
                                   and whether it changed since
        diff [options] [number]    show what one of them changed; in a pipe as a patch
        undo [options]             take the newest back, with what changed since
                                   merged in; again: the one before
        redo [options]             take the last undo back; again: the one before
        revert [options] <number>  take any one of them back, and keep the later ones
        status [options]           show whether somebody watches, what is unfinished,
                                   and what happened today
        prompt [options]           print and copy the instructions for your LLM
        recover [options]          take back what a crash left unfinished; every
                                   writing command does it first
        prune [options]            remove old entries from the journal, never the
                                   newest; asks first
        help [command]             print help for a command

      Examples:
        relay --init           set up this project, and print the instructions
        relay watch            then copy answers in the chat
        relay apply answer.md  the same for a file; \`-\` or a pipe for stdin
        relay parse -          why was this answer not taken?

      Exit codes:
        0  done, or nothing to do           5  your own edits are in the way, and kept
        1  unexpected failure               6  no patch for this project, or refused
        2  wrong usage or configuration     7  something unfinished: relay recover
        3  declined                         8  clipboard, lock or machine
        4  a command failed, rolled back    129, 130, 143  ended by a signal
      "
    `)
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  })

  it.each(['init', 'watch', 'apply', 'parse', 'prompt', 'recover'])('explains relay %s', async command => {
    const help = await run('help', command)
    expect(help).toEqual(await run(command, '--help'))
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^Usage: relay ${command} `))
    expect(help.stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  })

  it('prints the version', async () => {
    expect(await run('--version')).toEqual({ code: 0, signal: null, stdout: `${packageJson.version}\n`, stderr: '' })
  })

  it('prints the help on stderr when nothing is asked for, and ends with 2', async () => {
    const { code, stdout, stderr } = await run()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe((await run('--help')).stdout)
  })

  it.each([
    [['wtach'], "Error: unknown command 'wtach'\n(Did you mean watch?)\n"],
    [['qqqqqqqq'], "Error: unknown command 'qqqqqqqq'\n"],
    [['apply', '--yse'], "Error: unknown option '--yse'\n(Did you mean --yes?)\n"],
    [['--int'], "Error: unknown option '--int'\n(Did you mean --init?)\n"],
    [['parse', 'a', 'b'], "Error: too many arguments for 'parse'. Expected 1 argument but got 2.\n"],
    [['--init', 'here'], "Error: too many arguments for 'init'. Expected 0 arguments but got 1.\n"],
    [['parse', '--project-id'], "Error: option '--project-id <id>' argument missing\n"],
  ])('says what is wrong with %j, and ends with 2', async (args, said) => {
    expect(await run(...args)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `${said}Hint: Run \`relay --help\`.\n`,
    })
  })

  it.each([[['watch']], [['apply', '-']], [['parse', '-']], [['prompt']], [['recover']]])(
    'wants a project for %j',
    async args => {
      expect(await run(...args)).toEqual({
        code: 2,
        signal: null,
        stdout: '',
        stderr: `Error: No relaycode.config.json in ${empty} or above\nHint: Run \`relay --init\` in your project first.\n`,
      })
    },
  )
})
