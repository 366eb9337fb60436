import type { LintError } from '../../model.ts'
import { lintError } from './lint-error.ts'
import type { Finding, Line, Tool } from './tool.ts'

/**
 * Ruff (`full` and `concise`) and Flake8: every rule that is broken is an error, whatever its letter; that is how both
 * set their exit code.
 */
export const ruff: Tool = {
  name: 'ruff',
  trusts: 'lines',
  start() {
    let unsummed = 0
    return line => {
      const finding = readConcise(line) ?? readFull(line)
      if (finding !== undefined) {
        unsummed += 1
        return finding
      }
      const summary = readSummary(line, unsummed > 0)
      if (summary !== undefined) unsummed = 0
      return summary
    }
  },
}

const code = /^([A-Z]{1,7}\d{1,5}|[a-z]+(?:-[a-z]+)+|SyntaxError)(:? )(?:\[\*\] )?(?=\S)/

/** `a.py:1:8: F401 [*] 'os' imported but unused` */
function readConcise({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || place.column === undefined) return undefined
  const found = readRule(place.rest)
  return found === undefined ? undefined : { errors: [lintError(place, found.code, found.message)] }
}

/** The same turned round: `F401 [*] 'os' imported but unused`, and below it ` --> a.py:1:8`. */
function readFull({ text, after }: Line): Finding | undefined {
  const found = readRule(text)
  if (found === undefined) return undefined
  const at = /^ {1,9}--> (.+?):(\d{1,9}):(\d{1,9})$/.exec(after(1))
  if (at === null) return undefined
  const place = { file: at[1] ?? '', line: Number(at[2]), column: Number(at[3]) }
  return { errors: [lintError(place, found.code, found.message)], also: 1 }
}

/** Rules have a number and then a blank; errors of the parser have a name and then a colon. */
function readRule(text: string): Pick<LintError, 'code' | 'message'> | undefined {
  const found = code.exec(text)
  if (found === null) return undefined
  const [head, name = '', mark] = found
  if (/\d$/.test(name) !== (mark === ' ')) return undefined
  return { code: name, message: text.slice(head.length) }
}

/** After `--fix`, what remains counts. */
function readSummary({ text, after }: Line, afterErrors: boolean): Finding | undefined {
  const found = /^Found (\d+) errors?(?:\.| \((?:\d+ fixed, )?(\d+) (remaining|fixed)\)\.?)$/.exec(text)
  if (found === null) return undefined
  if (found[3] === 'remaining') return { summary: Number(found[2]) }
  if (found[3] === 'fixed') return { summary: 0 }
  return afterErrors || /^(?:\[\*\] \d+ |No fixes available)/.test(after(1)) ? { summary: Number(found[1]) } : undefined
}
