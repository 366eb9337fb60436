import { errorAt, finding, nothing } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Biome 1 and 2: `check`, `lint`, `format`, `ci`.
 *
 * It prints the first twenty problems only, but counts them all: then the count is right and the list is not known.
 * Biome 1 is known to miscount when it leaves some out; that shows in sums that do not agree.
 */
export const biome: Tool = {
  start() {
    let shown = 0
    let hidden = 0
    return line => {
      const left = /^Diagnostics not shown: (\d+)\.$/.exec(line.text)
      if (left !== null) {
        hidden += Number(left[1])
        return nothing
      }
      if (/^Checked \d+ files? in /.test(line.text)) {
        const sums = readSummary(line, shown + hidden, hidden > 0)
        shown = 0
        hidden = 0
        return sums
      }
      const read = readConcise(line) ?? readDiagnostic(line)
      shown += (read?.errors?.length ?? 0) + (read?.warnings?.length ?? 0)
      return read
    }
  },
}

/** `× src/a.js:2:5: lint/suspicious/noDebugger: This is …`, `! src/b.js: format: …`: with `--reporter=concise`. */
function readConcise({ text }: Line): Finding | undefined {
  const found = /^([×✖!⚠]) (\S.*?)(?::(\d{1,9}):(\d{1,9}))?: ([a-zA-Z]+(?:\/\S+)?): (.*)$/.exec(text)
  if (found === null) return undefined
  const [, mark = '', file = '', line, column, category = '', message = ''] = found
  if (!rule.test(category)) return undefined
  const place = line === undefined ? { file } : { file, line: Number(line), column: Number(column) }
  return finding(mark === '×' || mark === '✖', place, category, message)
}

/** `src/a.js:2:5 lint/suspicious/noDebugger  FIXABLE  ━━━━━`, and its message two lines below. */
function readDiagnostic({ text, after }: Line): Finding | undefined {
  const heading = readHeading(text)
  if (heading === undefined) return undefined
  const { location, category } = heading
  if (location === '') {
    return /^(?:configuration|internalError\/)/.test(category)
      ? { incomplete: `Biome did not run: ${message(after(2))}` }
      : nothing
  }
  if (!/^ {2}\S /.test(after(2))) return nothing
  const at = /^(.*?):(\d+):(\d+)$/.exec(location)
  const place = at === null ? { file: location } : placeIn(at)
  switch (after(2)[2]) {
    case '×':
    case '✖':
      return { ...errorAt(place, category, message(after(2))), also: 2 }
    case '!':
    case '⚠':
      return { warnings: [category], also: 2 }
    default:
      return nothing
  }
}

function message(text: string): string {
  return text.slice(4).trim()
}

const rule =
  /^(?:lint|assist|syntax|parse|format|check|ci|configuration|organizeImports|deserialize|suppressions?|plugin|project|internalError|reporter|files?|fs|search|migrate|flags|args)(?:\/|$)/

function readHeading(text: string): { location: string; category: string } | undefined {
  if (!text.endsWith('━')) return undefined
  const words = text.slice(0, text.indexOf('━')).trimEnd().split(' ')
  while (words.length > 1 && /^[A-Z]*$/.test(words.at(-1) ?? '')) words.pop()
  const category = words.pop() ?? ''
  return rule.test(category) ? { location: words.join(' ').trim(), category } : undefined
}

/** The sums stand right below `Checked 5 files in 3ms.`; one that is missing is none. */
function readSummary({ text, after }: Line, known: number, someHidden: boolean): Finding {
  const sums = { error: 0, warning: 0, info: 0 }
  let also = 0
  for (let next = 1; next <= 8; next += 1) {
    const found = /^Found (\d+) (error|warning|info)s?\.$/.exec(after(next))
    if (found === null) {
      if (after(next).endsWith('━') || /^Checked /.test(after(next))) break
      continue
    }
    sums[found[2] as keyof typeof sums] += Number(found[1])
    also = next
  }
  if (/^Checked 0 files/.test(text) && sums.error > 0) return { also, incomplete: 'Biome checked no file' }
  if (someHidden && sums.error + sums.warning + sums.info < known) {
    return { also, incomplete: `Biome left some problems out and counted ${sums.error} errors of ${known} problems` }
  }
  return { also, summary: sums.error }
}
