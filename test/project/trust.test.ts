import { describe, expect, it } from 'vitest'
import { judgeCommands, judgePlace, trustProject } from '../../src/project/trust.ts'
import { trustPath } from '../../src/project/trust-file.ts'
import { stateFolderOf } from '../../src/system/state-folder.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeProject } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'

const commands = { linter: 'lint', postCommand: 'format' }
const folder = '/home/me/.local/state/relaycode'
const path = trustPath(folder, '/project')

/** A user whose number is the fake disk's. */
function world() {
  const { system, disk } = fakeSystem()
  const doors = { ...system, uid: 1000 }
  return { disk, doors, judge: states(doors) }
}

/** Each command's state, for short. */
function states(doors: Parameters<typeof judgeCommands>[1]) {
  return async (changes: Parameters<typeof fakeProject>[0] = commands, root = '/project') => {
    const judged = await judgeCommands({ ...fakeProject(changes), root }, doors)
    return Object.fromEntries(judged.map(({ key, state }) => [key, state]))
  }
}

describe('the commands that a user has agreed to', () => {
  it('are known again for this project and these commands, and no other', async () => {
    const { doors, judge } = world()
    expect(await judge()).toEqual({ linter: 'new', postCommand: 'new' })
    expect(await trustProject(fakeProject(commands), [], doors)).toBeUndefined()
    expect(await judge()).toEqual({ linter: 'confirmed', postCommand: 'confirmed' })
    expect(await judge({ ...commands, approval: 'no', commandTimeout: 5, notify: 'bell' })).toEqual({
      linter: 'confirmed',
      postCommand: 'confirmed',
    })
    expect(await judge({ linter: 'lint ', postCommand: 'format', preCommand: 'x', notify: 'say it' })).toEqual({
      preCommand: 'new',
      linter: 'changed',
      postCommand: 'confirmed',
      notify: 'new',
    })
    expect(await judge(commands, '/project2')).toEqual({ linter: 'new', postCommand: 'new' })
  })

  it('are also those that make a checkout ready', async () => {
    const { doors, judge } = world()
    const withSetup = { ...commands, checkout: { setup: 'npm ci', link: ['data'], copy: [], env: [], fresh: false } }
    await trustProject(fakeProject(commands), [], doors)
    expect(await judge(withSetup)).toEqual({ linter: 'confirmed', postCommand: 'confirmed', 'checkout.setup': 'new' })
    await trustProject(fakeProject(withSetup), [], doors)
    expect(await judge(withSetup)).toMatchObject({ 'checkout.setup': 'confirmed' })
  })

  it('are asked about again when they change back: only the last agreement counts', async () => {
    const { doors, judge } = world()
    await trustProject(fakeProject(commands), [], doors)
    await trustProject(fakeProject({ linter: 'other' }), [], doors)
    expect(await judge()).toEqual({ linter: 'changed', postCommand: 'new' })
  })

  it('are none where nothing would run', async () => {
    const { judge } = world()
    expect(await judge({ linter: ' ', notify: 'osc' })).toEqual({})
  })

  it('are remembered where only the user can write', async () => {
    const { disk, doors } = world()
    await trustProject(fakeProject(commands), [], doors)
    const tree = (at: string) => disk.files({ check: () => {} } as never).stat(at)
    expect((await tree(path))?.mode).toBe(0o600)
    expect((await tree(folder))?.mode).toBe(0o700)
    expect((await tree(`${folder}/trust`))?.mode).toBe(0o700)
    expect(disk.readText(path)).not.toContain('format')
  })

  it.each<[string, (disk: ReturnType<typeof world>['disk']) => void]>([
    ['is cut off', disk => disk.write(path, '{"version": 1')],
    ['is no object', disk => disk.write(path, 'null')],
    ['is another project’s', disk => disk.write(path, disk.readText(path).replace('/project', '/other'))],
    ['can be written by others', disk => disk.chmod(path, 0o622)],
    ['is in a folder that can be written by others', disk => disk.chmod(`${folder}/trust`, 0o777)],
    [
      'is a link',
      disk => {
        disk.write('/tmp/planted', disk.readText(path))
        disk.remove(path)
        disk.symlink('/tmp/planted', path)
      },
    ],
  ])('are asked about when the file %s', async (_, spoil) => {
    const { disk, doors, judge } = world()
    await trustProject(fakeProject(commands), [], doors)
    spoil(disk)
    expect(await judge()).toEqual({ linter: 'new', postCommand: 'new' })
  })

  it('are asked about when the file cannot be read, which is not told as a no', async () => {
    const { disk, doors, judge } = world()
    await trustProject(fakeProject(commands), [], doors)
    disk.onCall = name => {
      if (name === 'read') throw diskError('EMFILE')
    }
    expect(await judge()).toEqual({ linter: 'unknown', postCommand: 'unknown' })
  })

  it('are asked about when the file is another user’s, root’s excepted', async () => {
    const { doors } = world()
    await trustProject(fakeProject(commands), [], doors)
    expect(await states({ ...doors, uid: 1001 })()).toEqual({ linter: 'new', postCommand: 'new' })
  })

  it('cannot be remembered without a home, and that is said', async () => {
    const { doors } = world()
    expect(await trustProject(fakeProject(commands), [], { ...doors, stateFolder: undefined })).toMatch(
      /no home folder/,
    )
    expect(await states({ ...doors, stateFolder: undefined })()).toEqual({ linter: 'new', postCommand: 'new' })
  })
})

describe('a place in which others have a say', () => {
  const places = async (doors: Parameters<typeof judgePlace>[1]) =>
    (await judgePlace('/project', doors)).map(({ what }) => what)

  it('is none when it is the user’s own, or not there yet', async () => {
    const { disk, doors } = world()
    expect(await places(doors)).toEqual([])
    disk.folder('.relaycode', 0o700)
    expect(await places(doors)).toEqual([])
    expect(await places({ ...doors, uid: undefined })).toEqual([])
  })

  it('is told with its reasons, until the user has agreed to them', async () => {
    const { disk, doors } = world()
    disk.folder('.relaycode', 0o700)
    disk.chmod('/project', 0o777)
    const other = { ...doors, uid: 1001 }
    expect(await places(other)).toEqual([
      'its .relaycode/ belongs to another user (number 1000)',
      'every user of this machine can change it (mode o+w; `chmod o-w` ends it)',
    ])
    expect(await places(doors)).toEqual(['every user of this machine can change it (mode o+w; `chmod o-w` ends it)'])
    await trustProject(fakeProject(), await judgePlace('/project', doors), doors)
    expect(await places(doors)).toEqual([])
    // A later agreement to the commands forgets nothing.
    await trustProject(fakeProject(commands), [], doors)
    expect(await places(doors)).toEqual([])
  })
})

describe('the folder for what is the user’s', () => {
  it.each([
    ['linux', {}, '/home/me', '/home/me/.local/state/relaycode'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/home/me', '/state/relaycode'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/me', '/home/me/.local/state/relaycode'],
    ['linux', {}, '', undefined],
    ['darwin', {}, '/Users/me', '/Users/me/Library/Application Support/relaycode'],
    ['win32', { LOCALAPPDATA: '/C/Local' }, '/C/me', '/C/Local/relaycode'],
    ['win32', {}, '/C/me', '/C/me/AppData/Local/relaycode'],
  ] as const)('%s %o %s: %s', (platform, env, home, expected) => {
    expect(stateFolderOf(platform, env, home)).toBe(expected)
  })
})
