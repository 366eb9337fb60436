import { join } from 'node:path'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { Book } from '../../model/book.ts'
import type { System } from '../../ports.ts'

/** Whether a path is that of a plan's file, whichever plan: `RAF/abcdef-fix-login/plans/01-a.md`. */
export function isPlanFile(path: string): boolean {
  return /^RAF\/[a-z]{6}-[^/]+\/./.test(path)
}

/**
 * The changes to files of books that are not this one's to judge: plans, and the files of a loop. They instruct the agents that
 * come after, so no agent may change them.
 */
export async function changesOfBooks(
  changes: readonly AgentChange[],
  book: Pick<Book, 'owns'>,
  cwd: string,
  { files }: Pick<System, 'files'>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { path } of changes) {
    if (book.owns?.(path) === true) continue
    if (isPlanFile(path) || (loopFile.test(path) && (await isLoop(path, changes, cwd, files)))) found.add(path)
  }
  return found
}

/** In the places where `relay loop` looks for a prd.json. */
const loopFile = /^(?:scripts\/ralph\/)?(?:prd\.json|prompt\.md|progress\.txt|\.last-branch)$/

/** Without a prd.json from before the turn these are files like any other. */
async function isLoop(
  path: string,
  changes: readonly AgentChange[],
  cwd: string,
  files: System['files'],
): Promise<boolean> {
  const prd = path.replace(/[^/]*$/, 'prd.json')
  const change = changes.find(each => each.path === prd)
  if (change !== undefined) return change.base !== null
  return (await files.stat(join(cwd, prd)).catch(() => null)) !== null
}
