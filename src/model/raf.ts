import type { AgentUsage } from './agent.ts'

/** The status of a task in a RAF project. It is derived from files and never stored. */
export type RafTaskStatus = 'pending' | 'completed' | 'failed' | 'blocked'

/** The status of a RAF project, in RAF's own words. */
export type RafStatus = 'planning' | 'ready' | 'executing' | 'completed' | 'failed'

export interface RafTask {
  /** Two base-36 characters: `01`, `0a`. */
  readonly id: string
  /** The file name without a folder: `01-add-login.md`. */
  readonly file: string
  readonly title: string
  readonly status: RafTaskStatus
  /** Ids from the task's file. */
  readonly dependencies: readonly string[]
  /** What it has used, if its outcome says so. */
  readonly usage?: AgentUsage
}

/** Why some tasks of a project can never start. */
export type RafProblem =
  /** Each task waits for the next, and the last one for the first. */
  | { readonly kind: 'cycle'; readonly ids: readonly string[] }
  | { readonly kind: 'unknown-dependency'; readonly id: string; readonly dependency: string }
  /** The file mentions another task as a dependency, but not in a form that RAF reads: `- 01`. */
  | { readonly kind: 'unread-dependency'; readonly id: string; readonly dependency: string }
  | { readonly kind: 'same-id'; readonly id: string; readonly files: readonly string[] }

export interface RafState {
  readonly tasks: readonly RafTask[]
  readonly status: RafStatus
  readonly problems: readonly RafProblem[]
  /** Ids of tasks whose outcome says *blocked* although none of their dependencies is failed or blocked any more. */
  readonly staleBlocks: readonly string[]
}

/** A RAF project: a folder `RAF/<id>-<name>`. */
export interface RafProject {
  /** Six letters. */
  readonly id: string
  readonly name: string
  /** The absolute path of its folder. */
  readonly path: string
  readonly state: RafState
}

export type RafStats = Readonly<Record<RafTaskStatus | 'total', number>>

export function statsOf({ tasks }: RafState): RafStats {
  const number = (wanted: RafTaskStatus) => tasks.filter(({ status }) => status === wanted).length
  return {
    pending: number('pending'),
    completed: number('completed'),
    failed: number('failed'),
    blocked: number('blocked'),
    total: tasks.length,
  }
}
