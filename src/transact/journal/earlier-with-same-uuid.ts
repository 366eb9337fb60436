import { remembered } from '../../ground/collections.ts'
import type { HistoryLine } from '../../model/entry.ts'
import type { Patch } from '../../model/response.ts'
import { hashOperations } from '../entry/hash.ts'
import type { Journal } from './journal.ts'

export interface EarlierWithSameUuid extends HistoryLine {
  /** It was of these same operations: the patch would be skipped. */
  readonly isSame: boolean
}

/** The turn that a patch's uuid had before: it was kept, declined or undone here. */
export async function earlierWithSameUuid(
  { control, operations }: Patch,
  journal: Journal,
): Promise<EarlierWithSameUuid | undefined> {
  const hash = remembered(hashOperations)
  const line = await journal.lookUp(control.uuid, () => hash(operations))
  return line && { ...line, isSame: line.operations === hash(operations) }
}
