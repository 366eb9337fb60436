import type { Flag, Operation } from '../../model/response.ts'
import type { Block } from '../blocks/find-blocks.ts'

/** One block that is a file: what it does, and where it stands. */
export interface FileBlock {
  readonly operation: Operation
  readonly block: Block
  /** Where its content begins in the response, for telling lines. */
  readonly contentFrom: number
  readonly flags: readonly Flag[]
}
