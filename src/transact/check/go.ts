import { errorAt } from './finding.ts'
import type { Tool } from './tool.ts'

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

/** `go test`: each failed test is an error, its subtests are part of it. */
export const goTest: Tool = {
  trustsSum: true,
  start: () => line => {
    const found = /^--- FAIL: (\S+)/.exec(line.text)
    return found === null ? undefined : errorAt({ file: '' }, 'FAIL', found[1] ?? '')
  },
}
