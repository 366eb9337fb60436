import { errorAt, nothing, sumOf } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Vitest: each failed test, each file that could not be run, and each error outside of tests is an error.
 *
 * The sum has to be put together: `Test Files` counts a file with failed tests once more, so failed files come from
 * the heading above them.
 */
export const vitest: Tool = {
  trustsSum: true,
  start: () => line => readFailure(line) ?? readHeading(line) ?? readSummary(line.text),
  /** `      Tests  1 failed | 2 passed (3)`, `      Tests  no tests` */
  ran: ({ text }) => {
    if (/^ {0,9}Tests {2}(?:\d|no tests)/.test(text)) return sumOf(/^(?:passed|failed)$/, text)
    return /^No test files found, exiting with code \d/.test(text) ? 0 : undefined
  },
}

/** ` FAIL  test/a.test.ts > sums > adds` and below it `AssertionError: expected 2 to be 3`, or ` FAIL  test/b.test.ts [ test/b.test.ts ]` for a file. */
function readFailure({ text, after }: Line): Finding | undefined {
  const start = /^ ?(?:FAIL|×FAIL) {1,2}(?:\|[^|]{1,80}\| )?(?=\S)/.exec(text)
  if (start === null) return undefined
  const rest = text.slice(start[0].length).trimEnd()
  const name = rest.indexOf(' > ')
  if (name !== -1) return errorAt({ file: rest.slice(0, name) }, 'FAIL', rest.slice(name + 3), reasonIn(after(1)))
  const bracket = rest.indexOf(' [ ')
  if (bracket === -1 || !rest.endsWith(' ]')) return undefined
  return errorAt({ file: rest.slice(0, bracket) }, 'FAIL', '', reasonIn(after(1)))
}

/** Several tests that failed of one reason have their headings in a row. */
function reasonIn(text: string): string {
  return /^[A-Za-z]*(?:Error|Exception)\b/.test(text) ? text.trimEnd() : ''
}

/** `⎯⎯⎯ Failed Suites 1 ⎯⎯⎯`, `⎯⎯⎯ Unhandled Rejection ⎯⎯⎯` */
function readHeading({ text, after }: Line): Finding | undefined {
  if (!text.startsWith('⎯')) return undefined
  const title = text.replaceAll('⎯', '').trim()
  const suites = /^Failed Suites (\d+)$/.exec(title)
  if (suites !== null) return { summary: Number(suites[1]) }
  if (!/^(?:Unhandled|Uncaught) (?!Errors$)/.test(title)) return nothing
  return errorAt({ file: '' }, title, after(1))
}

function readSummary(text: string): Finding | undefined {
  const start = /^ {0,9}(Tests|Errors|Test Files) {2}(?=\S)/.exec(text)
  if (start === null) return undefined
  if (start[1] === 'Test Files') return nothing
  const found = (start[1] === 'Tests' ? /(?:^|\| )(\d+) failed/ : /^(\d+) errors?/).exec(text.slice(start[0].length))
  return { summary: found === null ? 0 : Number(found[1]) }
}
