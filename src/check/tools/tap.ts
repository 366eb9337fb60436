import { errorAt, firstLines, nothing, numberIn } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * The Test Anything Protocol, which many test runners speak, Node's own among them. Groups of tests do not count.
 *
 * Linters that can print it (ESLint, stylelint, textlint) make one test of each file, however many errors that has.
 */
export const tap: Tool = {
  trustsSum: true,
  start: () => readTest,
  sum: /^# (?:fail|failed|cancelled) +(\d+)\b/,
  // Without the passed ones, no failed test is not yet no test.
  ran: ({ text }) => numberIn(/^# (?:pass|(?:fail|failed|cancelled)(?= +[1-9])) +(\d{1,9})\b/.exec(text)),
}

function readTest({ text, after }: Line): Finding | undefined {
  const start = /^ {0,200}not ok \d{1,9} (?:- )?(?=\S)/.exec(text)
  if (start === null) return undefined
  const details = readDetails(after)
  const [name = '', directive = ''] = text.slice(start[0].length).split(/ # /)
  if (/^(?:TODO|SKIP)/i.test(directive) || text.endsWith('{') || details.isGroup) return nothing
  if (details.isFile) return { incomplete: 'TAP of a linter counts files, not errors' }
  return errorAt(details.place, '', name, details.reason)
}

/** What the YAML below a test says about it. */
function readDetails(after: Line['after']) {
  const lines: string[] = []
  for (let next = 1; next <= 20 && !/^\s*(?:not ok|ok) |^\s*\.\.\.$|^# /.test(after(next)); next += 1)
    lines.push(after(next))
  const at = lines
    .map(line => /^ +(?:location|at): ['"](.+?):(\d{1,9}):(\d{1,9})['"]$/.exec(line))
    .find(found => found !== null)
  return {
    isGroup: lines.some(line => /^ +failureType: 'subtestsFailed'$/.test(line)),
    isFile: lines.some(line => /^ +severity: (?:error|warning)$/.test(line)),
    reason: reasonIn(lines),
    place: at === undefined ? { file: '' } : placeIn(at),
  }
}

/** `error: 'x'`, or below `error: |-` the first lines of the text. */
function reasonIn(lines: readonly string[]): string {
  const start = lines.findIndex(line => /^ +error: /.test(line))
  const [, indent = '', said = ''] = /^( +)error: (.*)$/.exec(lines[start] ?? '') ?? []
  if (!/^[|>]/.test(said)) return said.replace(/^(['"])(.*)\1$/, '$2')
  const below = lines.slice(start + 1)
  const end = below.findIndex(line => line.trim() !== '' && !line.startsWith(`${indent} `))
  return firstLines(below.slice(0, end < 0 ? undefined : end))
}
