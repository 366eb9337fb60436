import { isTooLarge, readText } from '../../ground/file-text.ts'
import { remembered } from '../../ground/remembered.ts'
import type { SnapshotState } from '../../model.ts'
import { type Edits, editOf } from '../check/edit.ts'
import type { Move } from '../entry/moves.ts'
import type { Places } from '../survey/places.ts'

/** How the files of a patch, as they stand in their places, differ from what they were; each is compared when it is asked for. */
export function editsOf(moves: readonly Move[], places: Places): Edits {
  const known = new Map(
    moves.flatMap(
      move =>
        [
          [move.path, move],
          [move.target, move],
        ] as const,
    ),
  )
  return remembered(file => {
    const move = known.get(file)
    const [before, after] = [linesOf(move?.before), linesOf(move && places.get(move.path))]
    return before && after && editOf(before, after)
  })
}

/** Nothing for what is no text, or one that nobody compares. */
function linesOf(state: SnapshotState | ReturnType<Places['get']>): readonly string[] | undefined {
  return state?.kind !== 'file' || isTooLarge(state) ? undefined : readText(state.bytes)?.lines
}
