import { isRecord, isShape, isText, listOf, maybe, parseJson } from '../../ground/json.ts'
import { errorAt, nothing } from '../finding.ts'
import { lintError } from '../lint-error.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** PHPStan, as a table and as JSON. What it says of no file stands in a table of its own: only its sum counts that. */
export const phpstan: Tool = {
  sum: /^ ?\[(?:ERROR|WARNING)\] Found (\d+) errors?\b/,
  start() {
    let file = ''
    return line => {
      const heading = /^ {2}Line {2,9}(\S.*)$/.exec(line.text)
      if (heading === null || !/^ -{3}/.test(line.after(-1))) return readRow(line, file) ?? readJson(line.text)
      file = (heading[1] ?? '').trimEnd().replace(/ \(in context of .*\)$/, '')
      return nothing
    }
  },
}

/** `  12     Undefined variable: $x`, the rest of the message below it, and what it is called: `🪪  variable.undefined`. */
function readRow({ text, after }: Line, file: string): Finding | undefined {
  const found = file === '' ? null : /^ {2}:?(\d{1,9}) {2,9}(\S.*)$/.exec(text)
  if (found === null) return undefined
  const below: string[] = []
  for (let next = 1; next <= 40; next += 1) {
    const more = /^ {8,16}(\S.*)$/.exec(after(next))
    if (more === null) break
    below.push((more[1] ?? '').trimEnd())
  }
  // Below the message stand its name, a tip, and a link for an editor.
  const isExtra = (line: string) => /^(?:🪪|💡|✏)/u.test(line)
  const end = below.findIndex(isExtra)
  const message = [(found[2] ?? '').trimEnd(), ...below.slice(0, end === -1 ? undefined : end)].join(' ')
  const code = below.find(line => line.startsWith('🪪'))?.replace(/^🪪\s*/u, '') ?? ''
  return { ...errorAt({ file, line: Number(found[1]) }, code, message), also: below.length }
}

interface JsonMessage {
  readonly message: string
  readonly line?: unknown
  readonly identifier?: string
}

const isMessage = isShape<JsonMessage>({ message: isText, identifier: maybe(isText) })
const isFile = isShape<{ readonly messages: readonly JsonMessage[] }>({ messages: listOf(isMessage) })

/** `{"totals":{"errors":0,"file_errors":1},"files":{"/app/a.php":{"errors":1,"messages":[{…}]}},"errors":[]}` */
function readJson(text: string): Finding | undefined {
  const json = text.startsWith('{"totals":{"errors":') ? parseJson(text) : undefined
  if (!isRecord(json) || !Array.isArray(json['errors'])) return undefined
  // Without any file the list is an array.
  const files = Object.entries(isRecord(json['files']) ? json['files'] : {})
  const general = json['errors'].filter(isText).map(message => lintError({ file: '' }, '', message))
  const found = files.flatMap(([file, value]) =>
    (isFile(value) ? value.messages : []).map(({ message, line, identifier = '' }) =>
      lintError({ file, line: typeof line === 'number' ? line : undefined }, identifier, message),
    ),
  )
  return { errors: [...general, ...found] }
}

/** `/app/a.php:12:Undefined variable: $x [identifier=variable.undefined]`: only a failed exit tells that this is an error. */
export const phpstanRaw: Tool = {
  needsFailure: true,
  start:
    () =>
    ({ place, text }) => {
      if (place?.mark !== ':' || place.column !== undefined || !/\.php:\d{1,9}:\S/.test(text)) return undefined
      const { code, message } = splitCode(place.rest, '[]', /^identifier=/)
      return errorAt(place, code.slice('identifier='.length), message)
    },
}
