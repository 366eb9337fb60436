import { finding } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Tool } from '../tool.ts'

/**
 * markdownlint-cli and markdownlint-cli2, with and without severities. `Summary: 7 error(s)` says nothing: it counts
 * warnings, too.
 */
export const markdownlint: Tool = {
  start: () => line => {
    const found = problem.exec(line.text)
    if (found === null) return undefined
    const [severity, rule = '', code = rule, message = ''] = found.slice(4)
    return finding(severity !== 'warning', placeIn(found), code, message)
  },
}

/** `README.md:9:81 error MD013/line-length Line length [Expected: 80; Actual: 89]` */
const problem =
  /^(\S[^:]{0,400}\.(?:md|mdx|markdown)):(\d{1,9})(?::(\d{1,9}))? (?:(error|warning) (\S+)|(MD\d{3}\/\S+)) (.*)$/
