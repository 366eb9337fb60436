import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { late } from '../../../src/system/late.ts'
import { hasEditor, openInEditor, wishedEditor } from '../../../src/system/terminal/editor.ts'
import { showInPager } from '../../../src/system/terminal/pager.ts'

describe('hasEditor', () => {
  it.each([
    ['sh', true],
    [' sh -c x', true],
    ['/bin/sh', true],
    ['exec sh', true],
    ['no-such-editor', false],
    ['no-such-editor --wait', false],
    ['/no/such/editor', false],
    // What only running it would tell is nothing to warn of.
    ['"/my editors/vi" -f', true],
    ['LC_ALL=C no-such-editor', true],
    ['~/bin/no-such-editor', true],
  ])('says of %s: %s', async (command, there) => {
    expect(await hasEditor(command, 'linux')).toBe(there)
  })
})

it('takes the setting for relay before what is set for other programs', () => {
  const env = { GIT_EDITOR: 'git', VISUAL: 'visual', EDITOR: 'editor' }
  expect(wishedEditor({ ...env, RELAY_EDITOR: 'now' }, 'setting')).toBe('now')
  expect(wishedEditor(env, 'setting')).toBe('setting')
  expect(wishedEditor(env)).toBe('git')
})

it.each([
  ['notepad', 'notepad "C:\\a b.ts" & notepad "C:\\c.ts"'],
  ['Notepad.exe', 'notepad "C:\\a b.ts" & notepad "C:\\c.ts"'],
  ['code --wait', 'code --wait "C:\\a b.ts" "C:\\c.ts"'],
])('gives %s on Windows the files that it takes at a time', async (command, line) => {
  const spawn = vi.spyOn(late.childProcess, 'spawn').mockImplementation(() => {
    const program = new EventEmitter()
    setImmediate(() => program.emit('exit', 0))
    return program as ReturnType<typeof late.childProcess.spawn>
  })
  const options = {
    keyboard: 0,
    screen: 1,
    env: {},
    platform: 'win32',
    interruption: new AbortController().signal,
  } as const
  expect(await openInEditor(command, ['C:\\a b.ts', 'C:\\c.ts'], options)).toBe('edited')
  expect(spawn.mock.calls.map(([started]) => started)).toEqual([line])
  spawn.mockRestore()
})

it('survives what starting an editor or a pager throws at once', async () => {
  const spawn = vi.spyOn(late.childProcess, 'spawn').mockImplementation(() => {
    throw Object.assign(new Error('spawn E2BIG'), { code: 'E2BIG' })
  })
  const { signal: interruption } = new AbortController()
  const options = { keyboard: 0, screen: 1, env: {}, platform: 'linux', interruption } as const
  expect(await openInEditor('vi', ['/a.ts'], options)).toBe('absent')
  expect(await showInPager('less', 'text', options)).toBe('spawn E2BIG')
  spawn.mockRestore()
})
