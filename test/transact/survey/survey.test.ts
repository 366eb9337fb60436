import { describe, expect, it } from 'vitest'
import type { PathFact } from '../../../src/model/plan.ts'
import { survey } from '../../../src/transact/survey/survey.ts'
import { diskError, FakeDisk } from '../../support/fake-disk.ts'

function layOut(): FakeDisk {
  const disk = new FakeDisk()
  disk.folder('.relaycode')
  disk.write('src/a.ts', 'a\n', 0o755)
  disk.write('/outside/secret.ts', 'secret\n')
  disk.symlink('a.ts', 'src/inside-link.ts')
  disk.symlink('/outside/secret.ts', 'src/outside-link.ts')
  disk.symlink('nothing', 'src/dangling.ts')
  disk.symlink('../outside', 'escape')
  disk.symlink('src', 'folder-link')
  disk.symlink('nowhere', 'dangling-folder')
  disk.fifo('src/pipe')
  disk.mount('mounted')
  disk.write('mounted/m.ts', 'm\n')
  disk.mount('bound', 'bind')
  disk.write('bound/b.ts', 'b\n')
  for (const name of ['HEAD', 'objects/x', 'refs/y', 'hooks/pre-commit']) disk.write(`bare.git/${name}`, 'x')
  return disk
}

async function look(path: string, disk = layOut()): Promise<PathFact> {
  const [fact] = await survey('/project', [{ op: 'delete', path }], disk.files())
  if (fact === undefined) throw new Error('no fact')
  return fact
}

it('tells of a file that the user may not write', async () => {
  const disk = layOut()
  const files = { ...disk.files(), mayWrite: async () => false }
  const [fact] = await survey('/project', [{ op: 'write', path: 'src/a.ts' }], files)
  expect(fact).toMatchObject({ found: 'file', isClosed: true })
  expect(await look('src/a.ts', disk)).not.toHaveProperty('isClosed')
})

it.each([
  ['EACCES', 'HOME or XDG_STATE_HOME'],
  ['EIO', 'system log'],
])("says what leads to a folder for what is the user's that cannot be found (%s)", async (code, hint) => {
  const disk = layOut()
  disk.onCall = (name, path) => {
    if (name === 'realPath' && path.startsWith('/root/')) throw diskError(code)
  }
  const looked = survey('/project', [], disk.files(), { stateFolder: '/root/.local/state/relaycode' })
  await expect(looked).rejects.toMatchObject({ kind: 'environment', hint: expect.stringContaining(hint) })
})

describe('where capitals do not count', () => {
  const places = async (paths: readonly string[], foldsCase: boolean) => {
    const disk = new FakeDisk()
    disk.folder('.relaycode')
    for (const path of ['src/lib/button.ts', 'src/1.ts']) disk.write(path, 'x\n')
    if (!foldsCase) for (const path of ['src/Lib/Button.ts', 'src/lib/BUTTON.TS']) disk.write(path, 'x\n')
    disk.foldsCase = foldsCase
    const operations = paths.map(path => ({ op: 'write', path, content: '' }) as const)
    return (await survey('/project', operations, disk.files())).map(({ place, found }) => `${found} ${place}`)
  }
  const paths = ['src/lib/button.ts', 'SRC/Lib/Button.ts', 'Src/LIB/new.ts', 'src/1.ts', 'src/2.ts', 'New/a.ts']

  it('takes the spelling of what is there', async () => {
    expect(await places(paths, true)).toEqual([
      'file src/lib/button.ts',
      'file src/lib/button.ts',
      'absent src/lib/new.ts',
      'file src/1.ts',
      'absent src/2.ts',
      'absent New/a.ts',
    ])
  })

  it('takes each for a file of its own where they count', async () => {
    expect(
      await places(['src/lib/button.ts', 'src/Lib/Button.ts', 'src/lib/BUTTON.TS', 'src/lib/Button.ts'], false),
    ).toEqual([
      'file src/lib/button.ts',
      'file src/Lib/Button.ts',
      'file src/lib/BUTTON.TS',
      'absent src/lib/Button.ts',
    ])
  })
})

describe('a survey that lists what stands beside', () => {
  const lookAll = async (paths: readonly string[], disk = layOut()) => {
    const calls: string[] = []
    const files = disk.files()
    const list = (path: string) => {
      calls.push(path)
      return files.list(path)
    }
    const operations = paths.map(path => ({ op: 'write', path, content: '' }) as const)
    const facts = await survey('/project', operations, { ...files, list }, { listsBeside: true })
    return { calls, beside: facts.map(({ beside }) => beside?.filter(name => /^[a-z]\.ts$|^src$/.test(name))) }
  }

  it('lists each folder in which something new comes once, and no other', async () => {
    const found = await lookAll([
      'src/b.ts',
      'src/c.ts',
      'src/x/y/z.ts',
      'src/a.ts',
      'mounted/m.ts',
      'folder-link/q.ts',
    ])
    expect(found.beside).toEqual([['a.ts'], ['a.ts'], ['a.ts'], undefined, undefined, ['a.ts']])
    expect(found.calls).toEqual(['/project/src'])
    expect((await lookAll(['new/x.ts'])).beside).toEqual([['src']])
  })

  it('knows nothing of a folder that may not be listed, and goes on', async () => {
    const disk = layOut()
    disk.onCall = (call, path) => {
      if (call === 'list' && path === '/project/src') throw diskError('EACCES')
    }
    expect((await lookAll(['src/b.ts'], disk)).beside).toEqual([[]])
  })
})

describe('a survey', () => {
  it.each([
    ['src/a.ts', { found: 'file', leads: { kind: 'inside', target: 'src/a.ts' }, link: undefined }],
    ['src/new.ts', { found: 'absent', missingFolders: [] }],
    ['src/x/y/z.ts', { found: 'absent', missingFolders: ['src/x', 'src/x/y'] }],
    [
      'src/inside-link.ts',
      { found: 'file', leads: { kind: 'inside', target: 'src/a.ts' }, link: 'a.ts', place: 'src/inside-link.ts' },
    ],
    ['src/outside-link.ts', { leads: { kind: 'outside', to: '/outside/secret.ts' } }],
    ['src/dangling.ts', { leads: { kind: 'nowhere', to: 'nothing' }, link: 'nothing' }],
    ['escape/secret.ts', { leads: { kind: 'outside', to: '/outside' } }],
    ['escape/new/x.ts', { leads: { kind: 'outside', to: '/outside' } }],
    [
      'folder-link/a.ts',
      { found: 'file', leads: { kind: 'inside', target: 'src/a.ts' }, link: undefined, place: 'src/a.ts' },
    ],
    ['folder-link/inside-link.ts', { leads: { kind: 'inside', target: 'src/a.ts' }, place: 'src/inside-link.ts' }],
    ['folder-link/q/n.ts', { missingFolders: ['src/q'], leads: { kind: 'inside', target: 'src/q/n.ts' } }],
    ['dangling-folder/a.ts', { leads: { kind: 'nowhere', to: 'nowhere' } }],
    ['src', { found: 'folder' }],
    ['src/pipe', { found: 'other' }],
    ['src/a.ts/b.ts', { fileInTheWay: 'src/a.ts' }],
    ['folder-link/a.ts/b/c.ts', { fileInTheWay: 'src/a.ts' }],
    ['mounted/m.ts', { found: 'file', otherDevice: 'mounted' }],
    ['bound/b.ts', { found: 'file', otherDevice: 'bound' }],
    ['mounted/x/y.ts', { otherDevice: 'mounted', missingFolders: ['mounted/x'] }],
    ['bare.git/hooks/pre-commit', { guarded: 'bare.git' }],
    ['bare.git/hooks/new', { guarded: 'bare.git' }],
  ])('tells where %s leads and what is there', async (path, expected) => {
    expect(await look(path)).toMatchObject(expected)
  })

  it('brings the exact bytes and the permission bits', async () => {
    const { file } = await look('src/a.ts')
    expect({ text: Buffer.from(file?.bytes ?? []).toString(), mode: file?.mode }).toEqual({ text: 'a\n', mode: 0o755 })
  })

  it('tells two names of one file by their identity', async () => {
    const disk = layOut()
    disk.link('src/a.ts', 'twin.ts')
    expect((await look('twin.ts', disk)).identity).toBe((await look('src/a.ts', disk)).identity)
  })

  it('never takes a path that cannot be looked at for one that is not there', async () => {
    for (const code of ['EACCES', 'EIO', 'ELOOP']) {
      const disk = layOut()
      disk.onCall = (name, path) => {
        if (name === 'stat' && path.endsWith('/src/a.ts')) throw diskError(code)
      }
      await expect(look('src/a.ts', disk)).rejects.toMatchObject({ name: 'RelayError' })
    }
  })

  it('looks at a folder once, however many files are in it', async () => {
    const disk = layOut()
    let looks = 0
    disk.onCall = (name, path) => {
      if (name === 'stat' && path === '/project/src') looks += 1
    }
    const operations = Array.from({ length: 500 }, (_, n) => ({ op: 'delete', path: `src/${n}.ts` }) as const)
    expect(await survey('/project', operations, disk.files())).toHaveLength(500)
    expect(looks).toBe(1)
  })

  it('reads nothing through a link that takes a folder’s place meanwhile', async () => {
    const disk = layOut()
    disk.write('/outside/a.ts', 'secret\n')
    disk.onCall = (name, path) => {
      if ((name !== 'inspect' && name !== 'read') || path !== '/project/src/a.ts') return
      disk.onCall = undefined
      disk.remove('src')
      disk.symlink('/outside', 'src')
    }
    await expect(look('src/a.ts', disk)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('does not read a file that is too large', async () => {
    const disk = layOut()
    const paths = ['src/a.ts', 'src/inside-link.ts']
    const limited = await survey(
      '/project',
      paths.map(path => ({ op: 'delete', path })),
      disk.files(),
      { fileBytes: 1 },
    )
    expect(limited).toMatchObject(paths.map(() => ({ found: 'file', file: undefined, tooLarge: 2 })))
    expect((await look('src/a.ts')).tooLarge).toBeUndefined()
  })
})
