import { errorAt, nothing } from '../finding.ts'
import type { Finding, Tool } from '../tool.ts'

/**
 * Formatters that only look: `prettier --check`, `black --check`, `ruff format --check`, `cargo fmt --check`.
 *
 * Each file (for Cargo each piece of one) that is not formatted is an error, and so is one that cannot be read.
 */
export const formatters: Tool = {
  needsFailure: true,
  start: () => line => readPrettier(line.text) ?? readOthers(line.text),
}

const unformatted = (file: string): Finding => errorAt({ file }, 'format', 'not formatted')

/** `[warn] src/a.js`, `[error] src/b.js: SyntaxError: Unexpected token (1:9)`; frames follow in more `[error]` lines. */
function readPrettier(text: string): Finding | undefined {
  const warned = /^\[warn\] (\S.*\.\w{1,12})$/.exec(text)
  if (warned !== null) return unformatted(warned[1] ?? '')
  const failed = /^\[error\] (\S.*?): (\w*Error): (.*)$/.exec(text)
  if (failed === null) return /^\[(?:warn|error)\] /.test(text) ? nothing : undefined
  return errorAt({ file: failed[1] ?? '' }, failed[2] ?? '', failed[3] ?? '')
}

function readOthers(text: string): Finding | undefined {
  const file =
    /^would reformat (\S.*)$/.exec(text) ??
    /^Would reformat: (\S.*)$/.exec(text) ??
    /^Diff in (\S.*?)(?: at line \d+|:\d+):$/.exec(text)
  if (file !== null) return unformatted(file[1] ?? '')
  const failed = /^error: cannot format (\S.*?): (.*)$/.exec(text)
  return failed === null ? undefined : errorAt({ file: failed[1] ?? '' }, 'format', failed[2] ?? '')
}
