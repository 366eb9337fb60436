import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { canRunWith } from '../support/has-program.ts'
import { plainEnv, relayCommand, runRelay } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

const start = { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/old.txt': 'old\n' }
const asked = { 'src/a.txt': 'BAD\n', 'src/b.txt': 'B\n', 'src/old.txt': null, 'src/new/c.txt': 'c\n' } as const

/** Counts the lines that say BAD, as tsc would. */
const linter = `grep -rn BAD src | sed -E 's/^([^:]+):([0-9]+):.*/\\1(\\2,1): error TS1: BAD is not allowed./'; exit 0`

const canRun = canRunWith('tmux')

function lineOf(args: readonly string[]): string {
  return [...relayCommand, ...args].map(word => `'${word}'`).join(' ')
}

/** The real program in a real terminal of 80 columns, with a patch that is asked about. */
describe.runIf(canRun)('at the prompt', () => {
  let pane: Pane
  let project: ScratchProject
  const folders: string[] = []
  afterEach(async () => {
    await pane.stop()
    project.remove()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  const question = /Keep this change\? \(y\/n\/d\/.*\?\)$/m

  async function ask(
    files: Readonly<Record<string, string | null>> = asked,
    config: Readonly<Record<string, unknown>> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    project = scratchProject(start, { linter, approval: 'no', ...config })
    project.write('answer.md', respond(files))
    run(['apply', 'answer.md'], env)
    await pane.until(question)
  }

  /** Another run in a new terminal. */
  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    pane = startPane(lineOf(args), { cwd: project.root, columns: 80, env: { PAGER: 'cat', TZ: 'UTC', ...env } })
  }

  /** The screen without what differs from run to run. */
  function shown(from: RegExp): string {
    const screen = pane.screen()
    const lines = screen.slice(screen.search(from)).split('\n')
    return lines.map(line => line.replace(/ {2,}[\d.,]+ (ms|s)$/, '   TIME')).join('\n')
  }

  /** An editor that puts a text into each file that it is given, and notes their names. */
  function editor(text: string): { readonly command: string; readonly noted: string } {
    const folder = mkdtempSync(join(tmpdir(), 'relay-editor-'))
    folders.push(folder)
    const [command, noted] = [join(folder, 'my editor'), join(folder, 'noted')]
    writeFileSync(
      command,
      `#!/bin/sh\n[ -t 0 ] && [ -t 1 ] || exit 1\nprintf '%s\\n' "$@" > '${noted}'\nfor file in "$@"; do [ "$file" = --wait ] || echo '${text}' > "$file"; done\n`,
    )
    chmodSync(command, 0o755)
    return { command: `'${command}' --wait`, noted }
  }

  it('takes everything back where the terminal is closed at the files to choose, and no signal says so', async () => {
    project = scratchProject(start, { linter, approval: 'no' })
    project.write('answer.md', respond(asked))
    const before = project.tree()
    pane = startPane(`trap '' HUP; ${lineOf(['apply', 'answer.md'])}`, { cwd: project.root, columns: 80 })
    await pane.until(question)
    await pane.typeUntil(/Number of a file to toggle it/, 'f', 'Enter')
    await pane.stop()
    await until(() => project.journal().length === 0, 'the end of the rollback')
    expect(project.tree()).toEqual(before)
  })

  it('takes a paste where stdin is named and is the terminal: whole, however long its lines are, and asked about', async () => {
    project = scratchProject(start, { linter, approval: 'no' })
    run(['apply', '-', '--trust'])
    await pane.until(/Paste the answer here; Ctrl\+C ends\./)
    const long = `${'x'.repeat(10_000)}\n`
    pane.paste(respond({ 'src/a.txt': long }, { uuid }))
    await pane.until(question)
    await pane.typeUntil(/kept #1/, 'y', 'Enter')
    expect((await pane.ended()).status).toBe('0')
    expect(project.read('src/a.txt')).toBe(long)
  })

  it('f leaves out files and brings them back; what stays is checked, and the entry holds only that', async () => {
    await ask()
    await pane.typeUntil(/Number of a file to toggle it/, 'f', 'Enter')
    await pane.typeUntil(/1 of 4 files to keep/, '1 3-4', 'Enter')
    await pane.typeUntil(/2 of 4 files to keep/, 'c.txt', 'Enter')
    expect(shown(/ {2}\[x\] 1/)).toMatchInlineSnapshot(`
      "  [x] 1  ~ src/a.txt      +1 -1
        [x] 2  ~ src/b.txt      +1 -1
        [x] 3  + src/new/c.txt  +1
        [x] 4  - src/old.txt    -1
        4 of 4 files to keep
      ? Number of a file to toggle it, y to continue, n to go back, ? for help: 1 3-4
        [ ] 1  ~ src/a.txt      +1 -1
        [ ] 3  + src/new/c.txt  +1
        [ ] 4  - src/old.txt    -1
        1 of 4 files to keep
      ? Number of a file to toggle it, y to continue, n to go back, ? for help: c.txt
        [x] 3  + src/new/c.txt  +1
        2 of 4 files to keep
      ? Number of a file to toggle it, y to continue, n to go back, ? for help:"
    `)
    await pane.typeUntil(/left out[\s\S]*Keep this change/, 'y', 'Enter')
    expect(shown(/✔ files/)).toMatchInlineSnapshot(`
      "✔ files   2 of 4 stay; the others are restored
      ✔ lint    0 errors      new 0   fixed 0   same 0   TIME

        ~ src/b.txt                                                            +1 -1
         1      - b
             1  + B

        + src/new/c.txt                                                           +1
             1  + c

        left out: src/a.txt, src/old.txt

      ▲ #1 needs you: you review every change. The files are already changed.
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)"
    `)
    expect(project.tree()).toMatchObject({ ...start, 'src/b.txt': 'B\n', 'src/new/c.txt': 'c\n' })
    await pane.typeUntil(/kept #1/, 'y', 'Enter')
    expect(await pane.ended()).toMatchObject({ status: '0' })
    expect(project.entry(`${uuid}.yml`)).toMatchObject({
      operations: [
        { op: 'write', path: 'src/b.txt' },
        { op: 'write', path: 'src/new/c.txt' },
      ],
      createdFolders: ['src/new'],
    })
    expect(project.journal()).toEqual([`${uuid}.yml`])
  })

  it('f works for one file and for three hundred', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`src/many/${index + 1}.txt`, 'x\n']))
    await ask(many, { durability: 'fast' })
    await pane.typeUntil(/300 of 300 files to keep[\s\S]*Number of a file to toggle it/, 'f', 'Enter')
    await pane.typeUntil(/0 of 300 files to keep/, '*', 'Enter')
    await pane.typeUntil(/4 of 300 files to keep/, '1-3 300', 'Enter')
    await pane.typeUntil(/4 of 300 stay[\s\S]*Keep this change/, 'y', 'Enter')
    await pane.typeUntil(/Number of a file to toggle it/, 'f', 'Enter')
    await pane.typeUntil(question, 'n', 'Enter')
    await pane.typeUntil(/declined #1/, 'n', 'Enter')
    await pane.ended()
    expect(project.tree()).toMatchObject(start)
    await pane.stop()
    project.remove()

    await ask({ 'src/a.txt': 'A\n' })
    await pane.typeUntil(/Number of a file to toggle it/, 'f', 'Enter')
    await pane.typeUntil(/0 of 1 file to keep/, '1', 'Enter')
    await pane.typeUntil(/declined #1/, 'y', 'Enter')
    expect(await pane.ended()).toMatchObject({ status: '3' })
    expect(project.tree()).toMatchObject(start)
  })

  it('e opens the files in the editor of the user, and checks what was made of them', async () => {
    const { command, noted } = editor('GOOD')
    await ask(asked, {}, { RELAY_EDITOR: command, EDITOR: 'false' })
    await pane.typeUntil(/you changed 3 files[\s\S]*Keep this change/, 'e', 'Enter')
    expect(
      shown(/✔ edit/)
        .split('\n')
        .slice(0, 5),
    ).toMatchInlineSnapshot(`
      [
        "✔ edit    you changed 3 files",
        "    src/a.txt",
        "    src/b.txt",
        "    src/new/c.txt",
        "✔ lint    0 errors      new 0   fixed 0   same 0   TIME",
      ]
    `)
    const names = readFileSync(noted, 'utf8').trim().split('\n')
    expect(names[0]).toBe('--wait')
    expect(names.slice(1)).toEqual(['src/a.txt', 'src/b.txt', 'src/new/c.txt'].map(path => join(project.root, path)))
    await pane.typeUntil(/declined #1/, 'n', 'Enter')
    await pane.ended()
    expect(pane.screen()).toMatch(/src\/a\.txt: restored; the version that was there is in\s+\.relaycode\/rescue/)
    expect(project.tree()).toMatchObject(start)
    expect(project.read(`.relaycode/rescue/${uuid}/src/a.txt.rescued`)).toBe('GOOD\n')
  })

  it('e says so when the editor is not there', async () => {
    await ask(asked, {}, { RELAY_EDITOR: 'no-such-editor' })
    await pane.typeUntil(/The editor "no-such-editor" did not start/, 'e', 'Enter')
    await pane.typeUntil(/declined #1/, 'n', 'Enter')
    await pane.ended()
  })

  it('r checks again after something was put right by hand', async () => {
    await ask()
    project.write('src/a.txt', 'right\n')
    await pane.typeUntil(/you changed 1 file[\s\S]*0 errors[\s\S]*Keep this change/, 'r', 'Enter')
    await pane.typeUntil(/kept #1/, 'y', 'Enter')
    await pane.ended()
    expect(project.read('src/a.txt')).toBe('right\n')
  })

  it('c rolls back, and the follow-up can be had later as well', async () => {
    await ask()
    await pane.typeUntil(/✔ sent a follow-up prompt: 1 error, 3 files.*\n.*`relay followup` prints it\./, 'c', 'Enter')
    expect(await pane.ended()).toMatchObject({ status: '3' })
    expect(project.tree()).toMatchObject(start)
    const { code, stdout, stderr } = await runRelay(['followup', '--no-copy'], { cwd: project.root, env: plainEnv() })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# relay-followup\n/)
    expect(stdout).toContain('1. BAD is not allowed.\n   src/a.txt:1:1 TS1\n\n```\n> 1 | BAD')
    expect(stderr).toMatch(/follow-up prompt: 1 error, 3 files, ~\d+ tokens +attempt 1/)
  })

  it('w shows the reasoning', async () => {
    await ask()
    await pane.typeUntil(/ {2}I changed what you asked for\.\n\? Keep/, 'w', 'Enter')
    await pane.typeUntil(/declined #1/, 'n', 'Enter')
    await pane.ended()
  })

  it('q leaves it open with exit code 7; every later writing asks first, and without a terminal says so', async () => {
    await ask()
    await pane.typeUntil(/left #1 open/, 'q', 'Enter')
    expect(await pane.ended()).toMatchObject({ status: '7' })
    expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])
    expect(project.read('src/a.txt')).toBe('BAD\n')
    await pane.stop()

    const alone = await runRelay(['apply', 'answer.md', '--yes'], { cwd: project.root, env: plainEnv() })
    expect(alone.code).toBe(7)
    expect(alone.stderr).toContain('#1 was left open and still waits for your answer')

    run(['recover'])
    await pane.until(question)
    expect(shown(/▲ #1/)).toMatchInlineSnapshot(`
      "▲ #1 I changed what you asked for
        still waits for your answer: its files are changed, but not kept.
          you review every change
          1 new error (0 allowed)
          src/a.txt:1:1  TS1  BAD is not allowed.
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)"
    `)
    await pane.typeUntil(/declined #1/, 'n', 'Enter')
    expect(await pane.ended()).toMatchObject({ status: '0' })
    expect(project.tree()).toMatchObject(start)
    expect(project.journal()).toEqual([])
  })

  it('takes the letter alone where the configuration says so; a list still takes a line', async () => {
    await ask(asked, { singleKey: true })
    await pane.typeUntil(/ {2}I changed what you asked for\.\n\? Keep/, 'w')
    await pane.typeUntil(/Number of a file to toggle it/, 'f')
    await pane.typeUntil(/3 of 4 files to keep/, '1', 'Enter')
    await pane.typeUntil(question, 'n', 'Enter')
    await pane.typeUntil(/declined #1/, 'n')
    expect(await pane.ended()).toMatchObject({ status: '3' })
  })

  it('Ctrl+C at what was left open leaves it open', async () => {
    await ask()
    await pane.typeUntil(/left #1 open/, 'q', 'Enter')
    await pane.ended()
    await pane.stop()
    run(['recover'])
    await pane.until(question)
    pane.type('C-c')
    await pane.ended()
    expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])
    await pane.stop()
    run(['recover'])
    await pane.until(question)
    await pane.typeUntil(/kept #1/, 'y', 'Enter')
    await pane.ended()
    await until(() => project.journal().join() === `${uuid}.yml`, 'the commit')
  })
})
