/** An agent's work that did not land: who did it, on what, and why it did not land. */
export interface AboutKept {
  /** Unique, if the same work could be kept twice. */
  readonly id?: string | undefined
  /** The agent's name: `claude`. */
  readonly agent: string
  readonly book?: string | undefined
  readonly task?: string | undefined
  readonly title: string
  readonly why: string
  readonly reasoning: string
}

/** Kept work, as a list shows it. */
export interface KeptNote extends AboutKept {
  readonly number: number
  readonly at: Date
  /** The size of all contents. */
  readonly bytes: number
  readonly paths: readonly string[]
  /** The checkout that holds the work, where relay could not take it: its files are read when it lands. */
  readonly left?: string | undefined
}
