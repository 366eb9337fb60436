import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canRunWith } from '../support/has-program.ts'
import { relayCommand } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

/** Ctrl+C and Ctrl+Z as a person types them, in a shell with job control on a real terminal. */
describe.runIf(canRunWith('tmux'))('in a shell', () => {
  const answer = respond({ 'app.js': '2\n', 'old.js': null, 'new/b.js': 'b\n' })
  const start = { 'app.js': '1\n', 'old.js': 'old\n', 'answer.md': answer }
  const prompt = 'shell>'
  const program = relayCommand.map(part => `'${part}'`).join(' ')

  let project: ScratchProject
  let pane: Pane
  let notes: string
  beforeEach(() => {
    notes = mkdtempSync(join(tmpdir(), 'relay-notes-'))
  })
  afterEach(async () => {
    await pane.stop()
    project.remove()
    rmSync(notes, { recursive: true, force: true })
  })

  async function inShellOf(settings: Readonly<Record<string, unknown>>, env = ''): Promise<void> {
    project = scratchProject(start, settings)
    pane = startPane(`env -u ENV ${env} PS1='${prompt} ' sh -i`, { cwd: project.root, columns: 80 })
    await pane.until(/shell>/)
  }

  function relay(args: string): void {
    pane.type(`clear; ${program} ${args}`, 'Enter')
  }

  /** A command that says when it has begun, and ends when it may. */
  const waiting = () => `touch '${notes}/begun'; while [ ! -e '${notes}/go' ]; do sleep 0.05; done`
  const begun = () => until(() => existsSync(join(notes, 'begun')), 'the command has begun')

  /** The screen from what relay said on, without the command line and the seconds. */
  function said(): string {
    return pane
      .screen()
      .slice(pane.screen().indexOf('answer.md') + 'answer.md'.length)
      .trim()
      .replaceAll(/\d+(\.\d)? (ms|s)\b/g, 'N s')
  }

  it('shows no ^C, and the prompt on a line of its own', async () => {
    await inShellOf({ postCommand: waiting() })
    relay('apply answer.md')
    await begun()
    pane.type('C-c')
    await pane.until(/rolled back[\s\S]*shell>/)
    expect(pane.screen()).not.toContain('^C')
    expect(pane.screen().split('\n').at(-1)).toBe(prompt)
    expect(project.read('app.js')).toBe('1\n')
  })

  it('says what becomes of the rest when a second Ctrl+C stops it at once', async () => {
    await inShellOf({ postCommand: `trap "touch '${notes}/told'" TERM; ${waiting()}` })
    relay('apply answer.md')
    await begun()
    pane.type('C-c')
    // The second is another one only after the first has been taken.
    await until(() => existsSync(join(notes, 'told')), 'the command is told to end')
    pane.type('C-c')
    await pane.until(/stopped at once[\s\S]*shell>/)
    expect(pane.screen().split('\n').slice(-2)).toEqual([
      'stopped at once; the next relay command takes back what was unfinished',
      prompt,
    ])
    expect(pane.screen()).not.toContain('^C')
    pane.type('clear', 'Enter')
    pane.type(`${program} recover; echo code=$?`, 'Enter')
    await pane.until(/^code=\d/m)
    expect(pane.screen()).toMatch(/rolled back #1[\s\S]*A command of it that still ran was ended\.\ncode=0/)
    expect(project.read('app.js')).toBe('1\n')
  })

  it('leaves the prompt on a line of its own when an idle watch is ended, and goes on after Ctrl+Z', async () => {
    mkdirSync(join(notes, 'bin'))
    writeFileSync(join(notes, 'text'), 'nothing\n')
    writeFileSync(join(notes, 'bin', 'xclip'), `#!/bin/sh\ncat '${notes}/text'\ntouch '${notes}/begun'\n`)
    chmodSync(join(notes, 'bin', 'xclip'), 0o755)
    await inShellOf(
      { clipboard: 'poll', clipboardPollInterval: 100 },
      `DISPLAY=:99 PATH='${join(notes, 'bin')}:${process.env['PATH']}'`,
    )
    relay('watch')
    await begun()
    pane.type('C-z')
    await pane.until(/Stopped[\s\S]*shell>/)
    pane.type('fg', 'Enter')
    writeFileSync(join(notes, 'text'), answer)
    await pane.until(/kept #1/)
    expect(project.read('app.js')).toBe('2\n')
    await pane.until(/kept #1.*\n. watching/)
    pane.type('C-c')
    await until(() => pane.screen().split('\n').at(-1) === prompt, 'the prompt')
    expect(pane.screen()).not.toContain('^C')
  })

  it.each(['preCommand', 'linter', 'postCommand'])('goes on where it was after Ctrl+Z and fg: %s', async step => {
    await inShellOf({ [step]: waiting(), commandTimeout: 4 })
    relay('apply --allow-sensitive answer.md')
    await begun()
    pane.type('C-z')
    await pane.until(/Stopped/)
    // The command goes on and ends in time; that relay hears of it long after that is no fault of the command.
    writeFileSync(join(notes, 'go'), '')
    await new Promise(resolve => setTimeout(resolve, 4500))
    expect(existsSync(join(project.root, '.relaycode', `${uuid}.yml`))).toBe(false)
    pane.type('fg; echo code=$?', 'Enter')
    await pane.until(/^code=\d/m)
    expect(pane.screen(), said()).toMatch(/kept #1[\s\S]*^code=0/m)
    expect(project.tree()).toMatchObject({ 'app.js': '2\n', 'new/b.js': 'b\n' })
  })

  it('asks again after Ctrl+Z and fg, and takes everything back on a no', async () => {
    await inShellOf({ approval: 'no' })
    relay('apply answer.md')
    await pane.until(/Keep these changes\?/)
    pane.type('C-z')
    await pane.until(/Stopped/)
    pane.type('fg; echo code=$?', 'Enter')
    await pane.until(/Keep these changes\?/, 2)
    await pane.typeUntil(/^code=3/m, 'n', 'Enter')
    expect(project.read('app.js')).toBe('1\n')
  })
})
