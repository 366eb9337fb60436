import { isShape, isText, isWhole, maybe } from '../ground/json.ts'
import type { LintError } from '../model/check.ts'

/** As much of an error's place as is known. */
export interface At {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Takes nothing else from the place. */
export function lintError({ file, line, column }: At, code: string, message: string): LintError {
  return { file, line, column, code, message }
}

/** A file with errors may come with a cloned project: only this shape counts as an error. */
export const lintErrorShape = {
  file: isText,
  line: maybe(isWhole),
  code: isText,
  message: isText,
  why: maybe(isText),
} as const
export const isLintError = isShape<LintError>(lintErrorShape)

/** The first groups of the pattern are file, line and, if there is one, column. */
export function placeIn([, file = '', line, column]: RegExpExecArray): At {
  return { file, line: Number(line), column: column === undefined ? undefined : Number(column) }
}
