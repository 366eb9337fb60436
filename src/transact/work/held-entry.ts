import type { Entry } from '../../model/entry.ts'
import { makeMark } from '../disk/mark.ts'
import type { Running } from './work.ts'

/**
 * Marks an open transaction as no longer open, since its answer is about to change the project: after a crash it is
 * rolled back like any other, and nobody is asked to keep a project in between. It is a rename, because a rollback must
 * not need room.
 */
export async function unmarkOpen({ held }: Entry, { stage, layout: { files } }: Running): Promise<void> {
  if (held !== true) return
  const isNoted = (await files.rename(stage.question, stage.answered)) === 'renamed'
  if (!isNoted && (await files.stat(stage.answered)) === null) await makeMark(stage.answered, files, false)
  await files.sync(stage.folder)
}

/** Leaves a released transaction open again. */
export async function reopen({ held }: Entry, { stage, layout: { files } }: Running): Promise<void> {
  if (held !== true) return
  await files.rename(stage.answered, stage.question)
  await files.sync(stage.folder)
}
