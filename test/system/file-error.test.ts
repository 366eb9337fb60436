import { constants } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { fileError } from '../../src/system/file-error.ts'

// What has no name in Node's own table, as its calls say it: those that get a number of a file, and the others.
it.each(['UNKNOWN', `Unknown system error -${constants.errno.EDQUOT}`])('knows a quota by its number: %s', code => {
  const thrown = Object.assign(new Error(`${code}: unknown error, write`), { code, errno: -constants.errno.EDQUOT })
  expect(fileError(thrown, 'write', '/project/a.ts', '/project')).toMatchObject({
    kind: 'environment',
    message: 'Cannot write a.ts: the disk quota is used up',
    cause: { code: 'EDQUOT' },
  })
})

// As sshfs, a share of Windows and NFS say it when their server has gone.
it.each(['ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ECONNREFUSED', 'ETIMEDOUT'])(
  'says of a file system that is cut off what to do: %s',
  code => {
    const thrown = Object.assign(new Error(`${code}: lstat`), { code })
    expect(fileError(thrown, 'read', '/project/a.ts', '/project')).toMatchObject({
      kind: 'environment',
      message: 'Cannot read a.ts: its file system does not answer',
      hint: 'Connect it again, or mount it again, then try again.',
    })
  },
)

it.each([
  ['EUCLEAN', 'the file system is damaged', 'Copy what you need elsewhere, then have the file system repaired.'],
  ['EBADMSG', 'the file system is damaged', 'Copy what you need elsewhere, then have the file system repaired.'],
  ['ENXIO', 'its disk is gone', 'Connect it and mount it again, then try again.'],
  ['ENODEV', 'its disk is gone', 'Connect it and mount it again, then try again.'],
  ['ENOKEY', 'its folder is encrypted, and locked', 'Unlock it, then try again.'],
  ['EREMOTEIO', 'its disk or server reports an error', expect.stringContaining('Look at the system log: ')],
  ['ENOTSUP', 'its file system cannot do that', 'Move the project to another file system.'],
  ['EOPNOTSUPP', 'its file system cannot do that', 'Move the project to another file system.'],
  ['EILSEQ', 'the file system does not take such a name', 'Give it another name.'],
])('says %s in words', (code, text, hint) => {
  const thrown = Object.assign(new Error(`${code}: open`), { code })
  expect(fileError(thrown, 'write', '/project/a.ts', '/project')).toMatchObject({
    message: `Cannot write a.ts: ${text}`,
    hint,
  })
})

// As `ls` in a locked folder of fscrypt's and in a damaged one of XFS says it: to Node they are numbers.
it.runIf(process.platform === 'linux').each([
  [117, 'EUCLEAN'],
  [126, 'ENOKEY'],
])('knows by its number what Node has no name for: %i', (number, name) => {
  const code = `Unknown system error -${number}`
  const thrown = Object.assign(new Error(`${code}: ${code}, open`), { code, errno: -number })
  expect(fileError(thrown, 'read', '/project/a.ts', '/project').cause).toMatchObject({ code: name })
})

it.runIf(process.platform === 'linux')('names what shows whether a file is a mount of its own', () => {
  const thrown = Object.assign(new Error('EBUSY: rename'), { code: 'EBUSY' })
  expect(fileError(thrown, 'move', '/project/a.ts', '/project')).toMatchObject({
    message: 'Cannot move a.ts: it is in use',
    hint: 'Close what uses it, or see whether it is a mount of its own: `findmnt -T a.ts`',
  })
})

it('leaves an error without a name what it is', () => {
  const thrown = Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno: -4094 })
  expect(fileError(thrown, 'write', '/project/a.ts', '/project').message).toBe('Cannot write a.ts: UNKNOWN')
})

describe('what to do', () => {
  const codes = ['EACCES', 'EPERM', 'EMFILE', 'EIO', 'EXDEV', 'EMOVED', 'EFBIG', 'ENOENT', 'ELOOP'] as const

  /** What is said of each of them on another system, message and hint. */
  async function saidOn(platform: NodeJS.Platform): Promise<Readonly<Record<string, string>>> {
    const own = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
    Object.defineProperty(process, 'platform', { ...own, value: platform })
    vi.resetModules()
    try {
      const { fileError: sayIt } = await import('../../src/system/file-error.ts')
      const said = codes.map(code => {
        const { message, hint } = sayIt(Object.assign(new Error(code), { code }), 'move', '/project/a b/c', '/project')
        return [code, `${message} ${hint ?? ''}`] as const
      })
      return Object.fromEntries(said)
    } finally {
      Object.defineProperty(process, 'platform', own)
      vi.resetModules()
    }
  }

  it.each([
    ['win32', /\b(?:ls|lsattr|ulimit|findmnt|df|namei|dmesg)\b/],
    ['darwin', /\b(?:lsattr|findmnt|namei|icacls|eventvwr)\b/],
    ['linux', /\b(?:icacls|eventvwr|df)\b/],
  ] as const)('names on %s no program that it lacks', async (platform, lacking) => {
    for (const said of Object.values(await saidOn(platform))) expect(said).not.toMatch(lacking)
  })

  it('is said in the words of the system', async () => {
    expect(await saidOn('win32')).toMatchObject({
      EACCES: 'Cannot move a b/c: permission denied Look who may change it: `icacls "a b"`',
      EIO: 'Cannot move a b/c: the disk reports an error Look at the system log: `eventvwr`',
      ELOOP: expect.stringMatching(/circle Remove the link that leads back to itself, or mend it\.$/),
    })
    expect(await saidOn('darwin')).toMatchObject({
      EXDEV:
        'Cannot move a b/c: its folder is mounted, or has a quota, of its own Look at what is mounted there: `df -- "a b/c"`',
      EMOVED: expect.stringContaining('Look at its folders: `ls -ld -- "a b" /project /`'),
      ELOOP: expect.stringContaining('or mend it: `ls -ld -- "a b/c" "a b" /project /`'),
    })
    expect(await saidOn('linux')).toMatchObject({
      ENOENT: 'Cannot move a b/c: there is no such file or folder Look at its folders: `namei -l -- "a b/c"`',
      ELOOP: expect.stringContaining('Remove the link that leads back to itself, or mend it: `namei -l -- "a b/c"`'),
    })
  })
})
