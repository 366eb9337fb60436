import type { LintError } from '../../model/check.ts'
import { errorAt, nothing } from '../finding.ts'
import { type At, lintError, placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** Elixir's compiler, `mix compile`. With `--warnings-as-errors` it says only at its end that its warnings are errors. */
export const elixir: Tool = {
  start() {
    let warned: LintError[] = []
    return line => {
      if (line.text.startsWith('Compilation failed due to warnings while using the --warnings-as-errors option')) {
        const errors = warned
        warned = []
        return { errors }
      }
      const found = readDiagnostic(line)
      if (found === undefined) return readException(line)
      if (found.isError) return { errors: [found.error] }
      warned.push(found.error)
      return { warnings: [''] }
    }
  },
}

/** `error: undefined variable "x"`, from Elixir 1.16 on indented and with a frame below it. */
function readDiagnostic({ text, after }: Line): { isError: boolean; error: LintError } | undefined {
  const found = /^ {0,4}(error|warning): (\S.*)$/.exec(text)
  const place = found === null ? undefined : placeBelow(after)
  if (found === null || place === undefined) return undefined
  return { isError: found[1] === 'error', error: lintError(place, '', found[2] ?? '') }
}

/** `    └─ lib/a.ex:10:7: A.run/0` at the end of the frame; before Elixir 1.16 `  lib/a.ex:10: A.run/0`. */
function placeBelow(after: Line['after']): At | undefined {
  for (let next = 1; next <= 30 && after(next) !== ''; next += 1) {
    const at = /^ {1,9}(?:└─ )?(\S+\.(?:exs?|[hl]?eex)):(\d{1,9})(?::(\d{1,9}))?(?:: |$)/.exec(after(next))
    if (at !== null) return placeIn(at)
    if (/^ {0,4}(?:error|warning): /.test(after(next))) return undefined
  }
  return undefined
}

/**
 * Below `== Compilation error in file lib/a.ex ==` stands `** (CompileError) lib/a.ex:3: undefined function x/0`, or what
 * else ended the compiler. Newer ones have told the errors above it, or tell them below it.
 */
function readException({ text, after }: Line): Finding | undefined {
  const file = /^== Compilation error (?:in|on) file (.+) ==$/.exec(after(-1))?.[1]
  const found = file === undefined ? null : /^\*\* \((\w[\w.]{0,100})\) (.*)$/.exec(text)
  if (file === undefined || found === null) return undefined
  const [, code = '', said = ''] = found
  if (said.endsWith('(errors have been logged)') || / on .*:\d{1,9}:$/.test(said)) return nothing
  const place = /^(\S+):(\d{1,9})(?::(\d{1,9}))?: /.exec(said)
  return place === null ? errorAt({ file }, code, said) : errorAt(placeIn(place), code, said.slice(place[0].length))
}
