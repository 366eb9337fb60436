/** An answer and the user changed one file differently since the model saw it: only a person can tell what is meant. */
export interface AnswerOverlap {
  readonly path: string
  readonly why:
    | 'text'
    /** No text, so nothing can be merged. */
    | 'binary'
    /** The answer removes the file, and the user changed it. */
    | 'edited-since'
  /** The places themselves, for a text; `ours` is the user's, `theirs` the answer's. */
  readonly places: readonly OverlapPlace[]
  /** Since when the file was changed: `#42`, or `the last pack`. */
  readonly since: string
  /** Both texts can stand in the file, between conflict markers. */
  readonly canMark: boolean
}

/** What somebody decides about it: both texts, the model's, or the user's. */
export type AnswerChoice = 'markers' | 'model' | 'mine'

/** Lines that two sides changed, without their ends. */
export interface OverlapPlace {
  /** 1-based line in the present file. */
  readonly line: number
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}
