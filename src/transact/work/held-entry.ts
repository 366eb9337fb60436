import type { Entry } from '../../model.ts'
import { writeEntry } from '../entry/write-entry.ts'
import type { Work } from './work.ts'

/** The line at the end of a pending entry that no recovery takes back before somebody has answered its question. */
export const heldLine = 'held: true\n'

/**
 * Ends that a transaction is open, since its answer is about to change the project: what a crash leaves then is taken back
 * as any other, and nobody is asked to keep a project in between.
 */
export async function release(entry: Entry, work: Work): Promise<void> {
  if (entry.held === true) await rewrite(entry, '', work)
}

/** Leaves one open again that was released. */
export async function holdAgain(entry: Entry, work: Work): Promise<void> {
  if (entry.held === true) await rewrite(entry, heldLine, work)
}

function rewrite(entry: Entry, ending: string, { layout, stage }: Work): Promise<void> {
  const bytes = Buffer.from(writeEntry(entry) + ending)
  return layout.files.replace(layout.pending(entry.uuid), bytes, stage.draft, { mode: 0o600 })
}
