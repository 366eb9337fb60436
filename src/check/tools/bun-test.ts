import { errorAt, nothing, numberIn } from '../finding.ts'
import type { Finding, Tool } from '../tool.ts'

/** `bun test`: each failed test is an error, and so is each error outside of them (a file that cannot be loaded, say): its sum counts both. */
export const bunTest: Tool = {
  trustsSum: true,
  alwaysSums: true,
  sum: /^ {1,9}(\d+) fail$/,
  ran: ({ text }) => numberIn(/^ {1,9}(\d{1,9}) (?:pass|fail)$/.exec(text)) ?? (none.test(text) ? 0 : undefined),
  start() {
    let file = ''
    return ({ text, after }): Finding | undefined => {
      const heading = /^(\S.*\.[cm]?[jt]sx?):$/.exec(text)
      if (heading !== null) {
        file = heading[1] ?? ''
        return nothing
      }
      const failed = /^(?:\(fail\)|✗) (.*?)(?: \[\d[\d.]*[mnµ]?s\])?$/.exec(text)
      if (failed !== null) return errorAt({ file }, 'FAIL', failed[1] ?? '')
      if (text === '# Unhandled error between tests') return errorAt({ file }, text.slice(2), after(2))
      return undefined
    }
  },
}

const none = /^No tests found!$|^error: regex ".*" matched 0 tests\./
