import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { canRunWith } from '../support/has-program.ts'
import { relayCommand } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

/** Ctrl+C and Ctrl+Z as a person types them, in a shell with job control on a real terminal. */
describe.runIf(canRunWith('tmux'))('in a shell', () => {
  const answer = respond({ 'app.js': '2\n', 'old.js': null, 'new/b.js': 'b\n' })
  const start = { 'app.js': '1\n', 'old.js': 'old\n', 'answer.md': answer }
  const prompt = 'shell>'
  const program = relayCommand.map(part => `'${part}'`).join(' ')

  /** A shell in a project, for one test. `$NOTES` is a folder for what its commands tell, and are told. */
  async function shellIn(settings: Readonly<Record<string, unknown>>, env = '', finished = onTestFinished) {
    const notes = mkdtempSync(join(tmpdir(), 'relay-notes-'))
    const project = scratchProject(start, settings)
    const pane = startPane(
      `env -u ENV NOTES='${notes}' PATH='${notes}/bin:${process.env['PATH']}' ${env} PS1='${prompt} ' sh -i`,
      { cwd: project.root, columns: 80 },
    )
    finished(async () => {
      await pane.stop()
      project.remove()
      rmSync(notes, { recursive: true, force: true })
    })
    await pane.until(/shell>/)
    return {
      pane,
      project,
      notes,
      relay: (args: string) => pane.type(`clear; ${program} ${args}`, 'Enter'),
      begun: () => until(() => existsSync(join(notes, 'begun')), 'the command has begun'),
      /** The screen from what relay said on, without the command line and the seconds. */
      said: () =>
        pane
          .screen()
          .slice(pane.screen().indexOf('answer.md') + 'answer.md'.length)
          .trim()
          .replaceAll(/\d+(\.\d)? (ms|s)\b/g, 'N s'),
    }
  }

  /** A command that says when it has begun, and ends when it may. */
  const waiting = 'touch "$NOTES/begun"; while [ ! -e "$NOTES/go" ]; do sleep 0.05; done'

  it('shows no ^C, and the prompt on a line of its own', async () => {
    const { pane, project, relay, begun } = await shellIn({ postCommand: waiting })
    relay('apply answer.md')
    await begun()
    pane.type('C-c')
    await pane.until(/rolled back[\s\S]*shell>/)
    expect(pane.screen()).not.toContain('^C')
    expect(pane.screen().split('\n').at(-1)).toBe(prompt)
    expect(project.read('app.js')).toBe('1\n')
  })

  it('says what becomes of the rest when a second Ctrl+C stops it at once', async () => {
    const trap = `trap 'touch "$NOTES/told"' TERM; ${waiting}`
    const { pane, project, notes, relay, begun } = await shellIn({ postCommand: trap })
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
    expect(pane.screen()).toMatch(/rolled back #1[\s\S]*Its command was still running; relay ended it\.\ncode=0/)
    expect(project.read('app.js')).toBe('1\n')
  })

  it('leaves the prompt on a line of its own when an idle watch is ended, and goes on after Ctrl+Z', async () => {
    const settings = { clipboard: 'poll', clipboardPollInterval: 100 }
    const { pane, project, notes, relay, begun } = await shellIn(settings, 'DISPLAY=:99')
    mkdirSync(join(notes, 'bin'))
    writeFileSync(join(notes, 'text'), 'nothing\n')
    writeFileSync(join(notes, 'bin', 'xclip'), '#!/bin/sh\ncat "$NOTES/text"\ntouch "$NOTES/begun"\n')
    chmodSync(join(notes, 'bin', 'xclip'), 0o755)
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

  // At the same time: each of them waits for seconds.
  it.concurrent.for(['preCommand', 'linter', 'postCommand'])(
    'goes on where it was after Ctrl+Z and fg: %s',
    async (step, { expect, onTestFinished }) => {
      const settings = { [step]: waiting, commandTimeout: 4 }
      const { pane, project, notes, relay, begun, said } = await shellIn(settings, '', onTestFinished)
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
    },
  )

  it('asks again after Ctrl+Z and fg, and takes everything back on a no', async () => {
    const { pane, project, relay } = await shellIn({ approval: 'no' })
    relay('apply answer.md')
    await pane.until(/Keep this change\?/)
    pane.type('C-z')
    await pane.until(/Stopped/)
    pane.type('fg; echo code=$?', 'Enter')
    await pane.until(/Keep this change\?/, 2)
    await pane.typeUntil(/^code=3/m, 'n', 'Enter')
    expect(project.read('app.js')).toBe('1\n')
  })
})
