import type { Reason } from '../model/check.ts'
import { lintersOf } from '../model/linters-of.ts'
import type { Change, Plan } from '../model/plan.ts'
import type { Project } from '../model/project.ts'
import type { RelayOptions } from './understood-answer.ts'

/** The reasons to ask a person about a plan, besides its flags, whatever the commands find. */
export function reasonsToAsk(
  { changes }: Plan,
  leftOut: number,
  { config }: Project,
  { withoutControl }: RelayOptions = {},
): readonly Reason[] {
  const paths = (isOne: (change: Change) => boolean) => changes.filter(isOne).map(({ path }) => path)
  const merged = lintersOf(config).length === 0 ? paths(change => change.merged !== undefined) : []
  const marked = paths(change => change.isMarked === true)
  return [
    ...(leftOut > 0 ? [{ kind: 'partial', problems: leftOut } as const] : []),
    ...(withoutControl === true ? [{ kind: 'no-control' } as const] : []),
    ...(merged.length > 0 ? [{ kind: 'merged', paths: merged } as const] : []),
    ...(marked.length > 0 ? [{ kind: 'marked', paths: marked } as const] : []),
  ]
}
