import { isRecord } from '../../ground/is-record.ts'
import type { LintError } from '../../model.ts'

/** Where an error stands, as far as it is known. */
export interface At {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Makes an error of its parts; a place that is not known is left out. */
export function lintError({ file, line, column }: At, code: string, message: string): LintError {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    code,
    message,
  }
}

/** Whether a value from a file that may have come with a cloned project is an error, as far as anything relies on it. */
export function isLintError(value: unknown): value is LintError {
  if (!isRecord(value)) return false
  const { file, line, code, message, why = '' } = value
  return (
    [file, code, message, why].every(text => typeof text === 'string') &&
    (line === undefined || Number.isSafeInteger(line))
  )
}

/** The place that a pattern's first groups caught: file, line, and column where there is one. */
export function placeIn([, file = '', line, column]: RegExpExecArray): At {
  return { file, line: Number(line), column: column === undefined ? undefined : Number(column) }
}
