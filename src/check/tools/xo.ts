import { finding, readerWithSum, summary } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'
import { splitRow } from './eslint.ts'

/** XO, and ESLint where it prints with `eslint-formatter-pretty`. */
export const xo: Tool = {
  start() {
    let file = ''
    const readProblem = (line: Line): Finding | undefined => {
      const start = /^ {2}([✖×⚠‼]) {2,9}(\d{1,9}):(\d{1,9}) {2,9}(?=\S)/.exec(line.text)
      if (start === null) return undefined
      const [head, sign = '', row, column] = start
      file = heading(line) ?? file
      const { code, message } = splitRow(line.text.slice(head.length).trimEnd())
      return finding(/[✖×]/.test(sign), { file, line: Number(row), column: Number(column) }, code, message)
    }
    return readerWithSum(readProblem, ({ text }, behindErrors) =>
      behindErrors ? summary(/^ {2}(\d{1,9}) errors?$/.exec(text)) : undefined,
    )
  },
}

/** `  src/a.js:1:7`, below an empty line: a file, with the place of the first of its problems. */
function heading({ after }: Line): string | undefined {
  const found = after(-2) === '' ? /^ {2}(\S.*?)(?::\d{1,9}:\d{1,9})?$/.exec(after(-1)) : null
  return found?.[1]
}
