/** The parts of a prd.json that relay reads. */
export interface Prd {
  /** A missing text is empty, here and below. */
  readonly project: string
  readonly branchName: string
  readonly description: string
  /** In the file's order. */
  readonly stories: readonly Story[]
}

/** A user story: the task of a loop. */
export interface Story {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly acceptanceCriteria: readonly string[]
  /** The lowest number comes first; a story without a number comes last. */
  readonly priority: number
  /** `false` when the file does not say. */
  readonly passes: boolean
  readonly notes: string
  /** Ids of stories that must be done before this one, if the file has a key for them. */
  readonly dependsOn: readonly string[]
}

/** A rule of a good prd.json that this one breaks. */
export interface PrdFinding {
  /** The rule's name, for programs. */
  readonly rule: string
  /** The story's id, or its position if it has none; `undefined`: the file as a whole. */
  readonly story: string | undefined
  readonly message: string
}
