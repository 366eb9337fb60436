/** How a task of a RAF project stands. It is derived from files, and stored nowhere. */
export type RafTaskStatus = 'pending' | 'completed' | 'failed' | 'blocked'

/** How a RAF project stands, in RAF's words. */
export type RafStatus = 'planning' | 'ready' | 'executing' | 'completed' | 'failed'

export interface RafTask {
  /** Two signs of base 36: `01`, `0a`. */
  readonly id: string
  /** The name of its file, without a folder: `01-add-login.md`. */
  readonly file: string
  readonly title: string
  readonly status: RafTaskStatus
  /** Ids, as its file names them. */
  readonly dependencies: readonly string[]
}

/** Why tasks of a project can never be begun. */
export type RafProblem =
  /** Each waits for the next, and the last one for the first. */
  | { readonly kind: 'cycle'; readonly ids: readonly string[] }
  | { readonly kind: 'unknown-dependency'; readonly id: string; readonly dependency: string }
  /** Its file names another task there, but not as RAF reads it: `- 01`. */
  | { readonly kind: 'unread-dependency'; readonly id: string; readonly dependency: string }
  | { readonly kind: 'same-id'; readonly id: string; readonly files: readonly string[] }

export interface RafState {
  /** In their order. */
  readonly tasks: readonly RafTask[]
  readonly status: RafStatus
  readonly problems: readonly RafProblem[]
  /** Tasks that an outcome calls blocked although no dependency of theirs is failed or blocked any more. */
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

/** How many tasks stand how. */
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
