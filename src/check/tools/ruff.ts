import type { LintError } from '../../model/check.ts'
import { errorAt, readerWithSum } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Place } from '../read-place.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Ruff (`full`, `concise`, `grouped` and `pylint`) and Flake8: every rule that is broken is an error, whatever its letter; that is how both
 * set their exit code.
 */
export const ruff: Tool = {
  start() {
    let file = ''
    /** Below `a.py:` stands `   1:8  F401 [*] 'os' imported but unused`. */
    const readGrouped = ({ text, after }: Line): Finding | undefined => {
      const at = /^ {2,9}(\d{1,9}):(\d{1,9}) {1,9}(?=\S)/.exec(text)
      if (at === null) return undefined
      file = /^(\S.*):$/.exec(after(-1))?.[1] ?? file
      const found = isPython(file) ? readRule(text.slice(at[0].length)) : undefined
      return found && errorAt({ file, line: Number(at[1]), column: Number(at[2]) }, found.code, found.message)
    }
    return readerWithSum(line => readConcise(line) ?? readFull(line) ?? readGrouped(line), readSummary)
  },
}

/** `a.py:1:8: F401 [*] 'os' imported but unused` */
function readConcise({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || !isPython(place.file)) return undefined
  if (place.column === undefined) return readLikePylint(place)
  const found = readRule(place.rest)
  return found === undefined ? undefined : errorAt(place, found.code, found.message)
}

/** `a.py:1: [F401] 'os' imported but unused`; four digits after one of these letters are Pylint's own. */
function readLikePylint(place: Place): Finding | undefined {
  const found = /^\[(?![CEFIRW]\d{4}\])([A-Z]{1,7}\d{1,5})\] (?=\S)/.exec(place.rest)
  return found === null ? undefined : errorAt(place, found[1] ?? '', place.rest.slice(found[0].length))
}

/** The same turned round: `F401 [*] 'os' imported but unused`, and below it ` --> a.py:1:8`. */
function readFull({ text, after }: Line): Finding | undefined {
  const at = /^ {1,9}--> (.+?):(\d{1,9}):(\d{1,9})$/.exec(after(1))
  if (at === null || !isPython(at[1] ?? '')) return undefined
  const found = readRule(text)
  if (found === undefined) return undefined
  return { ...errorAt(placeIn(at), found.code, found.message), also: 1 }
}

/** A notebook's cell is part of the file's name. */
function isPython(file: string): boolean {
  return /\.(?:pyi?|pyw|ipynb(?::cell \d+)?|md|toml)$/.test(file)
}

/** Rules have a number and then a blank, or a name and then a colon; `[*]` says that Ruff can repair it. */
function readRule(text: string): Pick<LintError, 'code' | 'message'> | undefined {
  const found =
    /^([A-Z]{1,7}\d{1,5}) (?:\[\*\] )?(?=\S)/.exec(text) ??
    /^(?:error\[([a-z][\w-]{1,60})\]|([a-z][\w-]{1,60}|SyntaxError)): (?:\[\*\] )?(?=\S)/.exec(text)
  const code = found?.[1] ?? found?.[2]
  if (found === null || code === undefined || /^(?:error|warning|note|info|help)$/.test(code)) return undefined
  return { code, message: text.slice(found[0].length) }
}

/** After `--fix`, what remains counts. */
function readSummary({ text, after }: Line, afterErrors: boolean): Finding | undefined {
  const found = /^Found (\d+) errors?(?:\.| \((?:\d+ fixed, )?(\d+) (remaining|fixed)\)\.?)$/.exec(text)
  if (found === null) return undefined
  if (found[3] === 'remaining') return { summary: Number(found[2]) }
  if (found[3] === 'fixed') return { summary: 0 }
  return afterErrors || /^(?:\[\*\] \d+ |No fixes available)/.test(after(1)) ? { summary: Number(found[1]) } : undefined
}
