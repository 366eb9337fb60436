import { isShape, isText, listOf, parseJson } from '../../ground/json.ts'
import type { LintError } from '../../model/check.ts'
import { finding } from '../finding.ts'
import { lintError } from '../lint-error.ts'
import { readPlace } from '../read-place.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * ESLint in the formats `stylish` (the default), `unix`, `compact` and `json`, and what prints like it: stylelint,
 * `next lint`, standard, JSHint, yamllint, and oxlint when asked to.
 */
export const eslint: Tool = {
  /** With severities; without them (`8 problems`) it says nothing about errors. */
  sum: /^(?:\S{1,3} )?\d+ problems? \((\d+) errors?, \d+ warnings?\)/,
  start() {
    let file = ''
    return line => {
      const start = row.exec(line.text)
      if (start !== null) {
        file = heading(line) ?? file
        return readRow(start, line.text, file)
      }
      return (
        readUnix(line) ?? readParsable(line) ?? readStandard(line.text) ?? readCompact(line.text) ?? readJson(line.text)
      )
    }
  },
}

/** A file's name stands above its first row, below an empty line; above other rows may stand more of a message. */
function heading({ after }: Line): string | undefined {
  return /^\S/.test(after(-1)) && after(-2) === '' ? after(-1).trim() : undefined
}

const row = /^ {0,9}(\d{1,9}):(\d{1,9}) {1,9}(error|warning|Error:|Warning:|✖|×|⚠|‼|ℹ)\s+(?=\S)/

/** `  3:15  error  'x' is not defined  no-undef`, below the name of its file. */
function readRow([head, line, column, severity = '']: RegExpExecArray, text: string, file: string): Finding {
  const { code, message } = splitRow(text.slice(head.length).trimEnd())
  const place = { file, line: Number(line), column: Number(column) }
  return finding(/^(?:error|Error:|✖|×)$/.test(severity), place, code, message)
}

/** Takes the rule off a row's end, where it is the last column, two blanks apart; errors of the parser have none. */
export function splitRow(text: string): Pick<LintError, 'code' | 'message'> {
  const gap = text.lastIndexOf('  ')
  const code = text.slice(gap + 2)
  return gap === -1 || code.includes(' ') ? { code: '', message: text } : { code, message: text.slice(0, gap) }
}

/** `a.js:3:15: 'x' is not defined. [Error/no-undef]`; stylelint: `a.css:1:12: Invalid color (color-no-invalid) [error]`. */
function readUnix({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || !place.rest.endsWith(']')) return undefined
  const open = place.rest.lastIndexOf(' [')
  const tag = /^(error|warning)(?:\/(.+))?$/i.exec(place.rest.slice(open + 2, -1))
  if (tag === null) return undefined
  const { code, message } =
    tag[2] === undefined ? splitRule(place.rest.slice(0, open)) : { code: tag[2], message: place.rest.slice(0, open) }
  return finding(/^error$/i.test(tag[1] ?? ''), place, code, message)
}

/** yamllint, parsable: `a.yml:2:1: [error] duplication of key "a" in mapping (key-duplicates)` */
function readParsable({ place }: Line): Finding | undefined {
  const found = place?.mark === ':' ? /^\[(error|warning)\] (.*)$/.exec(place.rest) : null
  if (place === undefined || found === null) return undefined
  const { code, message } = splitRule(found[2] ?? '')
  return finding(found[1] === 'error', place, code, message)
}

/** standard: `  /app/a.js:3:15: 'x' is not defined. (no-undef)` */
function readStandard(text: string): Finding | undefined {
  const place = /^ {2}\S.*\)$/.test(text) ? readPlace(text.slice(2)) : undefined
  if (place?.mark !== ':' || place.column === undefined) return undefined
  const found = /^(.*?) \(([\w@/-]{1,100})\)( \(warning\))?$/.exec(place.rest)
  return found === null ? undefined : finding(found[3] === undefined, place, found[2] ?? '', found[1] ?? '')
}

/** `a.js: line 3, col 15, Error - 'x' is not defined. (no-undef)`; JSHint knows no severities. */
function readCompact(text: string): Finding | undefined {
  const at = text.indexOf(': line ')
  if (at < 1) return undefined
  const found = /^: line (\d+), col (\d+), (?:([a-z]+) - )?(.*)$/i.exec(text.slice(at))
  if (found === null) return undefined
  const { code, message } = splitRule(found[4] ?? '')
  const place = { file: text.slice(0, at), line: Number(found[1]), column: Number(found[2]) }
  return finding(/^error$/i.test(found[3] ?? 'error'), place, code, message)
}

/** A rule in brackets at the end. */
function splitRule(text: string) {
  return splitCode(text, '()', /^[^ ]*$/)
}

interface JsonFile {
  readonly filePath: string
  readonly messages: readonly JsonMessage[]
}

interface JsonMessage {
  readonly severity: number
  readonly ruleId: string | null
  readonly message: string
  readonly line?: number
  readonly column?: number
}

function readJson(text: string): Finding | undefined {
  if (!text.startsWith('[{"filePath":')) return undefined
  const files = parseJson(text)
  if (!Array.isArray(files)) return undefined
  const messages = files
    .filter(isJsonFile)
    .flatMap(({ filePath, messages }) => messages.map(message => ({ filePath, ...message })))
  return {
    errors: messages
      .filter(({ severity }) => severity === 2)
      .map(({ filePath: file, line, column, ruleId, message }) =>
        lintError({ file, line, column }, ruleId ?? '', message),
      ),
    warnings: messages.filter(({ severity }) => severity !== 2).map(({ ruleId }) => ruleId ?? ''),
  }
}

const isMessage = isShape<JsonMessage>({ message: isText, severity: value => typeof value === 'number' })
const isJsonFile = isShape<JsonFile>({ filePath: isText, messages: listOf(isMessage) })
