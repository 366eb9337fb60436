import { lintError } from './lint-error.ts'
import type { Finding, Line, Tool } from './tool.ts'

/** mypy, with and without columns, `--pretty` too. */
export const mypy: Tool = {
  name: 'mypy',
  trusts: 'lines',
  start: () => line => readError(line) ?? readSummary(line.text),
}

/** `a.py:5: error: Incompatible return value  [return-value]`; what hinders it from starting has no line. */
function readError(line: Line): Finding | undefined {
  const { text, place } = line
  if (place?.mark === ':' && isPython(place.file)) {
    if (/^(?:note|warning): /.test(place.rest)) return { warnings: place.rest.startsWith('warning') ? [''] : [] }
    if (!place.rest.startsWith('error: ')) return undefined
    const { code, message } = splitCode(place.rest.slice(7), line)
    return { errors: [lintError(place, code, message)] }
  }
  const at = text.indexOf(': error: ')
  if (at === -1 || !isPython(text.slice(0, at))) return undefined
  const { code, message } = splitCode(text.slice(at + 9), line)
  return { errors: [lintError({ file: text.slice(0, at) }, code, message)] }
}

function isPython(file: string): boolean {
  return /\.(?:pyi?|ipynb)$/.test(file)
}

/** `--pretty` breaks a long message over lines; its code then comes at the end of the last of them. */
function splitCode(text: string, { after }: Line): { code: string; message: string } {
  let whole = text.trimEnd()
  for (let next = 1; next <= 6; next += 1) {
    const found = codeAtEnd(whole)
    if (found !== undefined) return found
    if (after(next) === '' || /^ |:\d+: |^Found /.test(after(next))) break
    whole = `${whole} ${after(next).trimEnd()}`
  }
  return { code: '', message: text }
}

function codeAtEnd(text: string): { code: string; message: string } | undefined {
  const open = text.lastIndexOf(' [')
  const code = text.slice(open + 2, -1)
  return open !== -1 && text.endsWith(']') && /^[a-z-]+$/.test(code)
    ? { code, message: text.slice(0, open) }
    : undefined
}

function readSummary(text: string): Finding | undefined {
  const found = /^Found (\d+) errors? in \d+ files? \((?:checked|errors prevented) /.exec(text)
  if (found !== null) return { summary: Number(found[1]) }
  return /^Success: no issues found in \d+ source files?$/.test(text) ? { summary: 0 } : undefined
}
