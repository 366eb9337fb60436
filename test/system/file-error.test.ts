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

it('leaves an error without a name what it is', () => {
  const thrown = Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno: -4094 })
  expect(fileError(thrown, 'write', '/project/a.ts', '/project').message).toBe('Cannot write a.ts: UNKNOWN')
})
