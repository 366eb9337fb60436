import type { AnswerOverlap } from '../../model/stale.ts'

/** An overlap, for a program; the whole file it can read itself. */
export function overlapJson({ now: _, ...told }: AnswerOverlap): Omit<AnswerOverlap, 'now'> {
  return told
}
