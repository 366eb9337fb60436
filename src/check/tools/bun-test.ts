import { errorAt, firstLines, nothing, numberIn } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

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
      if (failed !== null) return errorAt({ file }, 'FAIL', failed[1] ?? '', reasonAround(after))
      if (text === '# Unhandled error between tests') return errorAt({ file }, text.slice(2), after(2))
      return undefined
    }
  },
}

/** It stands above the test, from `error: …` or `TypeError: …` to the stack; that it took too long stands below. */
function reasonAround(after: Line['after']): string {
  const late = /^ {2}\^ (this test .*)$/.exec(after(1))?.[1]
  if (late !== undefined) return late
  const lines: string[] = []
  for (let back = -1; back >= -40 && !result.test(after(back)); back -= 1) {
    if (!/^ +at /.test(after(back))) lines.unshift(after(back))
    if (/^(?:error|\w*Error): /.test(after(back))) return firstLines(lines)
  }
  return ''
}

const result = /^(?:\((?:pass|fail|skip|todo)\)|[✓✗»✎]) /

const none = /^No tests found!$|^error: regex ".*" matched 0 tests\./
