import { isShape, isText, isWhole, maybe } from '../ground/json.ts'
import type { LintError } from '../model/check.ts'

/** Where an error stands, as far as it is known. */
export interface At {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Makes an error of its parts, and of nothing else that the place knows. */
export function lintError({ file, line, column }: At, code: string, message: string): LintError {
  return { file, line, column, code, message }
}

/** What a value from a file that may have come with a cloned project has to be, to be taken for an error. */
export const lintErrorShape = {
  file: isText,
  line: maybe(isWhole),
  code: isText,
  message: isText,
  why: maybe(isText),
} as const
export const isLintError = isShape<LintError>(lintErrorShape)

/** The place that a pattern's first groups caught: file, line, and column where there is one. */
export function placeIn([, file = '', line, column]: RegExpExecArray): At {
  return { file, line: Number(line), column: column === undefined ? undefined : Number(column) }
}
