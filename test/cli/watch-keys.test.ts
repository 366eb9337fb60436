import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasProgram } from '../support/has-program.ts'
import { relayCommand, testPath } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

let project: ScratchProject
let pane: Pane
beforeEach(() => {
  project = scratchProject({ 'app.js': '1\n' }, { postCommand: 'while [ -e hold ]; do sleep 0.05; done' })
})
afterEach(async () => {
  await pane.stop()
  project.remove()
})

let serial = 0
const answerWith = (text: string) =>
  respond({ 'app.js': text }, { uuid: `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}` })

/** In a shell that shows the terminal's mode before and after; pastes stand for the clipboard. */
async function watching(): Promise<void> {
  await inShell(words => `stty -a > .before; ${words}; echo code=$?; stty -a > .after; echo en""d`)
  await pane.until(/○ watching/)
}

async function inShell(line: (watch: string) => string): Promise<void> {
  const env = {
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
    WSL_DISTRO_NAME: '',
    TZ: 'UTC',
    PAGER: 'cat; echo; echo end of the diff',
  }
  pane = startPane(`env -u ENV PS1='shell> ' sh -i`, { cwd: project.root, env, columns: 80 })
  await pane.until(/shell>/)
  const words = [`PATH=${testPath}`, ...relayCommand, 'watch'].map(word => `'${word}'`)
  pane.type(`clear; ${line(`env ${words.join(' ')}`)}`, 'Enter')
}

async function ended(code: number): Promise<void> {
  await pane.until(/^end$/m)
  expect(pane.screen()).toContain(`code=${code}\n`)
  expect(project.read('.after')).toBe(project.read('.before'))
}

/** In CI what cannot run is a failure. */
describe.runIf((hasProgram('tmux') && process.platform === 'linux') || process.env['CI'])(
  'a key at relay watch',
  () => {
    it('undoes, shows the diff, helps and quits without Enter', async () => {
      await watching()
      expect(pane.screen()).toContain('keys       u undo  d diff  l log  k files  p pause  q quit  ? help')
      pane.paste(answerWith('2\n'))
      await pane.until(/kept #1 .*u undo {3}d diff.*\n○ watching/)
      await pane.typeUntil(/- 1\n.*\+ 2\nend of the diff\n○ watching/, 'd')
      await pane.typeUntil(/u +undo the newest[\s\S]*○ watching$/, '?')
      await pane.typeUntil(/Undo #1, 1 file\? \(y\/n\/d\/\?\)/, 'u')
      await pane.typeUntil(/Undid #1[\s\S]*○ watching$/, 'y', 'Enter')
      expect(project.read('app.js')).toBe('1\n')
      await pane.typeUntil(/code=/, 'q')
      await ended(0)
    })

    it('is nothing that was pasted, marked or not, nor typed ahead', async () => {
      await watching()
      pane.paste('q')
      await pane.until(/not applied/)
      await new Promise(resolve => setTimeout(resolve, 700))
      pane.type('-l', 'q or quit\nq')
      project.write('hold', '')
      pane.paste(answerWith('2\n'))
      await pane.until(/write {3}1 file/)
      pane.type('q')
      rmSync(join(project.root, 'hold'))
      await pane.until(/kept #1[\s\S]*○ watching/)
      await pane.typeUntil(/paused[^\n]*$/, 'p')
      await pane.typeUntil(/○ watching again$/, 'p')
      await pane.typeUntil(/code=/, 'q')
      await ended(0)
    })

    it('works once a watcher that was started in the background comes to the front', async () => {
      await inShell(words => `${words} &`)
      await pane.until(/○ watching/)
      pane.type('fg', 'Enter')
      await pane.typeUntil(/u +undo the newest/, '?')
      pane.type('C-c')
      await until(() => /shell> $/.test(`${pane.screen()} `), 'the prompt')
    })

    it('works after Ctrl+Z and fg, and Ctrl+C leaves the terminal as it was', async () => {
      await watching()
      pane.type('C-z')
      await pane.until(/Stopped[\s\S]*shell>/)
      pane.type('fg', 'Enter')
      await pane.typeUntil(/u +undo the newest/, '?')
      pane.type('C-c')
      await until(() => /shell> $/.test(`${pane.screen()} `), 'the prompt')
      // A word of its own: the shell went on to `end` when the watcher stopped.
      pane.type('stty -a > .at-last; echo fin""ished', 'Enter')
      await pane.until(/^finished$/m)
      expect(project.read('.at-last')).toBe(project.read('.before'))
    })
  },
)
