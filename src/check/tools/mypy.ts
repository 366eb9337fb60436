import { errorAt, summary } from '../finding.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** mypy, with and without columns, `--pretty` too. */
export const mypy: Tool = {
  start: () => line => readError(line) ?? readSummary(line.text),
}

/** `a.py:5: error: Incompatible return value  [return-value]`; what hinders it from starting has no line. */
function readError(line: Line): Finding | undefined {
  const { text, place } = line
  if (place?.mark === ':' && isPython(place.file)) {
    if (!place.rest.startsWith('error: ')) return undefined
    const { code, message } = splitWrapped(place.rest.slice(7), line)
    return errorAt(place, code, message)
  }
  const at = text.indexOf(': error: ')
  if (at === -1 || !isPython(text.slice(0, at))) return undefined
  const { code, message } = splitWrapped(text.slice(at + 9), line)
  return errorAt({ file: text.slice(0, at) }, code, message)
}

function isPython(file: string): boolean {
  return /\.(?:pyi?|ipynb)$/.test(file)
}

/** `--pretty` breaks a long message over lines; its code then comes at the end of the last of them. */
function splitWrapped(text: string, { after }: Line): { code: string; message: string } {
  let whole = text.trimEnd()
  for (let next = 1; next <= 6; next += 1) {
    const found = splitCode(whole, '[]', /^[a-z-]+$/)
    if (found.code !== '') return found
    if (after(next) === '' || /^ |:\d+: |^Found /.test(after(next))) break
    whole = `${whole} ${after(next).trimEnd()}`
  }
  return { code: '', message: text }
}

function readSummary(text: string): Finding | undefined {
  if (/^Success: no issues found in \d+ source files?$/.test(text)) return { summary: 0 }
  return summary(/^Found (\d+) errors? in \d+ files? \((?:checked|errors prevented) /.exec(text))
}
