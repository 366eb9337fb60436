import { expect, it } from 'vitest'
import { describeTrust } from '../../../src/report/answers/describe-trust.ts'
import { plain } from '../samples.ts'

it('names a program that came with the clone, and what runs under its name', () => {
  const commands = [{ key: 'linter', command: 'eslint .', state: 'new', scripts: [] }] as const
  const own = 'vendor/bin/eslint'
  const text = (runs: string) => {
    const programs = { folders: ['vendor/bin'], tracked: [{ name: 'eslint', own, runs }] }
    return describeTrust(commands, [], '/shop', plain, programs).lines.join(' ').replaceAll(/\s+/g, ' ')
  }
  const tracked =
    'At the end of their PATH: vendor/bin. git tracks vendor/bin/eslint: it came with the clone. eslint runs'
  expect(text(own)).toContain(`${tracked} it.`)
  expect(text('/usr/bin/eslint')).toContain(`${tracked} /usr/bin/eslint.`)
})
