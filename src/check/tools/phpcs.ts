import { finding, nothing } from '../finding.ts'
import type { At } from '../lint-error.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * PHP_CodeSniffer, in its usual report and as `--report=emacs`. Warnings alone make it fail, too.
 */
export const phpcs: Tool = {
  explains: (code, warnings) => warnings.length > 0 && (code === 1 || code === 2),
  /** `FOUND 10 ERRORS AND 2 WARNINGS AFFECTING 4 LINES`, for each file. */
  sum: /^FOUND (\d+) ERRORS?(?: AND \d+ WARNINGS?)? AFFECTING \d+ LINES?$/,
  start() {
    let file = ''
    return line => {
      const heading = /^FILE: (\S.*)$/.exec(line.text)
      if (heading === null) return readRow(line, file) ?? readEmacs(line)
      file = heading[1] ?? ''
      return nothing
    }
  },
}

/** ` 3 | ERROR   | [x] Line indented incorrectly; expected 4 spaces,`, and the rest of it in lines that have no number. */
function readRow({ text, after }: Line, file: string): Finding | undefined {
  const found = /^ {0,9}(\d{1,9}) \| (ERROR|WARNING) {0,2} \| (?:\[[ x]\] )?(.*)$/.exec(text)
  if (found === null) return undefined
  const [, row, severity, start = ''] = found
  const rest: string[] = []
  for (let more = 1; more <= 40; more += 1) {
    const next = /^ {1,12}\| {7,9}\| {1,5}(.*)$/.exec(after(more))
    if (next === null) break
    rest.push(next[1] ?? '')
  }
  const message = [start, ...rest].map(part => part.trim()).join(' ')
  return { ...problem(severity === 'ERROR', { file, line: Number(row) }, message), also: rest.length }
}

/** `/project/a.php:3:10: error - Expected 1 space after FUNCTION keyword; 2 found` */
function readEmacs({ place }: Line): Finding | undefined {
  const found = place?.mark === ':' ? /^(error|warning) - (.*)$/.exec(place.rest) : null
  return place === undefined || found === null ? undefined : problem(found[1] === 'error', place, found[2] ?? '')
}

/** With `-s` the rule is at the end, in brackets. */
function problem(isError: boolean, at: At, text: string): Finding {
  const { code, message } = splitCode(text, '()', /^\w+(?:\.\w+){2,3}$/)
  return finding(isError, at, code, message)
}
