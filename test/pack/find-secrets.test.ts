import { describe, expect, it } from 'vitest'
import { loadSecretRules } from '../../src/pack/find-secrets.ts'

describe('secrets', async () => {
  const find = await loadSecretRules()
  // In parts: nobody who looks for secrets should find one here.
  const github = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`
  const postgres = `postgres:${'//me:p4ssw0rd@host/db'}`

  it.each([
    ['a token', `one\nconst token = '${github}'\n`, [{ path: 'a.ts', line: 2, kind: 'GITHUB_TOKEN' }]],
    ['an address with a password', `x = "${postgres}"\n`, [{ path: 'a.ts', line: 1, kind: 'PostgreSQLConnection' }]],
    ['nothing', 'const token = process.env.TOKEN\n', []],
  ])('are found by line and kind: %s', async (_, text, expected) => {
    expect(await find({ path: 'a.ts', text })).toEqual(expected)
  })
})
