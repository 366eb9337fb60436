import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { knownInstructions } from '../../src/project/instructions.ts'
import { type Desktop, missingForDesktop, startDesktop } from '../support/desktop.ts'
import { plainEnv, relayBinary, runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import type { Pane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

const missing = missingForDesktop()
const linter = readFileSync(new URL('../fixtures/no-var.sh', import.meta.url), 'utf8')

let serial = 0
/** A response with a uuid of its own. */
function answerWith(files: Readonly<Record<string, string | null>>, projectId = 'demo') {
  const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}`
  return { uuid, text: respond(files, { projectId, uuid }) }
}

/** In CI a desktop that cannot be had is a failure: starting it says what is missing. */
describe.runIf(missing.length === 0 || process.env['CI'])(
  `relay watch on a desktop${missing.length === 0 ? '' : ` (needs ${missing.join(', ')})`}`,
  () => {
    let desktop: Desktop
    let project: ScratchProject
    beforeAll(async () => {
      desktop = await startDesktop()
    })
    afterAll(() => desktop?.stop())
    beforeEach(async () => {
      await desktop.copy('nothing of interest')
    })
    afterEach(async () => {
      await desktop.close()
      project.remove()
    })

    /** A project with one file, looked after by a terminal that watches. */
    async function watching(config: Readonly<Record<string, unknown>> = {}, files = {}): Promise<Pane> {
      project = scratchProject(
        { 'lint.sh': linter, 'src/app.js': 'export const app = 1\n', ...files },
        { clipboardPollInterval: 100, linter: 'sh lint.sh', ...config },
      )
      const pane = await desktop.start(['watch'], project.root)
      await pane.until(/○ watching/)
      return pane
    }

    it('keeps by itself what brings no new errors', async () => {
      const pane = await watching({}, { 'src/old.js': 'var old = 1\n' })
      const { uuid, text } = answerWith({
        'src/app.js': "export const app = 'wörld ✅'\n",
        'src/new/deep.js': 'export {}\n',
        'src/old.js': null,
      })
      await desktop.copy(text)
      await pane.until(/kept #1 .*\n○ watching/)

      expect(project.tree()).toEqual({
        'lint.sh': linter,
        'relaycode.config.json': project.read('relaycode.config.json'),
        'src/': '',
        'src/app.js': "export const app = 'wörld ✅'\n",
        'src/new/': '',
        'src/new/deep.js': 'export {}\n',
      })
      expect(project.journal()).toEqual([`${uuid}.yml`])
      expect(project.entry(`${uuid}.yml`)).toMatchObject({
        version: 1,
        number: 1,
        uuid,
        projectId: 'demo',
        source: 'clipboard',
        reasoning: ['I changed what you asked for.'],
        flags: [],
        operations: [
          { op: 'write', path: 'src/app.js', content: "export const app = 'wörld ✅'\n" },
          { op: 'write', path: 'src/new/deep.js', content: 'export {}\n' },
          { op: 'delete', path: 'src/old.js' },
        ],
        snapshot: {
          'src/app.js': { mode: '0644', content: 'export const app = 1\n' },
          'src/new/deep.js': null,
          'src/old.js': { mode: '0644', content: 'var old = 1\n' },
        },
        createdFolders: ['src/new'],
        checks: { before: { errors: 1 }, after: { errors: 0, new: 0, fixed: 1 } },
        outcome: { kind: 'committed', by: 'auto' },
      })
      expect(shown(pane)).toMatchInlineSnapshot(`
        "relay 0.1.0   demo   ROOT
          approve    auto if no new errors        linter  sh lint.sh
          clipboard  x11 events on DISPLAY     last    nothing kept yet
          keys       u undo  d diff  l log  k files  p pause  q quit  ? help
          begin      give your LLM the rules (\`relay prompt\`), then copy an answer

        ○ watching
        ── #1 ─────────────────────────────────────────────────────────────── HH:MM:SS
        ● I changed what you asked for                        3 files  +2 -2  0b8f4f62
          ~ src/app.js              +1  -1
          + src/new/deep.js         +1
          - src/old.js                  -1
        ✔ base    1 error   TIME
        ✔ write   3 files   TIME
        ✔ lint    0 errors      new 0   fixed 1   same 0   TIME
        ✔ kept #1  auto: no new errors   u undo   d diff   TIME
        ○ watching"
      `)
    })

    it('asks about new errors, and keeps them for a yes', async () => {
      const pane = await watching()
      const { uuid, text } = answerWith({ 'src/app.js': 'var app = 2\n' })
      await desktop.copy(text)
      await pane.until(/Keep this change\? \(y\/n\/d.*\?\)/)
      expect(shown(pane).slice(shown(pane).indexOf('── #1'))).toMatchInlineSnapshot(`
        "── #1 ─────────────────────────────────────────────────────────────── HH:MM:SS
        ● I changed what you asked for                         1 file  +1 -1  0b8f4f62
          ~ src/app.js              +1  -1
        ✔ base    0 errors   TIME
        ✔ write   1 file   TIME
        ▲ lint    1 error       new 1   fixed 0   same 0   TIME
            src/app.js:1:1  use const instead of var

          ~ src/app.js                                                           +1 -1
           1      - export const app = 1
               1  + var app = 2

        ▲ #1 needs you: 1 new error (0 allowed). The file is already changed.
        ? Keep this change? (y/n/d/f/e/r/c/w/q/?)"
      `)
      await pane.typeUntil(/kept #1/, 'y', 'Enter')
      expect(project.read('src/app.js')).toBe('var app = 2\n')
      expect(project.entry(`${uuid}.yml`)).toMatchObject({
        checks: { before: { errors: 0 }, after: { errors: 1, new: 1, fixed: 0 } },
        outcome: { kind: 'committed', by: 'user' },
      })
    })

    it('copies a follow-up prompt for c, does not take it for an answer, and stops for q', async () => {
      const pane = await watching()
      await desktop.copy(answerWith({ 'src/app.js': 'var app = 2\n' }).text)
      await pane.until(/Keep this change/)
      await pane.typeUntil(
        /copied a follow-up prompt: 1 error, 1 file, ~\d+ tokens +attempt 1\n○ watching/,
        'c',
        'Enter',
      )
      const copied = execFileSync('xclip', ['-selection', 'clipboard', '-o'], {
        env: { ...process.env, ...desktop.env },
      })
      expect(copied.toString()).toMatch(/^# relay-followup\n/)
      await desktop.noticed()
      expect(pane.screen()).toMatch(/○ watching$/)

      const { uuid, text } = answerWith({ 'src/app.js': 'var app = 3\n' })
      await desktop.copy(text)
      await pane.until(/Keep this change/, 2)
      await pane.typeUntil(/left #2 open/, 'q', 'Enter')
      expect(await pane.ended()).toMatchObject({ status: '7' })
      expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])
    })

    it('does not take an answer that was typed before the question could be read', async () => {
      const postCommand = 'until [ -e typed ]; do sleep 0.05; done; rm typed'
      const pane = await watching({ linter: '', approval: 'no', postCommand })
      await desktop.copy(answerWith({ 'src/app.js': 'export const app = 2\n' }).text)
      await pane.until(/write {3}1 file/)
      pane.type('y', 'Enter', 'y', 'Enter')
      project.write('typed', '')
      await pane.until(/Keep this change\?/)
      await pane.typeUntil(/declined #1/, 'n', 'Enter')
    })

    it('shows the help for Enter alone, and the diff for d, and still waits', async () => {
      const pane = await watching({ approval: 'no' }, { 'src/app.js': `${'// line\n'.repeat(30)}var app = 1\n` })
      await desktop.copy(answerWith({ 'src/app.js': `${'// row\n'.repeat(30)}var app = 2\n` }).text)
      await pane.until(/Keep this change\?/)
      expect(pane.screen()).toMatch(/⋯ \d+ more lines: d shows all/)
      await pane.typeUntil(/y {7}keep it/, 'Enter')
      expect(pane.screen()).not.toMatch(/31 {2}\+ var app = 2/)
      await pane.typeUntil(/31 {2}\+ var app = 2/, 'd', 'Enter')
      expect(project.read('src/app.js')).toContain('var app = 2')
      await pane.typeUntil(/kept #1/, 'y', 'Enter')
    })

    it('asks when the post command fails, with what it printed', async () => {
      const pane = await watching({ linter: '', postCommand: 'echo "2 tests failed" >&2; exit 3' })
      const before = project.tree()
      await desktop.copy(answerWith({ 'src/app.js': 'export const app = 2\n' }).text)
      await pane.until(/Keep this change\?/)
      expect(pane.screen()).toMatch(/✖ post .*exit 3/)
      expect(pane.screen()).toContain('    2 tests failed\n')
      expect(pane.screen()).toMatch(/#1 needs you.*\n?.*the post command failed: exit 3/)
      await pane.typeUntil(/declined #1/, 'n', 'Enter')
      expect(project.tree()).toEqual(before)
    })

    it('rolls back for Ctrl+C at the question, and ends with 130', async () => {
      const pane = await watching()
      const before = project.tree()
      await desktop.copy(answerWith({ 'src/app.js': 'var app = 2\n' }).text)
      await pane.until(/Keep this change\?/)
      pane.type('C-c')
      expect(await pane.ended()).toEqual({ status: '130', signal: '' })
      expect(pane.screen()).toMatch(/rolled back #1 {2}interrupted by Ctrl\+C {3}1 file restored/)
      expect(project.tree()).toEqual(before)
      expect(project.journal()).toEqual([])
    })

    it('takes back at the next start what a kill left behind', async () => {
      const killed = await watching()
      const before = project.tree()
      const { uuid, text } = answerWith({ 'src/app.js': 'var app = 2\n', 'src/sub/new.js': 'var b\n' })
      await desktop.copy(text)
      await killed.until(/Keep this change\?/)
      process.kill(killed.pid, 'SIGKILL')
      expect(await killed.ended()).toEqual({ status: '', signal: '9' })
      expect(project.read('src/sub/new.js')).toBe('var b\n')
      expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])

      const pane = await desktop.start(['watch'], project.root)
      await pane.until(/rolled back #1/)
      await pane.until(/Apply it\?/)
      expect(project.tree()).toEqual(before)
      expect(project.journal()).toEqual([])
    })

    it('offers what is on the clipboard at the start, and never applies it by itself', async () => {
      project = scratchProject({ 'a.js': '1\n' }, { clipboardPollInterval: 100 })
      await desktop.copy(answerWith({ 'a.js': '2\n' }).text)
      const declined = await desktop.start(['watch'], project.root)
      await declined.until(/Apply it\? \(y\/n\/d\/\?\)/)
      expect(shown(declined)).toMatchInlineSnapshot(`
        "relay 0.1.0   demo   ROOT
          approve    auto, unchecked              linter  none: unchecked
          clipboard  x11 events on DISPLAY     last    nothing kept yet
          keys       u undo  d diff  l log  k files  p pause  q quit  ? help
          begin      give your LLM the rules (\`relay prompt\`), then copy an answer

        ○ watching
        ▲ I changed what you asked for
          This answer was already on the clipboard. Nothing has been written or run.
            write   a.js
        ? Apply it? (y/n/d/?)"
      `)
      await declined.typeUntil(/\) n\n/, 'n', 'Enter')
      await desktop.noticed()
      expect(project.read('a.js')).toBe('1\n')

      // A watcher that still watches would take what is copied now.
      await desktop.close()
      await desktop.copy(answerWith({ 'a.js': '2\n' }).text)
      const taken = await desktop.start(['watch'], project.root)
      await taken.typeUntil(/kept #1/, 'y', 'Enter')
      expect(project.read('a.js')).toBe('2\n')
      expect(taken.screen()).toMatch(/kept #1 {2}auto/)
    })

    it('ends with Ctrl+C also while the first look at the clipboard gets no answer', async () => {
      await desktop.copyAndHang()
      project = scratchProject({ 'a.js': '1\n' })
      const pane = await desktop.start(['watch'], project.root)
      await pane.until(/keys +u undo/)
      pane.type('C-c')
      expect(await pane.ended()).toEqual({ status: '0', signal: '' })
      expect(pane.screen()).not.toContain('cannot read the clipboard')
    })

    it('copies the instructions with init, and ignores them on the clipboard', async () => {
      project = scratchProject({ 'package.json': '{"name":"@acme/app"}' }, null)
      const { code, stderr } = await runRelay(['--init'], { cwd: project.root, env: desktop.env })
      expect(code).toBe(0)
      expect(stderr).toContain('✔ copied the instructions')
      const copied = execFileSync('xclip', ['-selection', 'clipboard', '-o'], { env: plainEnv(desktop.env) }).toString()
      expect(copied).toBe(knownInstructions('@acme/app'))

      const pane = await desktop.start(['watch'], project.root)
      await pane.until(/○ watching/)
      const idle = pane.screen()
      await desktop.copy('something else')
      await desktop.copy(`${copied}\n`)
      await desktop.noticed()
      expect(pane.screen()).toBe(idle)
    })

    it('says once that the clipboard cannot be read, goes on, and takes the next patch when it can again', async () => {
      const pane = await watching()
      await desktop.copyAndHang()
      await pane.until(/cannot read the clipboard/)
      await desktop.copy(answerWith({ 'src/app.js': 'export const app = 2\n' }).text)
      await pane.until(/kept #1/)
      expect(pane.screen().match(/cannot read the clipboard/g)).toHaveLength(1)
      expect(pane.screen()).toMatch(/the clipboard can be read again\n○ watching\n── #1/)
    })

    it('looks again and again where that is wished for', async () => {
      const pane = await watching({ clipboard: 'poll' })
      expect(pane.screen()).toContain('  clipboard  xclip every 100 ms (clipboard: poll)\n')
      await desktop.copy(answerWith({ 'src/app.js': 'export const app = 2\n' }).text)
      await pane.until(/kept #1 .*\n○ watching/)
      expect(project.read('src/app.js')).toBe('export const app = 2\n')
    })

    it('takes what is copied in quick succession, in that order', async () => {
      const pane = await watching({ linter: '' })
      for (let copy = 1; copy <= 20; copy++) {
        await desktop.copy(answerWith({ [`src/${copy}.js`]: `export default ${copy}\n` }).text)
        await until(() => desktop.reads() > 0, 'a look at each copy')
      }
      await pane.until(/kept #20/)
      expect(Object.keys(project.tree()).filter(path => /\d/.test(path))).toHaveLength(20)
      expect([...pane.screen().matchAll(/\+ src\/(\d+)\.js/g)].map(([, number]) => Number(number))).toEqual(
        Array.from({ length: 20 }, (_, at) => at + 1),
      )
    })

    // tsc needs Node, which the single binary's tests keep out of reach.
    it.skipIf(relayBinary !== undefined)('checks with the real tsc', async () => {
      const pane = await watching(
        { linter: 'npx --no-install tsc --noEmit' },
        {
          'tsconfig.json': '{"compilerOptions":{"strict":true,"types":[]},"include":["src"]}',
          'src/size.ts': 'export const size: string = 1\n',
        },
      )
      symlinkSync(resolve('node_modules'), join(project.root, 'node_modules'))
      await desktop.copy(answerWith({ 'src/name.ts': "export const name: number = 'x'\n" }).text)
      await pane.until(/Keep this change\?/)
      expect(pane.screen()).toMatch(/✔ base {4}1 error /)
      expect(pane.screen()).toMatch(/▲ lint {4}2 errors {6}new 1 {3}fixed 0 {3}same 1/)
      expect(pane.screen()).toMatch(/src\/name\.ts:1:14 {2}TS2322 {2}Type/)
      await pane.typeUntil(/declined #1/, 'n', 'Enter')

      await desktop.copy(answerWith({ 'src/size.ts': 'export const size: number = 1\n' }).text)
      await pane.until(/kept #2 {2}auto: no new errors/)
      expect(pane.screen()).toMatch(/✔ lint {4}0 errors {6}new 0 {3}fixed 1 {3}same 0/)
    })

    it('says once that the display is gone and once that it is back, and goes on', async () => {
      const pane = await watching()
      await desktop.killDisplay()
      await pane.until(/cannot read the clipboard/)
      await desktop.restartDisplay()
      await pane.until(/the clipboard can be read again/)
      await desktop.copy(answerWith({ 'src/app.js': 'export const app = 2\n' }).text)
      await pane.until(/kept #1/)
      expect(pane.screen().match(/cannot read the clipboard/g)).toHaveLength(1)
      await desktop.killDisplay()
      await pane.until(/cannot read the clipboard/, 2)
      pane.type('C-c')
      expect(await pane.ended()).toEqual({ status: '0', signal: '' })
      await desktop.restartDisplay()
    })
  },
)

/** The screen without what differs from run to run: times, and how long things took. */
function shown(pane: Pane): string {
  return (
    pane
      .screen()
      .replaceAll(/\d\d:\d\d:\d\d/g, 'HH:MM:SS')
      // The keys stand where the time's width leaves them.
      .replaceAll(/ {2,}(u undo {3}d diff) +(?=\d)/g, '   $1   ')
      .replaceAll(/^([✔▲✖↩].*\S) +\d+(\.\d+)? m?s$/gm, '$1   TIME')
      .replaceAll(/\/\S*relay-project-\S*/g, 'ROOT')
      .replaceAll(/ on :\d+ +/g, ' on DISPLAY     ')
  )
}
