import type { PathState } from './plan.ts'
import type { SourceName } from './response.ts'

/** What an agent made of one path in its checkout, and what it started from there. */
export interface MadeChange {
  /** Relative to the project's root, with `/` between its parts. */
  readonly path: string
  readonly base: PathState
  readonly made: PathState
}

/** All that an agent made in one go. */
export interface Made {
  readonly changes: readonly MadeChange[]
  /** Its name for people; without one it is the agent's first sentence, else what was changed. */
  readonly title?: string
  /** Names this landing for good: what was settled under it once is not done again. */
  readonly uuid?: string
  readonly source: Extract<SourceName, `agent:${string}`>
  /** What the agent said about it. */
  readonly reasoning: string
}
