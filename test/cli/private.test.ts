import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { treeOf } from '../faults/world.ts'
import { runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

/** A project of one test's own: they run side by side. */
function projectOf({ onTestFinished }: TestContext, config: Readonly<Record<string, unknown>> = {}) {
  const project = scratchProject({ 'app.js': 'old\n', tool: '#!/bin/sh\n' }, config)
  chmodSync(join(project.root, 'tool'), 0o755)
  onTestFinished(project.remove)
  let serial = 0
  const apply = (files: Readonly<Record<string, string | null>>, ...args: string[]) => {
    const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}`
    return runRelay(['apply', ...args], { cwd: project.root, stdin: respond(files, { uuid }) })
  }
  return { ...project, apply, state: join(project.root, '.relaycode') }
}

function modesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = join(folder, entry.name)
    const mode = (lstatSync(path).mode & 0o7777).toString(8)
    return [
      [`${entry.isDirectory() ? 'folder' : 'file'} ${mode}`, path],
      ...(entry.isDirectory() ? modesBelow(path) : []),
    ]
  })
}

describe.concurrent('what relay keeps', () => {
  it('can be read by its owner alone', async context => {
    const { apply, state } = projectOf(context, { postCommand: 'echo printed; echo more >> app.js', linter: 'true' })
    expect(
      (await apply({ 'app.js': 'new\n', tool: '#!/bin/sh\n# new\n', 'fresh.js': 'x\n' }, '--allow-sensitive')).code,
    ).toBe(0)
    expect((await apply({ 'app.js': 'newer\n' }, '--no-input')).code).toBe(0)
    expect(lstatSync(state).mode & 0o7777).toBe(0o700)
    const modes = modesBelow(state)
    expect(modes.length).toBeGreaterThan(6)
    expect(new Set(modes.map(([what]) => what))).toEqual(new Set(['folder 700', 'file 600']))
  })

  it('is closed to others when it was open, as one that came with a clone is', async context => {
    const { apply, state } = projectOf(context)
    mkdirSync(state, { mode: 0o755 })
    chmodSync(state, 0o755)
    expect((await apply({ 'app.js': 'new\n' })).code).toBe(0)
    expect(lstatSync(state).mode & 0o7777).toBe(0o700)
  })

  it.for(['log', 'status', 'recover --dry-run', 'followup', 'apply --last', 'prune --keep 1 --dry-run'])(
    'is not looked for where a link stands in its place: relay %s says what to do',
    async (words, context) => {
      const { root, state } = projectOf(context)
      symlinkSync(tmpdir(), state)
      const { code, stdout, stderr } = await runRelay(words.split(' '), { cwd: root })
      expect({ code, stdout, said: stderr.replaceAll(root, '/project') }).toEqual({
        code: 8,
        stdout: '',
        said:
          'Error: /project/.relaycode is not a folder\n' +
          'Hint: relay keeps its state there and follows no link. Move it away, then run `relay --init`.\n',
      })
    },
  )

  it.for(['.', 'lock', 'rescue', 'output', 'declined', 'watch', 'ask', 'history.jsonl', 'last-declined.yml'])(
    'is nowhere else, whatever link stands there: %s',
    async (name, context) => {
      const { apply, state, root } = projectOf(context, { approval: 'no' })
      const outside = mkdtempSync(join(tmpdir(), 'relay-outside-'))
      context.onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
      mkdirSync(join(outside, 'folder'))
      if (name !== '.') mkdirSync(state, { mode: 0o700 })
      symlinkSync(
        join(outside, name.includes('.') && name !== '.' ? 'no-file' : 'folder'),
        join(state, name === '.' ? '' : name),
      )
      const before = treeOf(outside)
      const { code, stderr } = await apply({ 'app.js': 'new\n' })
      if (name !== 'last-declined.yml') expect(stderr).toMatch(/follows no link|is a symbolic link/)
      expect(name === 'last-declined.yml' ? 3 : 8).toBe(code)
      expect(treeOf(outside)).toEqual(before)
      expect(treeOf(root)).toMatchObject({ 'app.js': expect.stringContaining('old') })
    },
  )

  it.runIf(process.getuid?.() === 0)('is used only after a yes when it is another user’s', async context => {
    const { apply, state, read } = projectOf(context)
    mkdirSync(state, { mode: 0o700 })
    chownSync(state, 12_345, 12_345)
    const { code, stderr } = await apply({ 'app.js': 'new\n' }, '--yes', '--allow-sensitive')
    expect(code).toBe(3)
    expect(stderr).toContain('its .relaycode/ belongs to another user (number 12345)')
    expect(stderr).toContain('Add `--trust` to allow it.')
    expect(read('app.js')).toBe('old\n')
    expect((await apply({ 'app.js': 'new\n' }, '--trust')).code).toBe(0)
    expect((await apply({ 'app.js': 'newer\n' })).code).toBe(0)
  })

  it('is used only after a yes when everybody may write in the project', async context => {
    const { apply, root } = projectOf(context)
    chmodSync(root, 0o777)
    expect((await apply({ 'app.js': 'new\n' })).code).toBe(3)
    expect((await apply({ 'app.js': 'new\n' }, '--trust')).code).toBe(0)
  })
})
