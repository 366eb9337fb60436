import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { canRunWith } from '../support/has-program.ts'
import { plainEnv, type RelayEnd, relayCommand, runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { type ScratchProject, scratchProject, treeAt } from '../support/scratch-project.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'

let project: ScratchProject
let pane: Pane | undefined
afterEach(async () => {
  await pane?.stop()
  pane = undefined
  project.remove()
})

const run = (...args: string[]): Promise<RelayEnd> => runRelay(args, { cwd: project.root })

/** A project in which one patch was kept: text, bytes, a mode, a link, odd names. */
async function keep(): Promise<void> {
  project = scratchProject({
    'src/a.ts': 'one\ntwo\nthree\nfour\nfive\n',
    'windows.txt': 'one\r\ntwo',
    'with blank/ünï.ts': 'x\n',
    raw: Uint8Array.of(0xff, 0, 10),
  })
  symlinkSync('src/a.ts', join(project.root, 'link'))
  const asked = {
    'src/a.ts': 'one\nTWO\nthree\nfour\nfive\n',
    'windows.txt': 'one\nTWO\n',
    'with blank/ünï.ts': 'y\n',
    'src/new/b.ts': 'b\n',
    raw: null,
    link: null,
  }
  const { code, stderr } = await runRelay(['apply', '--yes'], { cwd: project.root, stdin: respond(asked) })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('kept #1') })
}

describe('what was kept', () => {
  it.runIf(canRunWith('git'))('is a patch that git takes back and applies again', async () => {
    await keep()
    const kept = project.tree()
    const patch = (await run('show', '1', '--patch')).stdout
    expect((await run('diff')).stdout).toBe(patch)
    const copy = mkdtempSync(join(tmpdir(), 'relay-git-'))
    try {
      cpSync(project.root, copy, { recursive: true, verbatimSymlinks: true })
      const git = (...args: string[]) => {
        const { status, stderr } = spawnSync('git', ['apply', ...args], { cwd: copy, input: patch, env: plainEnv() })
        return { status, stderr: stderr.toString() }
      }
      expect(git('-R')).toEqual({ status: 0, stderr: '' })
      await run('undo', '--yes')
      const undone = project.tree()
      expect(treeAt(copy)).toEqual(undone)
      expect(git()).toEqual({ status: 0, stderr: '' })
      expect((await run('redo', '--yes')).code).toBe(0)
      expect(project.tree()).toEqual(kept)
      expect((await run('undo', '--yes')).code).toBe(0)
      expect(project.tree()).toEqual(undone)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  })

  it('is told to a program, and the reading commands write nothing', async () => {
    await keep()
    await run('undo', '--yes')
    const before = project.journal()
    for (const args of [
      ['log', '--json'],
      ['show', '1', '--json'],
      ['diff', '2', '--json'],
      ['status', '--json'],
    ]) {
      const { code, stdout, stderr } = await run(...args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual(expect.any(Object))
    }
    expect(project.journal()).toEqual(before)
    expect(JSON.parse((await run('log', '--json')).stdout).transactions).toMatchObject([
      { number: 2, source: 'undo', undoes: { number: 1 } },
      { number: 1, outcome: 'undone', undoneBy: 2 },
    ])
  })

  it('can be asked for all that a command printed, also when that was very much', async () => {
    const prints = 'seq -f "line %.0f of many that nobody reads in full" 300000'
    project = scratchProject({ 'a.js': '1\n' }, { postCommand: prints })
    const kept = await runRelay(['apply', '--yes', '--trust'], { cwd: project.root, stdin: respond({ 'a.js': '2\n' }) })
    expect({ code: kept.code, stderr: kept.stderr }).toEqual({ code: 0, stderr: expect.stringContaining('kept #1') })
    const { stdout } = await run('show', '1', '--output')
    const lines = stdout.match(/line \d+ of many/g) ?? []
    expect(lines).toHaveLength(300_000)
    expect(lines.at(-1)).toBe('line 300000 of many')
  })

  it.runIf(canRunWith('tmux'))('is taken back at a terminal, and an edit that overlaps is decided there', async () => {
    await keep()
    project.write('src/a.ts', 'one\nmine\nthree\nfour\nFIVE\n')
    pane = startPane(`${relayCommand.join(' ')} undo`, {
      cwd: project.root,
      columns: 80,
      env: plainEnv() as Record<string, string>,
    })
    await pane.until(/What now\? \(m\/s\/o\/n\/\?\)/)
    expect(pane.screen()).toMatch(/line 2, now:\n\s+- mine\n\s+without #1:\n\s+\+ two\n/)
    await pane.typeUntil(/Undo #1, 6 files\? \(y\/n\/d\/\?\)/, 'o', 'Enter')
    expect(pane.screen()).toContain('present one moved to rescue')
    await pane.typeUntil(/Undid #1 .* \(6 files\)/, 'y', 'Enter')
    expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    expect(
      pane
        .screen()
        .split('\n')
        .filter(line => line.length > 80),
    ).toEqual([])
    expect(project.read('src/a.ts')).toBe('one\ntwo\nthree\nfour\nfive\n')
    const [, aside = ''] = /the version that was there is in\s+(\S+)/.exec(pane.screen()) ?? []
    expect(project.read(aside)).toBe('one\nmine\nthree\nfour\nFIVE\n')
  })
})
