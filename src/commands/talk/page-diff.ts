import type { Change } from '../../model/plan.ts'
import type { Terminal } from '../../ports.ts'
import type { Moves } from '../../report/diff/file-diffs.ts'
import { renderDiff } from '../../report/diff/render-diff.ts'
import { renderGitDiff } from '../../report/diff/render-git-diff.ts'
import { outStyle } from './style-of.ts'

/** `delta` cuts longer lines by itself, unless it is told otherwise: they are for a pager that shows any text. */
const MOST_OF_DELTA = 3000

/** Shows the full diff in the user's pager: nothing of it is cut. */
export async function pageDiff(
  changes: readonly Change[],
  terminal: Terminal,
  moves: Moves = 'followed',
): Promise<void> {
  const style = outStyle(terminal)
  const diff = renderDiff(changes, style, moves)
  const isLong = diff.split('\n').some(line => line.length > MOST_OF_DELTA)
  await terminal.page(diff, isLong ? undefined : () => renderGitDiff(changes, style, moves))
}
