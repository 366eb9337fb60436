import { isShape, isText, isWhole, listOf, maybe, oneOf } from '../ground/json.ts'
import type { FailedStep, Ran } from '../model/check.ts'
import { isLintError } from './lint-error.ts'

const isFailedStep = isShape<FailedStep>({ name: isText, code: isWhole })

/** A note with a check may come with a cloned project: only this shape can be compared. */
export const countedShape = {
  errors: isWhole,
  code: isWhole,
  list: maybe(listOf(isLintError)),
  failed: listOf(isFailedStep),
  tests: maybe(oneOf<Ran>('some', 'none')),
} as const
