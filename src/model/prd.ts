/** What a prd.json holds, as far as relay reads it. */
export interface Prd {
  /** Empty where it is missing; so are the other texts. */
  readonly project: string
  readonly branchName: string
  readonly description: string
  /** In the order of the file. */
  readonly stories: readonly Story[]
}

/** A user story: the task of a loop. */
export interface Story {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly acceptanceCriteria: readonly string[]
  /** The lowest number comes first; a story without one comes last. */
  readonly priority: number
  /** A story that does not say so does not pass. */
  readonly passes: boolean
  readonly notes: string
  /** Ids of stories that have to be there before, where a key of the file names them. */
  readonly dependsOn: readonly string[]
}

/** What speaks against a prd.json, by the rules that a good one keeps. */
export interface PrdFinding {
  /** The rule's name, for programs. */
  readonly rule: string
  /** The id of the story, or its place where it has none; `undefined`: the file as a whole. */
  readonly story: string | undefined
  readonly message: string
}
