import type { Recovery } from '../../model/talk.ts'

/** An unfinished transaction, for a program. */
export function recoveryJson({ number, uuid, title, startedAt, action }: Recovery) {
  const state = action === 'would-roll-back' ? 'unfinished' : action
  return { number: number ?? null, uuid, title, startedAt: startedAt ?? null, state }
}
