import { errorAt, firstLines, nothing, sumOf } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Jest: each failed test, and each file that could not be run, is an error.
 *
 * When many files were run, their failures are printed once more before the sum; those do not count again.
 */
export const jest: Tool = {
  trustsSum: true,
  alwaysSums: true,
  ran: ({ text }) => {
    if (/^Tests: {1,9}\d/.test(text)) return sumOf(/^(?:passed|failed)$/, text)
    return /^No tests found(?:, exiting with code \d| related to files changed since )/.test(text) ? 0 : undefined
  },
  start() {
    const run: Run = { file: undefined, repeats: false, brokenFiles: 0, failedFiles: 0 }
    return line => readHeading(line.text, run) ?? readFailure(line, run) ?? readSum(line.text, run)
  },
}

/** What was read so far. */
interface Run {
  /** The failed one whose failures follow. */
  file: string | undefined
  /** Failures that were printed before follow. */
  repeats: boolean
  brokenFiles: number
  failedFiles: number
}

/** `FAIL src/a.test.js (5.2 s)` */
function readHeading(text: string, run: Run): Finding | undefined {
  const ended = /^ ?(FAIL|PASS) {1,2}(\S.*?)(?: \(\d[\d.]* m?s\))?$/.exec(text)
  if (ended !== null) run.file = ended[1] === 'FAIL' ? ended[2] : undefined
  else if (text === 'Summary of all failing tests') run.repeats = true
  else return undefined
  return nothing
}

/** `  ● sums › adds`, `  ● Test suite failed to run`; what tests log has such a heading too. */
function readFailure({ text, after }: Line, run: Run): Finding | undefined {
  if (!text.startsWith('  ● ') || run.file === undefined) return undefined
  const title = text.slice(4)
  if (run.repeats || title === 'Console') return nothing
  if (title === 'Test suite failed to run') run.brokenFiles += 1
  return errorAt({ file: run.file }, 'FAIL', title, reasonBelow(after))
}

/** Up to the code or the stack, and no further than the indent goes. */
function reasonBelow(after: Line['after']): string {
  const lines: string[] = []
  for (let next = 1; next <= 20 && /^(?: {4}(?! *(?:> )?\d+ \|| +at )|$)/.test(after(next)); next += 1)
    lines.push(after(next))
  return firstLines(lines)
}

/** `Test Suites: 1 failed, 2 passed, 3 total`, and after it `Tests:       2 failed, 7 passed, 9 total` */
function readSum(text: string, run: Run): Finding | undefined {
  const [start, what] = /^(Tests|Test Suites): {1,9}(?=\d)/.exec(text) ?? []
  if (start === undefined) return undefined
  const failed = Number(/(?:^|, )(\d+) failed/.exec(text.slice(start.length))?.[1] ?? 0)
  if (what === 'Test Suites') {
    run.failedFiles = failed
    run.repeats = false
    return nothing
  }
  const { brokenFiles, failedFiles } = run
  run.brokenFiles = 0
  // Failed files of which neither a test nor the reason was shown.
  return { summary: failed + brokenFiles || failedFiles }
}
