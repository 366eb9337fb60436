import { expect, it } from 'vitest'
import { unexplained } from '../../src/check/compare-checks.ts'
import { joinChecks } from '../../src/check/join-checks.ts'
import type { Check, Ran } from '../../src/model/check.ts'

const counted = (code: number, ...files: readonly string[]): Check => ({
  kind: 'counted',
  errors: files.length,
  list: files.map(file => ({ file, code: 'X', message: 'Wrong.' })),
  code,
  failed: [],
  output: `${files.join()}\n`,
})
const join = (tsc: Check, eslint: Check) =>
  joinChecks([
    { command: 'tsc', check: tsc },
    { command: 'eslint', check: eslint },
  ])

it('counts the errors of several commands together, with the worst exit code', () => {
  expect(join(counted(2, 'a.ts'), counted(1, 'b.ts'))).toMatchObject({ errors: 2, code: 2, output: 'a.ts\nb.ts\n' })
  expect(joinChecks([{ command: 'tsc', check: counted(1, 'a.ts') }])).toEqual(counted(1, 'a.ts'))
})

it('counts nothing where one command cannot be counted, and says which', () => {
  const broken: Check = { kind: 'uncounted', why: 'exit 2', output: 'oh\n' }
  expect(join(counted(1, 'a.ts'), broken)).toEqual({ kind: 'uncounted', why: 'exit 2 (eslint)', output: 'a.ts\noh\n' })
})

it('has run tests where one command has', () => {
  const ran = (tests: Ran | undefined) => ({ ...counted(0), tests }) as Check
  expect(join(ran('none'), ran('some'))).toMatchObject({ tests: 'some' })
  expect(join(ran(undefined), ran('none'))).toMatchObject({ tests: 'none' })
  expect(join(ran(undefined), ran(undefined))).not.toHaveProperty('tests')
})

it('does not let a command with errors before hide one that fails only now', () => {
  const [before, after] = [join(counted(1, 'a.ts'), counted(0)), join(counted(1, 'a.ts'), counted(1))]
  expect(unexplained(before, after)).toBe('eslint failed without a new error')
})
