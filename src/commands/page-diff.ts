import type { Terminal } from '../ports.ts'
import type { PathChange } from '../report/path-change.ts'
import { renderDiff } from '../report/render-diff.ts'
import { renderGitDiff } from '../report/render-git-diff.ts'
import { createStyle } from '../report/style.ts'

/** Shows the full diff in the user's pager. */
export async function pageDiff(changes: readonly PathChange[], terminal: Terminal): Promise<void> {
  const { colour, unicode, columns } = terminal
  const style = createStyle({ colour: colour.out, unicode, columns })
  await terminal.page(renderDiff(changes, style), () => renderGitDiff(changes, style))
}
