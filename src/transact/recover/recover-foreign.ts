import type { Entry } from '../../model/entry.ts'
import { believedState, changeBetween, isSameContent } from '../../model/path-state.ts'
import type { Change } from '../../model/plan.ts'
import type { Flag } from '../../model/response.ts'
import type { Recovery } from '../../model/talk.ts'
import { titleOfEntry } from '../../model/title.ts'
import type { Talk } from '../../ports.ts'
import { removeEntry } from '../end/clear-up.ts'
import { movesOf } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import { mendStage, stageOf } from '../layout/stage.ts'
import { putEntryAside, putStageAside } from '../restore/put-aside.ts'
import { orUnfinished, restore } from '../restore/restore.ts'
import { lookAt } from '../survey/places.ts'

/**
 * What is doubtful about the changes of a recovery, judged like those of a patch; `undefined`: they reach a place that no
 * transaction may touch.
 */
export type JudgeRecovery = (changes: readonly Change[]) => readonly Flag[] | undefined

/** What became of a pending entry that was not begun here. */
export type ForeignEnd =
  | Pick<Recovery, 'action' | 'restoration'>
  | (Pick<Recovery, 'left'> & { readonly action: 'set-aside' })
  | { readonly action: 'foreign' | 'unreadable' }

/**
 * Ends a transaction that this machine did not begin in this folder: the project was cloned, copied, moved, or restored
 * from a backup.
 *
 * Whoever made the project may have written the entry, so nothing in it is believed. A person sees what going back would
 * change, and decides. A yes goes by the entry alone: the stage is put aside, and each file that is replaced goes to the
 * rescue folder. A no puts the entry aside as well, and changes no file of the project.
 */
export async function recoverForeign(
  entry: Entry,
  layout: Layout,
  talk: Talk,
  judge: JudgeRecovery,
): Promise<ForeignEnd> {
  const stage = stageOf(layout, entry.uuid)
  const changes = await orUnfinished(entry, () => changesBack(entry, layout))
  const flags = judge(changes)
  if (flags === undefined) return { action: 'unreadable' }
  const { number, createdAt: startedAt } = entry
  const question = { kind: 'foreign', number, title: titleOfEntry(entry), startedAt, changes, flags } as const
  const answer = changes.length === 0 ? 'no' : await talk.ask(question)
  if (answer === 'no') return { action: 'set-aside', left: await putEntryAside(stage) }
  if (answer !== 'yes') return { action: 'foreign' }
  const restoration = await orUnfinished(entry, async () => {
    await putStageAside(stage)
    await mendStage(stage)
    return restore(entry, layout, { policy: 'rescue', foreign: true })
  })
  await removeEntry(entry, stage)
  return { action: 'rolled-back', restoration }
}

/** What going back would change, from what stands in the places now; permission bits alone are no change. */
async function changesBack(entry: Entry, layout: Layout): Promise<readonly Change[]> {
  const moves = movesOf(entry)
  const places = await lookAt(moves, layout)
  return moves.flatMap(({ path, target, before }) => {
    const now = places.get(path) ?? null
    const then = believedState(before.kind === 'absent' ? null : before, now)
    // By the place itself: the name that the entry has for it may be an innocent one.
    const change = changeBetween({ path: target, target }, now, then)
    return change.effect === 'none' || isSameContent(now, then) ? [] : [change]
  })
}
