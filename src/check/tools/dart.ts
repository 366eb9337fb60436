import { finding } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Finding, Tool } from '../tool.ts'

/** `dart analyze`, also for machines, and `flutter analyze`. Warnings alone make them fail, too. */
export const dart: Tool = {
  explains: (code, warnings, errors) => errors === 0 && warnings.length > 0 && code <= 2,
  start() {
    let errors = 0
    let others = 0
    return ({ text }) => {
      const problem = readProblem(text) ?? readMachine(text)
      if (problem?.errors !== undefined) errors += 1
      else if (problem !== undefined) others += 1
      if (problem !== undefined || errors + others === 0) return problem
      // The sum is that of errors, warnings and infos.
      const sum = /^(\d{1,9}) issues? found\./.exec(text)
      if (sum === null) return undefined
      const summary = Math.max(errors, Number(sum[1]) - others)
      errors = 0
      others = 0
      return { summary }
    }
  },
}

/** Dart: `  error - lib/a.dart:2:10 - Undefined name 'x'. - undefined_identifier`; Flutter has the place behind the message. */
function readProblem(text: string): Finding | undefined {
  const start = /^ {0,9}(error|warning|info) ([-•]) (?=\S)/.exec(text)
  if (start === null) return undefined
  const [head, severity, mark] = start
  const parts = text.slice(head.length).split(` ${mark} `)
  const code = parts.pop() ?? ''
  const isFirst = PLACE.test(parts[0] ?? '')
  const place = PLACE.exec((isFirst ? parts.shift() : parts.pop()) ?? '')
  return place && parts.length > 0
    ? finding(severity === 'error', placeIn(place), code, parts.join(` ${mark} `))
    : undefined
}

const PLACE = /^(\S.*):(\d{1,9}):(\d{1,9})$/

/** `ERROR|COMPILE_TIME_ERROR|UNDEFINED_IDENTIFIER|/app/lib/a.dart|2|10|1|Undefined name 'x'.` */
function readMachine(text: string): Finding | undefined {
  const [severity, kind = '', code = '', file = '', line, column, length, ...message] = text.split('|', 50)
  if (!/^(?:ERROR|WARNING|INFO)$/.test(severity ?? '') || !/^[A-Z_]+$/.test(kind) || message.length === 0)
    return undefined
  if (![line, column, length].every(number => /^\d{1,9}$/.test(number ?? ''))) return undefined
  const at = { file, line: Number(line), column: Number(column) }
  return finding(severity === 'ERROR', at, code.toLowerCase(), message.join('|'))
}
