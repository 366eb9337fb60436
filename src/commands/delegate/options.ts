import type { WorkCommandOptions } from '../alone/work-options.ts'

export interface DelegateOptions extends Omit<WorkCommandOptions, 'onOverlap'> {
  readonly gitDir?: string
  readonly extra?: string
  readonly instructionsFile?: string
  readonly base?: string
  readonly detach?: boolean
  /** `false` opens no pull request. */
  readonly pr?: boolean
  readonly note?: string
  readonly watch?: boolean
}
