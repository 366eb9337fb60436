import type { PathState } from './plan.ts'
import type { SourceName } from './response.ts'

/** An agent's change to one path in its checkout, with the state before it. */
export interface AgentChange {
  /** Relative to the project's root, with `/` between its parts. */
  readonly path: string
  readonly base: PathState
  readonly made: PathState
}

/** Everything that an agent changed in one piece of work. */
export interface AgentChanges {
  readonly changes: readonly AgentChange[]
  /** The name for people. Without one it is the agent's first sentence, or else a description of the changes. */
  readonly title?: string
  /** Identifies this landing for good: what was settled once under this uuid is not done again. */
  readonly uuid?: string
  readonly source: Extract<SourceName, `agent:${string}`>
  readonly reasoning: string
}
