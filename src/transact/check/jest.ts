import { errorAt, nothing } from './finding.ts'
import type { Finding, Tool } from './tool.ts'

/**
 * Jest: each failed test, and each file that could not be run, is an error.
 *
 * When many files were run, their failures are printed once more before the sum; those do not count again.
 */
export const jest: Tool = {
  trustsSum: true,
  start() {
    let file: string | undefined
    let repeating = false
    let brokenFiles = 0
    let failedFiles = 0
    return ({ text }) => {
      const ended = /^ ?(FAIL|PASS) {1,2}(\S.*?)(?: \(\d[\d.]* m?s\))?$/.exec(text)
      if (ended !== null) {
        file = ended[1] === 'FAIL' ? ended[2] : undefined
        return nothing
      }
      if (text === 'Summary of all failing tests') {
        repeating = true
        return nothing
      }
      if (text.startsWith('  ● ') && file !== undefined) {
        const finding = repeating ? nothing : readFailure(text.slice(4), file)
        brokenFiles += finding.summary ?? 0
        return finding
      }
      const sum = /^(Tests|Test Suites): {1,9}(?=\d)/.exec(text)
      if (sum === null) return undefined
      const failed = Number(/(?:^|, )(\d+) failed/.exec(text.slice(sum[0].length))?.[1] ?? 0)
      if (sum[1] === 'Test Suites') {
        failedFiles = failed
        repeating = false
        return nothing
      }
      // Failed files of which neither a test nor the reason was shown.
      return { summary: failed === 0 && brokenFiles === 0 ? failedFiles : failed }
    }
  },
}

/** `  ● sums › adds`, `  ● Test suite failed to run`; what tests log has such a heading too. */
function readFailure(title: string, file: string): Finding {
  if (title === 'Console') return nothing
  const failure = errorAt({ file }, 'FAIL', title)
  return title === 'Test suite failed to run' ? { ...failure, summary: 1 } : failure
}
