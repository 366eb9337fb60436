import { lintError } from './lint-error.ts'
import type { Tool } from './tool.ts'

/**
 * markdownlint-cli and markdownlint-cli2, with and without severities. `Summary: 7 error(s)` says nothing: it counts
 * warnings, too.
 */
export const markdownlint: Tool = {
  name: 'markdownlint',
  trusts: 'lines',
  start: () => line => {
    const found = problem.exec(line.text)
    if (found === null) return undefined
    const [, file = '', row, column, severity, rule = '', code = rule, message = ''] = found
    if (severity === 'warning') return { warnings: [code] }
    const place = { file, line: Number(row), column: column === undefined ? undefined : Number(column) }
    return { errors: [lintError(place, code, message)] }
  },
}

/** `README.md:9:81 error MD013/line-length Line length [Expected: 80; Actual: 89]` */
const problem =
  /^(\S[^:]{0,400}\.(?:md|mdx|markdown)):(\d{1,9})(?::(\d{1,9}))? (?:(error|warning) (\S+)|(MD\d{3}\/\S+)) (.*)$/
