import type { ReadyWork } from '../../agents/work/errand.ts'
import type { EndNotice } from '../../ports.ts'
import { noticeOfEnd, noticeOfFailure } from '../../report/agents/end-notice.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { failureOf } from '../talk/say-failure.ts'
import { tellUser } from '../talk/with-waiting-mark.ts'
import type { WorkDone } from './run-work.ts'

/**
 * Carries out a run, and tells the user once how it ended, well or not: agents work for hours while nobody looks. A user who
 * has just ended it, or has left its question open, knows.
 *
 * @param run gets a function for the name of its book, which is not known before
 */
export async function notifyOfEnd(
  { project, work, system }: ReadyWork,
  run: (noteBook: (name: string) => void) => Promise<WorkDone>,
): Promise<WorkDone> {
  const { root, config } = project
  let about = { project: visibleLine(config.projectId), root, book: '', agent: work.backend.name }
  const noteBook = (book: string) => {
    about = { ...about, book }
  }
  const tell = (notice: EndNotice) => tellUser(project, undefined, system, notice)
  const done = await run(noteBook).catch(async error => {
    if (!system.interruption.aborted) await tell(noticeOfFailure(about, failureOf(error).message))
    throw error
  })
  const { stopped } = done.end
  const isKnown = stopped.kind === 'interrupted' || stopped.kind === 'held'
  if (!isKnown) await tell(noticeOfEnd(about, done.end, done.code === 0))
  return done
}
