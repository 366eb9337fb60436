/** The answer and the user changed one file differently since the model saw it: only a person can say what is meant. */
export interface AnswerOverlap {
  readonly path: string
  readonly why:
    | 'text'
    /** The file is not text, so nothing can be merged. */
    | 'binary'
    /** One of the two versions is a link. */
    | 'link'
    /** The answer deletes the file, and the user changed it. */
    | 'edited-since'
    /** The user deleted the file, and the answer changes it. */
    | 'deleted-since'
    /** The file did not exist, and both created it. */
    | 'made-since'
  /** The overlapping places of a text file; `ours` is the user's version, `theirs` the answer's. */
  readonly places: readonly OverlapPlace[]
  /** The moment since which the file was changed: `#42`, `before #42`, `the last pack`, or `codex began`. */
  readonly since: string
  /** The agent that made the change, `codex`, if it was not an answer. */
  readonly by?: string
  /** Whether both texts can be written into the file, between conflict markers. */
  readonly canMark: boolean
  /** The file as it was when the overlap was found. */
  readonly now: Uint8Array
}

/**
 * A person's decision about the places of an overlap: both texts, the model's, or the user's. The rest of the file is merged.
 * If nothing can be merged, the decision is about the whole file.
 */
export type AnswerChoice = 'markers' | 'model' | 'mine'

/** A decision and the overlap that it was made about: it does not hold for later edits. */
export interface DecidedOverlap {
  readonly choice: AnswerChoice
  readonly shown: AnswerOverlap
}

/** Decisions about overlaps, by path. */
export type AnswerChoices = ReadonlyMap<string, DecidedOverlap>

/** Lines that both sides changed, without line ends. */
export interface OverlapPlace {
  /** 1-based line in the present file. */
  readonly line: number
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}
