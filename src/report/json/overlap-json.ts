import type { AnswerOverlap } from '../../model/stale.ts'

/** The text of the file is left out: a program can read it itself. */
export function overlapJson({ now: _, ...told }: AnswerOverlap): Omit<AnswerOverlap, 'now'> {
  return told
}
