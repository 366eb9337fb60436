import { shellWord } from '../../ground/words.ts'
import type { Operation, Problem } from '../../model/response.ts'
import type { Base } from '../merge-stale.ts'
import { placeEdits } from './place-edits.ts'

/** Says why edits have no place that have one in the file as the model knows it: the user changed it since. */
export function changedSince(
  operation: Operation,
  problems: readonly Problem[],
  base: Base | undefined,
): readonly Problem[] {
  if (base === undefined || (operation.op !== 'edit' && operation.op !== 'rename')) return problems
  const { path } = operation
  const hadPlace = [base.left, base.seen].some(known => placeEdits(path, operation, known).kind === 'placed')
  if (!hadPlace) return problems
  const message = `${path} was changed after ${base.since}, at the place of this edit. Give the model the file as it is: \`relay pack ${shellWord(path)}\``
  return problems.map(problem => (problem.code === 'edit-not-found' ? { ...problem, message } : problem))
}
