/** An answer and the user changed one file differently since the model saw it: only a person can tell what is meant. */
export interface AnswerOverlap {
  readonly path: string
  readonly why:
    | 'text'
    /** No text, so nothing can be merged. */
    | 'binary'
    /** One of the two is a link. */
    | 'link'
    /** The answer removes the file, and the user changed it. */
    | 'edited-since'
    /** The user removed the file, and the answer changes it. */
    | 'deleted-since'
    /** There was no file, and both made one. */
    | 'made-since'
  /** The places themselves, for a text; `ours` is the user's, `theirs` the answer's. */
  readonly places: readonly OverlapPlace[]
  /** Since when the file was changed: `#42`, `before #42`, `the last pack`, or `codex began`. */
  readonly since: string
  /** Whose work it is, where it is no answer: `codex`. */
  readonly by?: string
  /** Both texts can stand in the file, between conflict markers. */
  readonly canMark: boolean
  /** The file as it is, which all of this is about. */
  readonly now: Uint8Array
}

/**
 * What somebody decides about the places of an overlap: both texts, the model's, or the user's. All else in the file is
 * merged; only where nothing can be merged it is about the whole file.
 */
export type AnswerChoice = 'markers' | 'model' | 'mine'

/** A decision, and what it is about: it holds for nothing that is typed later. */
export interface DecidedOverlap {
  readonly choice: AnswerChoice
  readonly shown: AnswerOverlap
}

/** Decisions about overlaps, by path. */
export type AnswerChoices = ReadonlyMap<string, DecidedOverlap>

/** Lines that two sides changed, without their ends. */
export interface OverlapPlace {
  /** 1-based line in the present file. */
  readonly line: number
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}
