import { errorAt } from './finding.ts'
import type { Tool } from './tool.ts'

/** `go test`: each failed test is an error, its subtests are part of it. */
export const goTest: Tool = {
  trusts: 'summary',
  start: () => line => {
    const found = /^--- FAIL: (\S+)/.exec(line.text)
    return found === null ? undefined : errorAt({ file: '' }, 'FAIL', found[1] ?? '')
  },
}
