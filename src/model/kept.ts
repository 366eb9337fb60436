/** Whose work it was, on what, and why it did not come home. */
export interface AboutKept {
  /** Unique, where it could be kept twice. */
  readonly id?: string | undefined
  /** The agent's name: `claude`. */
  readonly agent: string
  /** The list of tasks that it belongs to, where there is one. */
  readonly book?: string | undefined
  readonly task?: string | undefined
  readonly title: string
  readonly why: string
  /** What the agent said. */
  readonly reasoning: string
}

/** Work that did not come home, as it is listed. */
export interface KeptNote extends AboutKept {
  readonly number: number
  readonly at: Date
  /** Of all contents. */
  readonly bytes: number
  readonly paths: readonly string[]
}
