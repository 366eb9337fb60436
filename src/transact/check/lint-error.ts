import type { LintError } from '../../model.ts'

/** Makes an error of its parts; a place that is not known is left out. */
export function lintError(
  at: { readonly file: string; readonly line?: number | undefined; readonly column?: number | undefined },
  code: string,
  message: string,
): LintError {
  return {
    file: at.file,
    ...(at.line === undefined ? {} : { line: at.line }),
    ...(at.column === undefined ? {} : { column: at.column }),
    code,
    message,
  }
}
