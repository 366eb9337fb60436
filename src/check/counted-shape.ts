import { isShape, isText, isWhole, listOf, maybe } from '../ground/json.ts'
import type { FailedStep } from '../model/check.ts'
import { isLintError } from './lint-error.ts'

const isFailedStep = isShape<FailedStep>({ name: isText, code: isWhole })

/** What the result of a check has to be, in a note that may have come with a cloned project, to be compared with another. */
export const countedShape = {
  errors: isWhole,
  code: isWhole,
  list: maybe(listOf(isLintError)),
  failed: listOf(isFailedStep),
} as const
