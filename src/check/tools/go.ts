import { errorAt } from '../finding.ts'
import type { Line, Tool } from '../tool.ts'

/**
 * `go build`, `go vet`, and linters that print like them.
 *
 * Their lines do not say `error`, and notes look the same, so they count only when the command failed. Packages are
 * looked at twice when they have tests: the same error at the same place counts once. After ten errors the compiler
 * stops, and vet does so after the first that keeps it from understanding a package: nobody knows how many there are.
 */
export const go: Tool = {
  repeats: true,
  needsFailure: true,
  start: () => line => {
    if (/^vet: .*\.go:\d/.test(line.text)) return { incomplete: `go vet stopped at ${line.text.slice(5)}` }
    const { place } = line
    if ((place?.rest ?? line.text) === 'too many errors') return { incomplete: stopped }
    if (place?.mark !== ':' || !place.file.endsWith('.go')) return undefined
    return errorAt(place, '', place.rest)
  },
}

const stopped = 'Go stopped after ten errors, so their number is not known'

/**
 * `go test`: each failed test is an error, its subtests are part of it. Each test program says `FAIL` at its end; one that
 * does not has broken off (a panic, `os.Exit`, a signal), and nobody knows what the rest of its tests would have said.
 */
export const goTest: Tool = {
  trustsSum: true,
  /** It gives no number: each package with tests counts as one. `(cached)` is a run, only an earlier one. */
  ran: ({ text }) => {
    if (/^\? {3}\t\S+\t\[no test files\]$|^ok {2}\t.*\[no tests to run\]$/.test(text)) return 0
    return /^(?:ok {2}|FAIL)\t\S+\t(?:\d|\(cached\))/.test(text) ? 1 : undefined
  },
  start:
    () =>
    ({ text, after }) => {
      const failed = /^--- FAIL: (\S+)/.exec(text)
      if (failed !== null) return errorAt({ file: '' }, 'FAIL', failed[1] ?? '')
      const name = /^FAIL\t(\S+)\t\d/.exec(text)?.[1]
      return name === undefined || hasEnded(after) ? undefined : { incomplete: `the tests of ${name} broke off` }
    },
}

/** Between a test program's `FAIL` and the line of its package may stand how much it covered, and its exit code. */
function hasEnded(after: Line['after']): boolean {
  for (let back = -1; back >= -3 && !/^(?:FAIL|ok {2})\t/.test(after(back)); back -= 1) {
    if (after(back).endsWith('FAIL')) return true
  }
  return false
}
