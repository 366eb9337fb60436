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
import { rescueEntry, rescueStage } from '../restore/rescue.ts'
import { orUnfinished, restore } from '../restore/restore.ts'
import { lookAt } from '../survey/places.ts'

/**
 * Judges the changes of a recovery like those of a patch; `undefined`: they reach a place that no transaction may
 * touch.
 */
export type JudgeRecovery = (changes: readonly Change[]) => readonly Flag[] | undefined

export type ForeignEnd =
  | Pick<Recovery, 'action' | 'restoration'>
  | (Pick<Recovery, 'left'> & { readonly action: 'set-aside' })
  | { readonly action: 'foreign' | 'unreadable' }

/**
 * Ends a transaction that this machine did not begin in this folder: the project was cloned, copied, moved, or restored
 * from a backup.
 *
 * Whoever made the project may have written the entry, so nothing in it is believed. A person sees what a rollback
 * would change, and decides. After a yes only the entry counts: the stage is put aside, and each replaced file goes to
 * the rescue folder. A no puts the entry aside as well, and changes no file of the project.
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
  if (answer === 'no') return { action: 'set-aside', left: await rescueEntry(stage) }
  if (answer !== 'yes') return { action: 'foreign' }
  const restoration = await orUnfinished(entry, async () => {
    await rescueStage(stage)
    await mendStage(stage)
    return restore(entry, layout, { policy: 'rescue', foreign: true })
  })
  await removeEntry(entry, stage)
  return { action: 'rolled-back', restoration }
}

/** What a rollback would change in the present files. Permission bits alone are no change. */
async function changesBack(entry: Entry, layout: Layout): Promise<readonly Change[]> {
  const moves = movesOf(entry)
  const places = await lookAt(moves, layout)
  return moves.flatMap(({ path, target, before }) => {
    const now = places.get(path) ?? null
    const then = believedState(before.kind === 'absent' ? null : before, now)
    // Judged by the place itself, since the entry may give it a harmless name.
    const change = changeBetween({ path: target, target }, now, then)
    return change.effect === 'none' || isSameContent(now, then) ? [] : [change]
  })
}
