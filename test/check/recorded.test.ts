import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCheck } from '../../src/check/read-check.ts'
import type { Check, LintError, Ran } from '../../src/model/check.ts'

/** What a person found in a recorded output, knowing what is wrong with the project that it was made in. */
type Expected = { readonly command: string; readonly exit: number; readonly tests?: Ran } & (
  | { readonly errors: number; readonly list: readonly LintError[] | null }
  | { readonly uncounted: string }
)

const folder = new URL('../fixtures/lint/', import.meta.url)
const names = readdirSync(folder)
  .filter(file => file.endsWith('.json'))
  .map(file => file.slice(0, -'.json'.length))

/** Tools that work in parallel print the same errors in another order each time. */
function sorted(list: readonly LintError[]): readonly LintError[] {
  const key = ({ file, line, column, code, message }: LintError) => JSON.stringify([file, line, column, code, message])
  return list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

function understood(check: Check) {
  if (check.kind === 'unchecked') return check
  const { tests } = check
  if (check.kind === 'uncounted') return { uncounted: check.why, tests }
  return { tests, errors: check.errors, list: check.list === undefined ? null : sorted(check.list) }
}

describe('readCheck, on outputs of real tools', () => {
  it.each(names)('counts exactly: %s', name => {
    const {
      command: _,
      exit,
      ...expected
    } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Expected
    const output = readFileSync(new URL(`${name}.txt`, folder), 'utf8')
    const check = readCheck({ end: { kind: 'exit', code: exit }, output, cut: false }, '/project')
    expect(understood(check)).toEqual(
      'list' in expected ? { ...expected, list: expected.list && sorted(expected.list) } : expected,
    )
  })

  it.each(names)('reads the same with CRLF line ends: %s', name => {
    const { exit } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Expected
    const output = readFileSync(new URL(`${name}.txt`, folder), 'utf8')
    const read = (text: string) =>
      understood(readCheck({ end: { kind: 'exit', code: exit }, output: text, cut: false }, '/project'))
    expect(read(output.replaceAll('\n', '\r\n'))).toEqual(read(output))
  })
})
