import { constants } from 'node:os'
import { expect, it } from 'vitest'
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
it.each(['ENOTCONN', 'EHOSTDOWN', 'ETIMEDOUT'])('says of a file system that is cut off what to do: %s', code => {
  const thrown = Object.assign(new Error(`${code}: lstat`), { code })
  expect(fileError(thrown, 'read', '/project/a.ts', '/project')).toMatchObject({
    kind: 'environment',
    message: 'Cannot read a.ts: its file system does not answer',
    hint: 'Connect it again, or mount it again, then try again.',
  })
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
