import type { PathFact } from '../../model/plan.ts'
import type { Operation, Problem } from '../../model/response.ts'

/** One path that an operation changes: a rename changes two. */
export interface Touch {
  readonly op: 'write' | 'delete'
  readonly path: string
  readonly operation: Operation
}

/** A path that is changed, and what a look at the disk told of it. */
export interface Step extends Touch {
  readonly fact: PathFact
}

/** The paths that operations change, in their order; what a rename takes away comes before what it makes. */
export function touches(operations: readonly Operation[]): readonly Touch[] {
  return operations.flatMap((operation): Touch[] => {
    const { op, path } = operation
    if (op === 'rename') {
      return [
        { op: 'delete', path, operation },
        { op: 'write', path: operation.to, operation },
      ]
    }
    return [{ op: op === 'delete' ? op : 'write', path, operation }]
  })
}

/** Each step with its fact, which must be in the same order. */
export function stepsOf(operations: readonly Operation[], facts: readonly PathFact[]): readonly Step[] {
  return touches(operations).map((touch, at) => {
    const fact = facts[at]
    if (fact?.path !== touch.path) throw new Error(`No fact for ${touch.path}`)
    return { ...touch, fact }
  })
}

/** The path that a problem of one step is about, as the operation names it: that of a rename is its first one. */
export function aboutOperation({ operation }: Touch, problem: Problem): Problem {
  return { ...problem, path: operation.path }
}
