import type { Entry } from '../../src/model/entry.ts'
import { writeEntry } from '../../src/transact/entry/write-entry.ts'

/** A pending entry as it stands on the disk. */
export function entryText(entry: Entry): string {
  return writeEntry(entry).toString('utf8')
}
