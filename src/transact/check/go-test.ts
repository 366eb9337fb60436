import { lintError } from './lint-error.ts'
import type { Tool } from './tool.ts'

/** `go test`: each failed test is an error, its subtests are part of it. */
export const goTest: Tool = {
  name: 'go test',
  trusts: 'summary',
  start: () => line => {
    const found = /^--- FAIL: (\S+)/.exec(line.text)
    return found === null ? undefined : { errors: [lintError({ file: '' }, 'FAIL', found[1] ?? '')] }
  },
}
