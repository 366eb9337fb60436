import { describe, expect, it } from 'vitest'
import { compareChecks, unexplained } from '../../src/check/compare-checks.ts'
import type { Check, LintError } from '../../src/model/check.ts'

const listed = (...list: LintError[]): Check => ({
  kind: 'counted',
  errors: list.length,
  list,
  code: 0,
  failed: [],
  output: '',
})
const counted = (errors: number): Check => ({
  kind: 'counted',
  errors,
  list: undefined,
  code: 0,
  failed: [],
  output: '',
})
const error = (file: string, code: string, message: string, line = 1, column = 1): LintError => ({
  file,
  line,
  column,
  code,
  message,
})

const noName = error('src/a.ts', 'TS2304', "Cannot find name 'x'.")

describe('compareChecks', () => {
  it('finds nothing new where nothing changed', () => {
    expect(compareChecks(listed(noName), listed(noName))).toEqual({ new: 0, fixed: 0, same: 1, newErrors: [] })
  })

  it('finds two clean checks the same', () => {
    expect(compareChecks(listed(), listed())).toEqual({ new: 0, fixed: 0, same: 0, newErrors: [] })
  })

  it('takes a moved error for the old one', () => {
    const moved = { ...noName, line: 90, column: 17 }
    expect(compareChecks(listed(noName), listed(moved))).toEqual({ new: 0, fixed: 0, same: 1, newErrors: [] })
  })

  it('tells a new error from a fixed one although their number is the same', () => {
    const other = error('src/a.ts', 'TS2304', "Cannot find name 'y'.")
    expect(compareChecks(listed(noName), listed(other))).toEqual({ new: 1, fixed: 1, same: 0, newErrors: [other] })
  })

  it('counts equal errors: a third one beside two old ones is new', () => {
    const third = { ...noName, line: 3 }
    expect(
      compareChecks(listed(noName, { ...noName, line: 2 }), listed(noName, { ...noName, line: 2 }, third)),
    ).toEqual({
      new: 1,
      fixed: 0,
      same: 2,
      newErrors: [third],
    })
  })

  const at = (...lines: readonly number[]): LintError[] => lines.map(line => ({ ...noName, line }))
  const wrote = (...lines: readonly number[]) => ({
    nameNow: (file: string) => file,
    linesWritten: () => new Set(lines),
  })

  it.each([
    ['on the line that the patch wrote', at(4), at(4, 8), [4], [4]],
    ['on each line that the patch wrote', at(4), at(1, 3, 8), [1, 3, 5], [1, 3]],
    ['on a later line, where the patch wrote all of them', at(1), at(2, 5), [2, 5], [5]],
    ['on a later line, where the patch wrote none of them', at(1), at(2, 5), [], [5]],
    ['on a line without a number', at(4), [...at(4), { ...noName, line: undefined }], [], [undefined]],
  ])('shows of equal errors the one %s', (_which, before, after, lines, expected) => {
    const comparison = compareChecks(listed(...before), listed(...after), wrote(...lines))
    expect(comparison?.newErrors.map(({ line }) => line)).toEqual(expected)
    expect(comparison).toMatchObject({ new: expected.length, fixed: 0, same: before.length })
  })

  it('takes an equal error for the same, on whatever line the patch wrote it', () => {
    const comparison = { new: 0, fixed: 0, same: 1, newErrors: [] }
    expect(compareChecks(listed(...at(1)), listed(...at(3)), wrote(1, 3))).toEqual(comparison)
  })

  it('asks about the lines of a file only where some of its equal errors are new', () => {
    const edits = { ...wrote(), linesWritten: () => expect.unreachable() }
    expect(compareChecks(listed(), listed(...at(1, 2)), edits)?.new).toBe(2)
    expect(compareChecks(listed(...at(1, 2)), listed(...at(5)), edits)?.fixed).toBe(1)
  })

  it('takes along the errors of a file that moved', () => {
    const edits = { ...wrote(), nameNow: (file: string) => (file === 'src/a.ts' ? 'src/b.ts' : file) }
    const moved = listed({ ...noName, file: 'src/b.ts' })
    expect(compareChecks(listed(noName), moved, edits)).toEqual({ new: 0, fixed: 0, same: 1, newErrors: [] })
  })

  it.each([
    ['file', { ...noName, file: 'src/b.ts' }],
    ['code', { ...noName, code: 'TS2552' }],
    ['message', { ...noName, message: 'Something else.' }],
  ])('takes an error with another %s for a new one', (_what, other) => {
    expect(compareChecks(listed(noName), listed(other))).toEqual({ new: 1, fixed: 1, same: 0, newErrors: [other] })
  })

  it('does not confuse parts that run into each other', () => {
    const one = error('a', 'b c', 'd')
    const other = error('a', 'b', 'c d')
    expect(compareChecks(listed(one), listed(other))?.new).toBe(1)
  })

  it.each([
    ['redefinition of unused os from line 1', 'redefinition of unused os from line 20'],
    ["'x' was also declared at 12:5", "'x' was also declared at 300:11"],
    ["'x' was also declared here (12,5)", "'x' was also declared here (3, 17)"],
    ['Duplicate of lines 3-7', 'Duplicate of lines 13-17'],
    ['Unexpected end of file in column 4', 'Unexpected end of file in column 9'],
    ['first seen in /project/b.ts:4:1', 'first seen in /project/b.ts:40:12'],
    ['Dependency cycle via ./b:4=>./c:2', 'Dependency cycle via ./b:5=>./c:12'],
  ])('does not count positions inside a message: %s', (before, after) => {
    expect(compareChecks(listed(error('a', '', before)), listed(error('a', '', after)))).toEqual({
      new: 0,
      fixed: 0,
      same: 1,
      newErrors: [],
    })
  })

  it.each([
    ['File has too many lines (10). Maximum allowed is 5.', 'File has too many lines (8). Maximum allowed is 5.'],
    [
      "Function 'f' has a complexity of 17. Maximum allowed is 2.",
      "Function 'f' has a complexity of 13. Maximum allowed is 2.",
    ],
    ['This line has a length of 36. Maximum allowed is 20.', 'This line has a length of 40. Maximum allowed is 20.'],
    [
      'Refactor this to reduce its Cognitive Complexity from 20 to the 15 allowed.',
      'Refactor this to reduce its Cognitive Complexity from 18 to the 15 allowed.',
    ],
    ['line too long (117 > 79 characters)', 'line too long (90 > 79 characters)'],
    ['`f` is too complex (12 > 10)', '`f` is too complex (11 > 10)'],
    ['Method has too many lines. [12/10]', 'Method has too many lines. [11/10]'],
    ['Branch size for f is too high. [<5, 12, 3> 13.34/10]', 'Branch size for f is too high. [<5, 10, 3> 11.57/10]'],
    ['this function has too many arguments (9/7)', 'this function has too many arguments (8/7)'],
  ])('does not count by how much something is too large: %s', (before, after) => {
    expect(compareChecks(listed(error('a', '', before)), listed(error('a', '', after)))?.new).toBe(0)
  })

  it.each([
    ['Expected 1 arguments, but got 2.', 'Expected 2 arguments, but got 1.'],
    ["Cannot find name 'x1'.", "Cannot find name 'x2'."],
    ['sums > adds (1)', 'sums > adds (2)'],
    ['test_part[1/2]', 'test_part[2/3]'],
    ['has a length of 3', 'has a length of 4'],
    ['listens on localhost:8080', 'listens on localhost:8081'],
    ["Type '404' is not assignable to type '200'.", "Type '500' is not assignable to type '200'."],
  ])('keeps the numbers that an error is about: %s', (before, after) => {
    expect(compareChecks(listed(error('a', '', before)), listed(error('a', '', after)))?.new).toBe(1)
  })

  it.each([
    { before: 12, after: 10, comparison: { new: 0, fixed: 2, same: 10, newErrors: [] } },
    { before: 10, after: 12, comparison: { new: 2, fixed: 0, same: 10, newErrors: [] } },
    { before: 0, after: 0, comparison: { new: 0, fixed: 0, same: 0, newErrors: [] } },
  ])('knows only the difference when only counts are known: $before, then $after', ({ before, after, comparison }) => {
    expect(compareChecks(counted(before), counted(after))).toEqual(comparison)
  })

  it('falls back on the counts when one of the two has no list', () => {
    expect(compareChecks(listed(noName), counted(3))).toEqual({ new: 2, fixed: 0, same: 1, newErrors: [] })
    expect(compareChecks(counted(3), listed(noName))).toEqual({ new: 0, fixed: 2, same: 1, newErrors: [] })
  })

  const uncounted: Check = { kind: 'uncounted', why: 'exit 127', output: '' }
  const unchecked: Check = { kind: 'unchecked' }
  it.each([
    ['no linter', unchecked, unchecked],
    ['the first uncounted', uncounted, listed()],
    ['the last uncounted', listed(), uncounted],
    ['no first check', unchecked, listed()],
  ])('compares nothing with %s', (_what, before, after) => {
    expect(compareChecks(before, after)).toBeUndefined()
  })

  const exited = (check: Check, code: number): Check => (check.kind === 'counted' ? { ...check, code } : check)
  it.each([
    ['a failure beside old errors', exited(listed(noName), 0), exited(listed(noName), 1)],
    ['a failure beside a mended error', exited(listed(noName), 0), exited(listed(), 1)],
    ['a crash among old errors', exited(counted(1), 1), exited(counted(1), 134)],
  ])('does not take for explained: %s', (_what, before, after) => {
    expect(unexplained(before, after)).toMatch(/^exit \d+, before \d, without a new error$/)
  })

  it.each([
    ['new errors', exited(listed(), 0), exited(listed(noName), 1)],
    ['the same failure', exited(listed(noName), 1), exited(listed(noName), 1)],
    ['fewer errors, of which the code is the number', exited(counted(3), 3), exited(counted(2), 2)],
    ['no check before', unchecked, exited(listed(noName), 1)],
    ['no count', exited(listed(), 0), uncounted],
  ])('takes for explained: %s', (_what, before, after) => {
    expect(unexplained(before, after)).toBeUndefined()
  })

  it('compares two long lists in no time', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => error(`src/${i}.ts`, 'TS1', `line ${i}`, i))
    expect(compareChecks(listed(...many), listed(...many.toReversed()))?.same).toBe(100_000)
  })
})
