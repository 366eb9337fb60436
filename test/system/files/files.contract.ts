import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it } from 'vitest'
import { RelayError } from '../../../src/errors.ts'
import type { Files } from '../../../src/ports.ts'

/** What every file system behind the port must keep. `make` gives a fresh, empty folder. */
export function filesContract(name: string, make: () => Promise<{ readonly files: Files; readonly root: string }>) {
  describe(`${name} files`, () => {
    let files: Files
    let at: (path: string) => string

    beforeEach(async () => {
      const made = await make()
      files = made.files
      at = path => `${made.root}/${path}`
    })

    const bytes = (text: string) => Buffer.from(text)
    const textAt = async (path: string) => {
      const found = await files.read(at(path))
      return found === null ? null : Buffer.from(found).toString()
    }
    const namesIn = async (path: string) => [...((await files.list(at(path))) ?? [])].sort()
    /** The message and the cause's code of a call that must fail. */
    const failure = async (call: Promise<unknown>) => {
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(RelayError)
      return ((error as RelayError).cause as NodeJS.ErrnoException).code
    }

    describe('read', () => {
      it('gives the exact bytes', async () => {
        const odd = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 0xff, 13, 10])
        await files.create(at('a'), odd)
        expect(Buffer.from((await files.read(at('a'))) ?? []).equals(odd)).toBe(true)
      })
      it('gives an empty file as no bytes', async () => {
        await files.create(at('a'), bytes(''))
        expect(await files.read(at('a'))).toHaveLength(0)
      })
      it('follows links', async () => {
        await files.create(at('a'), bytes('one'))
        await files.symlink('a', at('l'))
        expect(await textAt('l')).toBe('one')
      })
      it.each(['missing', 'a/below-a-file', 'no-folder/a', 'dangling'])('answers null at %s', async path => {
        await files.create(at('a'), bytes('one'))
        await files.symlink('nowhere', at('dangling'))
        expect(await files.read(at(path))).toBeNull()
      })
      it('fails on a folder, and on links in a circle', async () => {
        await files.makeFolder(at('f'))
        await files.symlink('circle', at('circle'))
        expect(await failure(files.read(at('f')))).toBe('EISDIR')
        expect(await failure(files.read(at('circle')))).toBe('ELOOP')
      })
    })

    describe('inspect', () => {
      it('tells what is there, whole, and follows no link', async () => {
        await files.create(at('a'), bytes('one'))
        await files.makeFolder(at('f'))
        await files.symlink('a', at('l'))
        expect(await files.inspect(at('a'))).toEqual({ kind: 'file', bytes: bytes('one') })
        expect(await files.inspect(at('f'))).toEqual({ kind: 'folder' })
        expect(await files.inspect(at('l'))).toEqual({ kind: 'link', to: 'a' })
        expect(await files.inspect(at('missing'))).toBeNull()
        expect(await files.inspect(at('no-folder/a'))).toBeNull()
        await files.symlink('f', at('g'))
        expect(await failure(files.inspect(at('g/a')))).toBe('EMOVED')
      })
    })

    describe('stat', () => {
      it('tells kind, mode, size and number of names', async () => {
        await files.create(at('a'), bytes('12345'), { mode: 0o755 })
        await files.link(at('a'), at('b'))
        await files.makeFolder(at('f'), 0o750)
        await files.symlink('nowhere', at('l'))
        expect(await files.stat(at('a'))).toMatchObject({ kind: 'file', mode: 0o755, size: 5, links: 2 })
        expect(await files.stat(at('f'))).toMatchObject({ kind: 'folder', mode: 0o750 })
        expect(await files.stat(at('l'))).toMatchObject({ kind: 'link', size: 7 })
      })
      it('knows two names of one file by device and inode', async () => {
        await files.create(at('a'), bytes('1'))
        await files.link(at('a'), at('b'))
        await files.create(at('c'), bytes('1'))
        const identity = async (path: string) => {
          const stat = await files.stat(at(path))
          return `${stat?.device}:${stat?.inode}`
        }
        expect(await identity('a')).toBe(await identity('b'))
        expect(await identity('a')).not.toBe(await identity('c'))
      })
      it('answers null only when nothing is there', async () => {
        await files.create(at('a'), bytes('1'))
        expect(await files.stat(at('missing'))).toBeNull()
        expect(await files.stat(at('a/b'))).toBeNull()
        expect(await files.stat(at('no/b'))).toBeNull()
      })
      it('fails on a circle of links above the path', async () => {
        await files.symlink('circle', at('circle'))
        expect(await failure(files.stat(at('circle/a')))).toBe('ELOOP')
      })
    })

    it('tells what stays so', async () => {
      await files.makeFolder(at('f'))
      expect(await files.stays(at('f'), found => found === null)).toBe(false)
      expect(await files.stays(at('f'), found => found?.kind === 'folder')).toBe(true)
      expect(await files.stays(at('f/missing/below'), found => found === null)).toBe(true)
    })

    it('reads where a link points, as it is written in it', async () => {
      await files.symlink('../some where', at('l'))
      expect(await files.readLink(at('l'))).toBe('../some where')
      expect(await failure(files.readLink(at('missing')))).toBe('ENOENT')
    })

    it('tells which names in a folder are links and folders, and answers null where there is none', async () => {
      await files.makeFolder(at('kinds'))
      await files.makeFolder(at('kinds/folder'))
      await files.create(at('kinds/file'), Buffer.from('x'))
      await files.symlink('folder', at('kinds/link'))
      await files.symlink('nothing', at('kinds/dangling'))
      const { links, folders } = (await files.listKinds(at('kinds'))) ?? { links: [], folders: [] }
      expect([[...links].sort(), folders]).toEqual([['dangling', 'link'], ['folder']])
      expect(await files.listKinds(at('missing'))).toBeNull()
    })

    it('lists the names in a folder, and answers null where there is none', async () => {
      await files.makeFolder(at('f'))
      await files.create(at('f/b'), bytes(''))
      await files.create(at('f/.a'), bytes(''))
      await files.makeFolder(at('f/c'))
      expect(await namesIn('f')).toEqual(['.a', 'b', 'c'])
      expect(await files.list(at('missing'))).toBeNull()
      expect(await files.list(at('f/b'))).toBeNull()
    })

    describe('create', () => {
      it('writes a new file with exactly the mode that is asked for', async () => {
        expect(await files.create(at('a'), bytes('one\n'), { mode: 0o666 })).toBe('created')
        expect(await textAt('a')).toBe('one\n')
        expect(await files.stat(at('a'))).toMatchObject({ mode: 0o666, links: 1 })
      })
      it('writes a file that its owner may not read', async () => {
        expect(await files.create(at('a'), bytes('one'), { mode: 0o000, sync: false })).toBe('created')
        expect(await files.stat(at('a'))).toMatchObject({ mode: 0, size: 3 })
      })
      it('leaves alone what is there, whatever it is', async () => {
        await files.create(at('a'), bytes('one'))
        await files.makeFolder(at('f'))
        await files.symlink('nowhere', at('l'))
        for (const path of ['a', 'f', 'l']) expect(await files.create(at(path), bytes('two'))).toBe('exists')
        expect(await textAt('a')).toBe('one')
        expect(await files.readLink(at('l'))).toBe('nowhere')
        expect(await files.stat(at('nowhere'))).toBeNull()
      })
      it('lets exactly one of many win', async () => {
        const tries = Array.from({ length: 100 }, (_, i) => files.create(at('a'), bytes(`${i}`), { sync: false }))
        const ends = await Promise.all(tries)
        expect(ends.filter(end => end === 'created')).toHaveLength(1)
        expect(await textAt('a')).toBe(String(ends.indexOf('created')))
      })
      it('fails where there is no folder, and leaves nothing', async () => {
        await files.create(at('a'), bytes(''))
        expect(await failure(files.create(at('no/a'), bytes('1')))).toBe('ENOENT')
        expect(await failure(files.create(at('a/b'), bytes('1')))).toBe('ENOTDIR')
        expect(await namesIn('')).toEqual(['a'])
      })
      it('fails on a name that is too long', async () => {
        const error = await files.create(at(`x/../${'n'.repeat(300)}`), bytes('1')).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(RelayError)
        expect(await namesIn('')).toEqual([])
      })
    })

    describe('replace', () => {
      it('puts a new file in the place of the old one', async () => {
        await files.create(at('a'), bytes('old'), { mode: 0o640 })
        const before = await files.stat(at('a'))
        await files.replace(at('a'), bytes('new'), at('t'), { mode: 0o600 })
        expect(await textAt('a')).toBe('new')
        expect(await files.stat(at('a'))).toMatchObject({ mode: 0o600, links: 1 })
        expect((await files.stat(at('a')))?.inode).not.toBe(before?.inode)
        expect(await namesIn('')).toEqual(['a'])
      })
      it('makes the file when there is none', async () => {
        await files.replace(at('a'), bytes('new'), at('t'))
        expect(await textAt('a')).toBe('new')
      })
      it('leaves the other names of the old file alone', async () => {
        await files.create(at('a'), bytes('old'))
        await files.link(at('a'), at('b'))
        await files.replace(at('a'), bytes('new'), at('t'))
        expect(await textAt('b')).toBe('old')
      })
      it('replaces a link itself', async () => {
        await files.create(at('a'), bytes('old'))
        await files.symlink('a', at('l'))
        await files.replace(at('l'), bytes('new'), at('t'))
        expect(await textAt('a')).toBe('old')
        expect(await files.stat(at('l'))).toMatchObject({ kind: 'file' })
      })
      it('goes on over what an earlier try left', async () => {
        await files.create(at('t'), bytes('half'), { mode: 0o444 })
        await files.replace(at('a'), bytes('new'), at('t'))
        expect(await textAt('a')).toBe('new')
        expect(await namesIn('')).toEqual(['a'])
      })
      it('leaves nothing behind when it fails', async () => {
        await files.makeFolder(at('f'))
        await files.create(at('f/a'), bytes('1'))
        expect(await failure(files.replace(at('f'), bytes('new'), at('t')))).toBe('EISDIR')
        expect(await failure(files.replace(at('no/a'), bytes('new'), at('t')))).toBe('ENOENT')
        expect(await namesIn('')).toEqual(['f'])
      })
    })

    it('appends at the end, making the file for its owner alone', async () => {
      await files.append(at('log'), bytes('one\n'))
      await files.append(at('log'), bytes('two\n'))
      expect(await textAt('log')).toBe('one\ntwo\n')
      expect(await files.stat(at('log'))).toMatchObject({ mode: 0o600 })
      expect(await failure(files.append(at('no/log'), bytes('1')))).toBe('ENOENT')
    })

    describe('link', () => {
      it('gives a file a second name', async () => {
        await files.create(at('a'), bytes('one'))
        expect(await files.link(at('a'), at('b'))).toBe('linked')
        expect((await files.stat(at('b')))?.inode).toBe((await files.stat(at('a')))?.inode)
      })
      it('leaves a taken name alone', async () => {
        await files.create(at('a'), bytes('one'))
        await files.create(at('b'), bytes('two'))
        await files.makeFolder(at('f'))
        expect(await files.link(at('a'), at('b'))).toBe('exists')
        expect(await files.link(at('a'), at('f'))).toBe('exists')
        expect(await textAt('b')).toBe('two')
      })
      it('fails on what is not there, and cannot link folders', async () => {
        await files.makeFolder(at('f'))
        expect(await failure(files.link(at('missing'), at('b')))).toBe('ENOENT')
        expect(await files.link(at('f'), at('b'))).toBe('unsupported')
        expect(await files.stat(at('b'))).toBeNull()
      })
      it('links a link itself', async () => {
        await files.symlink('nowhere', at('l'))
        expect(await files.link(at('l'), at('m'))).toBe('linked')
        expect(await files.readLink(at('m'))).toBe('nowhere')
      })
    })

    it('makes a symbolic link unless the name is taken', async () => {
      expect(await files.symlink('a', at('l'))).toBe('linked')
      expect(await files.symlink('b', at('l'))).toBe('exists')
      expect(await files.readLink(at('l'))).toBe('a')
    })

    describe('rename', () => {
      it('moves a file, replacing the one at the new place', async () => {
        await files.create(at('a'), bytes('one'))
        await files.create(at('b'), bytes('two'))
        expect(await files.rename(at('a'), at('b'))).toBe('renamed')
        expect(await textAt('b')).toBe('one')
        expect(await namesIn('')).toEqual(['b'])
      })
      it('moves a file onto its own second name, so that one name is left', async () => {
        await files.create(at('a'), bytes('one'))
        await files.link(at('a'), at('b'))
        expect(await files.rename(at('a'), at('b'))).toBe('renamed')
        expect(await namesIn('')).toEqual(['b'])
        expect(await files.stat(at('b'))).toMatchObject({ links: 1 })
      })
      it('keeps a file that is moved onto itself, in whatever spelling', async () => {
        await files.makeFolder(at('f'))
        await files.create(at('f/a'), bytes('one'))
        await files.link(at('f/a'), at('other'))
        expect(await files.rename(at('f/a'), at('f/a'))).toBe('renamed')
        expect(await files.rename(at('f/a'), at('f/../f/./a'))).toBe('renamed')
        expect(await textAt('f/a')).toBe('one')
      })
      it('moves folders and links', async () => {
        await files.makeFolder(at('f'))
        await files.create(at('f/a'), bytes('one'))
        await files.symlink('f', at('l'))
        expect(await files.rename(at('f'), at('g'))).toBe('renamed')
        expect(await files.rename(at('l'), at('m'))).toBe('renamed')
        expect(await textAt('g/a')).toBe('one')
        expect(await files.readLink(at('m'))).toBe('f')
      })
      it('says when nothing was there', async () => {
        await files.create(at('a'), bytes('one'))
        expect(await files.rename(at('missing'), at('b'))).toBe('absent')
        expect(await files.rename(at('a/b'), at('c'))).toBe('absent')
      })
      it('fails when the new place cannot take it, and nothing has moved', async () => {
        await files.create(at('a'), bytes('one'))
        await files.makeFolder(at('f'))
        expect(await failure(files.rename(at('a'), at('no/a')))).toBe('ENOENT')
        expect(await failure(files.rename(at('a'), at('f')))).toBe('EISDIR')
        expect(await failure(files.rename(at('f'), at('a')))).toBe('ENOTDIR')
        expect(await namesIn('')).toEqual(['a', 'f'])
      })
    })

    it('moves between folders of one file system, leaves no trace of finding out, and cannot tell of missing ones', async () => {
      await files.makeFolder(at('f'))
      await files.makeFolder(at('f/g'))
      expect(await files.canMove(at('f'), at('f/g'))).toBe(true)
      expect(await files.canMove(at('f'), at('f'))).toBe(true)
      expect(await files.canMove(at('missing'), at('f'))).toBe(true)
      expect(await files.canMove(at('f'), at('missing/too'))).toBe(true)
      expect([await namesIn(''), await namesIn('f')]).toEqual([['f'], ['g']])
    })

    it('says of a file that it was changed now, and follows no link', async () => {
      const time = async (path: string) => (await files.stat(at(path)))?.modifiedMs ?? 0
      await files.create(at('a'), bytes('one'))
      await files.symlink('a', at('l'))
      const before = await time('a')
      await files.touch(at('l'))
      expect(await time('a')).toBe(before)
      // Two moments of a clock can be one.
      while ((await time('a')) <= before) await files.touch(at('a'))
      expect(await textAt('a')).toBe('one')
      expect(await failure(files.touch(at('missing')))).toBe('ENOENT')
      await files.touch(at('a'), 1_234_567)
      expect(await time('a')).toBe(1_234_567)
    })

    it('removes files and links, and says whether there was one', async () => {
      await files.create(at('a'), bytes('one'))
      await files.symlink('a', at('l'))
      expect(await files.remove(at('l'))).toBe(true)
      expect(await textAt('a')).toBe('one')
      expect(await files.remove(at('a'))).toBe(true)
      expect(await files.remove(at('a'))).toBe(false)
      expect(await files.remove(at('no/a'))).toBe(false)
      await files.makeFolder(at('f'))
      expect(await failure(files.remove(at('f')))).toBe('EISDIR')
    })

    describe('makeFolder', () => {
      it('makes one folder with exactly the mode that is asked for', async () => {
        expect(await files.makeFolder(at('f'), 0o777)).toBe(true)
        expect(await files.stat(at('f'))).toMatchObject({ kind: 'folder', mode: 0o777 })
      })
      it('says when the name is taken', async () => {
        await files.create(at('a'), bytes(''))
        await files.symlink('nowhere', at('l'))
        expect(await files.makeFolder(at('f'))).toBe(true)
        expect(await files.makeFolder(at('f'))).toBe(false)
        expect(await files.makeFolder(at('a'))).toBe(false)
        expect(await files.makeFolder(at('l'))).toBe(false)
      })
      it('fails below what is no folder', async () => {
        await files.create(at('a'), bytes(''))
        expect(await failure(files.makeFolder(at('no/f')))).toBe('ENOENT')
        expect(await failure(files.makeFolder(at('a/f')))).toBe('ENOTDIR')
      })
    })

    it('removes only empty folders', async () => {
      await files.makeFolder(at('f'))
      await files.create(at('f/a'), bytes(''))
      expect(await files.removeFolder(at('f'))).toBe('not-empty')
      await files.remove(at('f/a'))
      expect(await files.removeFolder(at('f'))).toBe('removed')
      expect(await files.removeFolder(at('f'))).toBe('absent')
      expect(await files.removeFolder(at('no/f'))).toBe('absent')
      await files.create(at('a'), bytes(''))
      expect(await files.removeFolder(at('a'))).toBe('no-folder')
      await files.symlink('nothing', at('l'))
      expect(await files.removeFolder(at('l'))).toBe('no-folder')
    })

    it('syncs files and folders', async () => {
      await files.create(at('a'), bytes('one'), { sync: false })
      await files.sync(at('a'))
      await files.sync(at(''))
      expect(await failure(files.sync(at('missing')))).toBe('ENOENT')
    })

    describe('a link in the place of a folder', () => {
      type Call = (path: string, other: string) => Promise<unknown>
      it.each<[string, Call]>([
        ['create', path => files.create(path, bytes('x'))],
        ['replace', (path, other) => files.replace(path, bytes('x'), other)],
        ['replace by way of it', (path, other) => files.replace(other, bytes('x'), path)],
        ['append', path => files.append(path, bytes('x'))],
        ['link', (path, other) => files.link(other, path)],
        ['link out of it', (path, other) => files.link(path, other)],
        ['symlink', path => files.symlink('x', path)],
        ['rename', (path, other) => files.rename(other, path)],
        ['rename out of it', (path, other) => files.rename(path, other)],
        ['remove', path => files.remove(path)],
        ['makeFolder', path => files.makeFolder(path)],
        ['removeFolder', path => files.removeFolder(path)],
      ])('is not followed by %s', async (name, call) => {
        await files.makeFolder(at('out'))
        await files.makeFolder(at('out/side'))
        await files.makeFolder(at('in'))
        await files.symlink('../out', at('in/f'))
        if (name !== 'append' && !name.startsWith('replace')) await files.create(at('other'), bytes('other'))
        for (const path of ['in/f/a', 'in/f/side/a']) {
          if (name.endsWith('of it')) await files.create(at(path.replace('in/f', 'out')), bytes('one'))
          const before = [await namesIn('out'), await namesIn('out/side'), await textAt('out/a')]
          expect(await failure(call(at(path), at('other')))).toBe('EMOVED')
          expect([await namesIn('out'), await namesIn('out/side'), await textAt('out/a')]).toEqual(before)
        }
      })

      it('is not followed by append either when the file itself is the link', async () => {
        await files.create(at('a'), bytes('one'))
        await files.symlink('a', at('l'))
        expect(await failure(files.append(at('l'), bytes('two')))).toBe('ELOOP')
        expect(await textAt('a')).toBe('one')
      })

      it('tells file, cause and remedy', async () => {
        await files.makeFolder(at('out'))
        await files.symlink('out', at('f'))
        const error = await files.create(at('f/a'), bytes('x')).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({
          kind: 'conflict',
          message: 'Cannot write f/a: a folder on its path is a symbolic link, or is elsewhere now',
          hint: 'Look at its folders: `namei -l -- f/a`',
        })
      })
    })

    it('tells where a path really is', async () => {
      await files.makeFolder(at('f'))
      await files.create(at('f/a'), bytes(''))
      await files.symlink('f', at('g'))
      await files.symlink('g/a', at('l'))
      await files.symlink('nowhere', at('dangling'))
      expect(await files.realPath(at('l'))).toBe(at('f/a'))
      expect(await files.realPath(at('g/../f/./a'))).toBe(at('f/a'))
      expect(await files.realPath(at('dangling'))).toBeNull()
      await files.symlink('circle', at('circle'))
      expect(await files.realPath(at('circle'))).toBeNull()
      expect(await files.realPath(at('f/a/b'))).toBeNull()
    })

    it('names the file and the cause of a failure, and keeps the original', async () => {
      await files.makeFolder(at('f'))
      const error = await files.read(at('f')).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'RelayError', message: 'Cannot read f: it is a folder' })
    })
  })
}
