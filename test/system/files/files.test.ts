import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { systemFiles } from '../../../src/system/files/files.ts'
import { run, whereMounting } from '../../faults/mount.ts'
import { builtSource } from '../../support/built-source.ts'
import { FakeDisk } from '../../support/fake-disk.ts'
import { hasProgram } from '../../support/has-program.ts'
import { filesContract } from './files.contract.ts'

const built = builtSource()
const adapter = built.url('system/files/files.js')

const made: string[] = []
function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'relay-files-')))
  made.push(path)
  return path
}
afterAll(() => {
  built.remove()
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

it('does not take for gone what is moved away and back', async () => {
  const root = folder()
  const [place, away] = [join(root, 'f'), join(root, 'away')]
  mkdirSync(away)
  let looks = 0
  const isGone = (found: unknown) => {
    if (++looks === 3) renameSync(away, place)
    return found === null
  }
  expect(await systemFiles(root).stays(place, isGone)).toBe(false)
})

it('reads no file of more than 2 GB, and says of it only that it is there', async () => {
  const root = folder()
  const files = systemFiles(root)
  const path = join(root, 'core')
  writeFileSync(path, '')
  truncateSync(path, 2 * 1024 ** 3 + 1)
  expect(await files.inspect(path)).toEqual({ kind: 'other' })
  await expect(files.read(path)).rejects.toMatchObject({
    message: 'Cannot read core: it is larger than 2 GB',
    hint: 'Move it away, then try again.',
  })
})

/** What an overlay shows of a lower file system of another device has numbers of more than 53 bits. */
whereMounting('files with long numbers')('tells files apart whose numbers are long', async context => {
  const base = folder()
  const [lower, upper, merged] = ['lower', 'upper', 'merged'].map(name => join(base, name)) as [string, string, string]
  const mounted: string[] = []
  const mount = (at: string, ...args: readonly string[]) => {
    mkdirSync(at)
    run('mount', ...args, 'none', at)
    mounted.unshift(at)
  }
  try {
    mount(lower, '-t', 'tmpfs')
    mount(upper, '-t', 'tmpfs')
    for (const name of ['one', 'two']) writeFileSync(join(lower, name), name)
    for (const name of ['files', 'work']) mkdirSync(join(upper, name))
    const layers = `lowerdir=${lower},upperdir=${upper}/files,workdir=${upper}/work`
    try {
      mount(merged, '-t', 'overlay', '-o', `xino=on,${layers}`)
    } catch {
      context.skip('this kernel has no overlays')
    }
    const files = systemFiles(merged)
    const [one, two] = await Promise.all(['one', 'two'].map(name => files.stat(join(merged, name))))
    expect(typeof one?.inode).toBe('bigint')
    expect(one?.inode).not.toBe(two?.inode)
  } finally {
    for (const at of mounted) run('umount', at)
  }
})

whereMounting('disks without inodes')('says of a full disk whether room is missing, or inodes', async () => {
  const at = folder()
  for (const [option, hint] of [
    ['nr_inodes=1', /`df -i`/],
    ['size=4k', /^Free some space/],
  ] as const) {
    run('mount', '-t', 'tmpfs', '-o', option, 'none', at)
    try {
      await expect(systemFiles(at).create(join(at, 'f'), new Uint8Array(8192))).rejects.toMatchObject({
        message: 'Cannot write f: the disk is full',
        hint: expect.stringMatching(hint),
      })
    } finally {
      // Its folder is let go of a moment later.
      run('umount', '--lazy', at)
    }
  }
})

whereMounting('removing below a read-only mount')('finds nothing to remove in what is mounted read-only', async () => {
  const at = folder()
  run('mount', '-t', 'tmpfs', 'none', at)
  try {
    for (const name of ['file', 'folder/inside']) {
      mkdirSync(dirname(join(at, name)), { recursive: true })
      writeFileSync(join(at, name), name)
    }
    run('mount', '-o', 'remount,ro', at)
    const files = systemFiles(at)
    expect(await files.remove(join(at, 'absent'))).toBe(false)
    expect(await files.removeFolder(join(at, 'absent'))).toBe('absent')
    await expect(files.remove(join(at, 'file'))).rejects.toMatchObject({ cause: { code: 'EROFS' } })
    await expect(files.removeFolder(join(at, 'folder'))).rejects.toMatchObject({ cause: { code: 'EROFS' } })
  } finally {
    // The folder is held open for a moment more.
    run('umount', '-l', at)
  }
})

filesContract('real', async () => {
  const root = folder()
  return { files: systemFiles(root), root }
})

filesContract('fake', async () => {
  const disk = new FakeDisk()
  return { files: disk.files(), root: disk.root }
})

/** What a shell prints that runs Node (`$0`) with a program (`$1`). */
function inShell(line: string, program: string): string {
  return execFileSync('sh', ['-c', line, process.execPath, program]).toString()
}

describe('the real file system', () => {
  it('refuses to read a FIFO, which could block for ever', async () => {
    const root = folder()
    execFileSync('mkfifo', [join(root, 'pipe')])
    const files = systemFiles(root)
    await expect(files.read(join(root, 'pipe'))).rejects.toMatchObject({
      message: 'Cannot read pipe: the file system does not take it',
    })
    expect(await files.stat(join(root, 'pipe'))).toMatchObject({ kind: 'other' })
  })

  it('gives a new file the mode of the umask', async () => {
    const root = folder()
    writeFileSync(join(root, 'plain'), '')
    await systemFiles(root).create(join(root, 'a'), Buffer.from('x'))
    expect(statSync(join(root, 'a')).mode).toBe(statSync(join(root, 'plain')).mode)
  })

  it('keeps the group bit that a folder inherits', async () => {
    const root = folder()
    chmodSync(root, 0o2775)
    const files = systemFiles(root)
    await files.makeFolder(join(root, 'f'), 0o777)
    expect(await files.stat(join(root, 'f'))).toMatchObject({ mode: 0o2777 })
  })

  it('reads what the shell hands over below /dev', async () => {
    const script = `
      import { systemFiles } from ${JSON.stringify(adapter)}
      process.stdout.write(await systemFiles('/').read('/dev/stdin'))`
    expect(inShell('printf "by a pipe" | "$0" --input-type=module -e "$1"', script)).toBe('by a pipe')
  })

  it('reads no more than it is told of what has no end', async () => {
    const bytes = await systemFiles('/').read('/dev/zero', 1_000_000)
    expect(bytes?.length).toBeGreaterThan(1_000_000)
    expect(bytes?.length).toBeLessThan(1_100_000)
  })

  it('holds thousands of files in flight with few of them open', async () => {
    const root = folder()
    const script = `
      import { readdirSync } from 'node:fs'
      import { systemFiles } from ${JSON.stringify(adapter)}
      const files = systemFiles('/')
      let most = 0
      const writes = Array.from({ length: 3000 }, async (_, i) => {
        await files.create(${JSON.stringify(root)} + '/' + i, Buffer.from(String(i)), { sync: false })
        most = Math.max(most, readdirSync('/proc/self/fd').length)
      })
      await Promise.all(writes)
      console.log(most < 128 ? 'few' : most)`
    // With a limit of 200 open files, more at a time would fail.
    expect(inShell('ulimit -n 200; exec "$0" --input-type=module -e "$1"', script)).toBe('few\n')
    expect(readdirSync(root)).toHaveLength(3000)
  })
})

describe('reading', () => {
  it.each([0, 1, 4095, 4096, 4097, 65_537, 3_000_001])('gives every byte of a file of %i', async size => {
    const root = folder()
    const bytes = Buffer.alloc(size, 'abc')
    writeFileSync(join(root, 'a'), bytes)
    const read = await systemFiles(root).read(join(root, 'a'))
    expect(Buffer.compare(Buffer.from(read ?? []), bytes)).toBe(0)
  })

  it.runIf(process.platform === 'linux')('syncs through a handle that may write, where no other is taken', () => {
    const root = folder()
    for (const name of ['text', 'closed']) writeFileSync(join(root, name), 'x', { mode: 0o644 })
    // As Linux does on a Windows share; the last digit of the flags says what a handle may.
    const script = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      import { systemFiles } from ${JSON.stringify(adapter)}
      const [{ fsync, openSync }, seen] = [{ ...fs }, []]
      fs.fsync = (file, done) => {
        const mayWrite = /flags:.*[12]$/m.test(fs.readFileSync('/proc/self/fdinfo/' + file, 'utf8'))
        seen.push(mayWrite)
        mayWrite ? fsync(file, done) : done(Object.assign(new Error('denied'), { code: 'EACCES' }))
      }
      fs.openSync = (path, flags, ...more) => {
        if (path.endsWith('closed') && flags & 1) throw Object.assign(new Error('denied'), { code: 'EACCES' })
        return openSync(path, flags, ...more)
      }
      syncBuiltinESMExports()
      for (const name of ['/text', '', '/closed']) {
        await systemFiles('/').sync(${JSON.stringify(root)} + name)
        console.log(seen.splice(0).join(' '))
      }`
    expect(inShell('"$0" --input-type=module -e "$1"', script)).toBe('false true\nfalse\nfalse\n')
  })

  it.runIf(process.platform === 'linux')('reads to its end what tells no size', async () => {
    const read = await systemFiles('/').read('/proc/self/environ')
    expect(Buffer.from(read ?? []).toString()).toContain('PATH=')
    const long = await systemFiles('/').read('/proc/kallsyms')
    expect(Buffer.from(long ?? []).equals(readFileSync('/proc/kallsyms'))).toBe(true)
  })
})

describe.runIf(process.getuid?.() === 0 && hasProgram('setpriv'))('the real file system for an ordinary user', () => {
  /** Runs a body with `files` and `root` as the user nobody, and gives what it returns. */
  function asNobody(root: string, body: string): unknown {
    const script = `
      import { systemFiles } from ${JSON.stringify(adapter)}
      const root = ${JSON.stringify(root)}
      const files = systemFiles(root)
      const fails = call => call.then(value => value, error => [error.message, error.kind, error.hint])
      const run = async () => {${body}}
      console.log(JSON.stringify(await run()))`
    const to = [
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ]
    return JSON.parse(execFileSync('setpriv', to, { cwd: '/' }).toString())
  }

  it('tells whether a file may be written, which its folder does not say', () => {
    const root = folder()
    chmodSync(root, 0o777)
    for (const name of ['theirs', 'shared']) writeFileSync(join(root, name), 'x')
    chmodSync(join(root, 'theirs'), 0o644)
    chmodSync(join(root, 'shared'), 0o666)
    expect(
      asNobody(root, "return Promise.all(['theirs', 'shared'].map(name => files.mayWrite([root, name].join('/'))))"),
    ).toEqual([false, true])
  })

  it('says that permission is denied, with something to look at', () => {
    const root = folder()
    chmodSync(root, 0o755)
    writeFileSync(join(root, 'secret'), 'x', { mode: 0o600 })
    for (const name of ['open', 'closed', 'shut/in']) mkdirSync(join(root, name), { recursive: true })
    for (const name of ['open/mine', 'closed/x', 'shut/in/x']) writeFileSync(join(root, name), 'x')
    for (const [name, mode] of [
      ['open', 0o777],
      ['closed', 0o755],
      ['shut', 0o600],
    ] as const)
      chmodSync(join(root, name), mode)
    const look = (whose: string, path: string) => `Look at ${whose} owner and mode: \`ls -ld -- ${path}\``
    expect(
      asNobody(
        root,
        `return [
          await fails(files.create(root + '/a', Buffer.from('x'))),
          await fails(files.read(root + '/secret')),
          await fails(files.append(root + '/secret', Buffer.from('x'))),
          await fails(files.rename(root + '/secret', root + '/b')),
          await fails(files.rename(root + '/open/mine', root + '/closed/b')),
          await fails(files.makeFolder(root + '/closed/f')),
          await fails(files.remove(root + '/closed/x')),
          await fails(files.read(root + '/shut/in/x'))]`,
      ),
    ).toEqual([
      ['Cannot write a: permission denied', 'environment', look("the folder's", root)],
      ['Cannot read secret: permission denied', 'environment', look('its', 'secret')],
      ['Cannot add to secret: permission denied', 'environment', look('its', 'secret')],
      ['Cannot move secret: permission denied', 'environment', look("the folder's", root)],
      ['Cannot move open/mine: permission denied', 'environment', look("the folder's", 'closed')],
      ['Cannot make folder closed/f: permission denied', 'environment', look("the folder's", 'closed')],
      ['Cannot remove closed/x: permission denied', 'environment', look("the folder's", 'closed')],
      ['Cannot read shut/in/x: permission denied', 'environment', look("the folder's", 'shut')],
    ])
    expect(readdirSync(root).sort()).toEqual(['closed', 'open', 'secret', 'shut'])
  })

  it.runIf(process.platform === 'linux')('says where to look for what no mode forbids', () => {
    const root = folder()
    mkdirSync(join(root, 'sticky'))
    chmodSync(root, 0o755)
    chmodSync(join(root, 'sticky'), 0o1777)
    writeFileSync(join(root, 'sticky', 'x'), 'x')
    expect(asNobody(root, `return fails(files.remove(root + '/sticky/x'))`)).toEqual([
      'Cannot remove sticky/x: the operation is not permitted',
      'environment',
      'Look at owners, modes and attributes: `ls -ld -- sticky sticky/x; lsattr -d -- sticky sticky/x`',
    ])
  })

  it('never takes a folder that it may not look into for an empty one', () => {
    const root = folder()
    chmodSync(root, 0o700)
    expect(
      asNobody(root, `return [await fails(files.stat(root + '/a')), await fails(files.list(root))].map(end => end[0])`),
    ).toEqual(['Cannot read a: permission denied', `Cannot list ${root}: permission denied`])
  })

  it('says why it cannot sync a folder that it may not look into', () => {
    const root = folder()
    chmodSync(root, 0o755)
    mkdirSync(join(root, 'f'), { mode: 0o711 })
    expect(asNobody(root, `return (await fails(files.sync(root + '/f')))[0]`)).toBe('Cannot sync f: permission denied')
  })

  it('gives a file to another owner as far as it may, which is no error', () => {
    const root = folder()
    chmodSync(root, 0o777)
    expect(
      asNobody(root, `return files.create(root + '/a', Buffer.from('x'), { owner: { uid: 0, gid: 0 }, mode: 0o640 })`),
    ).toBe('created')
    expect(statSync(join(root, 'a'))).toMatchObject({ uid: 65534, mode: 0o100640 })
  })

  it('says when the system forbids to link a file of somebody else', () => {
    const root = folder()
    chmodSync(root, 0o777)
    writeFileSync(join(root, 'a'), 'one')
    chmodSync(join(root, 'a'), 0o644)
    const guarded = readFileSync('/proc/sys/fs/protected_hardlinks', 'utf8').trim() === '1'
    expect(asNobody(root, `return files.link(root + '/a', root + '/b')`)).toBe(guarded ? 'unsupported' : 'linked')
  })
})

describe.runIf(mayMount())('the real file system on a disk of 64 KB', () => {
  let mounted: string | undefined
  function smallDisk(): string {
    mounted = folder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mounted])
    return mounted
  }
  afterEach(() => {
    if (mounted !== undefined) execFileSync('umount', ['-l', mounted])
    mounted = undefined
  })
  const big = Buffer.alloc(200_000, 'x')
  const full = { kind: 'environment', hint: 'Free some space, then try again.' }

  it('never keeps a part of a file when the disk fills up', async () => {
    const root = smallDisk()
    await expect(systemFiles(root).create(join(root, 'a'), big)).rejects.toMatchObject({
      ...full,
      message: 'Cannot write a: the disk is full',
    })
    expect(readdirSync(root)).toEqual([])
  })

  it('keeps the old file whole when the new one does not fit', async () => {
    const root = smallDisk()
    writeFileSync(join(root, 'a'), 'old')
    await expect(systemFiles(root).replace(join(root, 'a'), big, join(root, 't'))).rejects.toMatchObject(full)
    expect(readdirSync(root)).toEqual(['a'])
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('old')
  })

  it('takes an appended part back when the disk fills up', async () => {
    const root = smallDisk()
    writeFileSync(join(root, 'log'), 'one\n')
    await expect(systemFiles(root).append(join(root, 'log'), big)).rejects.toMatchObject(full)
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('one\n')
  })

  it('says that another file system is in the way, with the code for callers', async () => {
    const root = smallDisk()
    const other = folder()
    writeFileSync(join(root, 'a'), 'one')
    const files = systemFiles(root)
    for (const call of [
      files.rename(join(root, 'a'), join(other, 'a')),
      files.link(join(root, 'a'), join(other, 'a')),
    ]) {
      await expect(call).rejects.toMatchObject({ kind: 'environment', cause: { code: 'EXDEV' } })
    }
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('one')
    expect(await files.canMove(root, other)).toBe(false)
    expect(await files.canMove(other, root)).toBe(false)
  })

  it('tells that a folder of the same device is mounted there: nothing can be moved across', async () => {
    const root = folder()
    const [bound, there] = [join(root, 'bound'), join(root, 'there')]
    for (const path of [bound, there]) mkdirSync(path)
    execFileSync('mount', ['--bind', there, bound])
    try {
      const files = systemFiles(root)
      expect((await files.stat(bound))?.device).toBe((await files.stat(root))?.device)
      expect(await files.canMove(root, bound)).toBe(false)
      expect(await files.canMove(there, bound)).toBe(false)
      expect(await files.canMove(root, there)).toBe(true)
      expect(readdirSync(bound)).toEqual([])
    } finally {
      execFileSync('umount', [bound])
    }
  })
})

describe('the fake disk', () => {
  it('keeps half a file when relay is killed while writing, and nothing when writing fails', async () => {
    const disk = new FakeDisk()
    disk.onCall = (name, _path, n) => {
      if (name === 'create.write' && n === 3) disk.crash()
    }
    await expect(disk.files().create('/project/a', Buffer.from('whole'))).rejects.toMatchObject({ name: 'Crash' })
    expect(disk.text()).toEqual({ a: 'wh' })

    disk.failAt(disk.calls + 3, 'ENOSPC')
    await expect(disk.files().create('/project/b', Buffer.from('whole'))).rejects.toMatchObject({
      message: 'Cannot write b: the disk is full',
    })
    expect(disk.text()).toEqual({ a: 'wh' })
  })

  it('lets a killed relay do nothing more, and the next one go on', async () => {
    const disk = new FakeDisk()
    const first = disk.files()
    disk.crash()
    await expect(first.create('/project/a', Buffer.from('1'))).rejects.toMatchObject({ name: 'Crash' })
    expect(await disk.files().create('/project/a', Buffer.from('2'))).toBe('created')
    expect(disk.text()).toEqual({ a: '2' })
  })

  it('links and moves nothing across a mount, and says where there are no hard links', async () => {
    const disk = new FakeDisk()
    disk.write('a', 'one')
    disk.mount('other')
    const files = disk.files()
    await expect(files.rename('/project/a', '/project/other/a')).rejects.toMatchObject({ cause: { code: 'EXDEV' } })
    disk.mount('bound', 'bind')
    expect(await Promise.all(['other', 'bound'].map(name => files.canMove('/project', `/project/${name}`)))).toEqual([
      false,
      false,
    ])
    expect((await files.stat('/project/bound'))?.device).toBe((await files.stat('/project'))?.device)
    disk.remove('bound')
    disk.hardLinks = false
    expect(await files.link('/project/a', '/project/b')).toBe('unsupported')
    expect(disk.tree()).toEqual({
      a: { kind: 'file', mode: '0644', links: 1, text: 'one' },
      other: { kind: 'folder', mode: '0755' },
    })
  })
})

/** Whether a file system can be mounted here: root in a container may not. */
function mayMount(): boolean {
  if (process.getuid?.() !== 0) return false
  const path = folder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' })
    execFileSync('umount', ['-l', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
