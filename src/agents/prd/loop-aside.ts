import { dirname, join } from 'node:path'
import type { System } from '../../ports.ts'
import { runProgram } from '../checkout/program.ts'
import { type Aside, type AsidePlace, restoreLeftAsides } from '../work/put-aside.ts'
import { textAt } from '../work/user-files.ts'
import { mergePrd } from './merge-prd.ts'
import { mergeProgress } from './merge-progress.ts'
import type { Loop } from './open-loop.ts'
import { readPrd } from './prd-file.ts'

/**
 * The loop's own files that the user has changed without a commit: git would refuse to merge over them. After the merge they
 * have the user's text again, merged story by story with the branch.
 */
export async function loopAsides({ root, paths, branch, ignored }: Loop, system: System): Promise<readonly Aside[]> {
  const asides: Aside[] = []
  for (const path of [paths.prd, paths.progress]) {
    const users = await textAt(join(root, path), system)
    const [head, theirs] = [await textOf('HEAD', path, root, system), await textOf(branch, path, root, system)]
    if (users === undefined || theirs === null || users === head || ignored.has(path)) continue
    asides.push({ path, users, head, branch: theirs })
  }
  return asides
}

export function loopAsidePlace({ root, lastPrd }: Pick<Loop, 'root' | 'lastPrd'>): AsidePlace {
  return { root, folder: dirname(lastPrd), merge: mergedByStory }
}

/** Restores the files that stopped loops put aside in the project around a folder. Gives their paths. */
export async function takeLoopsBack(around: string, system: System): Promise<readonly string[]> {
  return restoreLeftAsides('loops', around, mergedByStory, system)
}

function mergedByStory({ path, branch: base, users }: Aside, theirs: string): string {
  if (!path.endsWith('.json')) return mergeProgress({ before: base, after: theirs, users, otherwise: '' })
  const [was, their, user] = [readPrd(base), readPrd(theirs), readPrd(users)]
  if (was.kind !== 'prd' || their.kind !== 'prd' || user.kind !== 'prd') return users
  return mergePrd(was.file, their.file, user.file).file.text
}

/** The text of a file in a commit; `null` where the commit does not have it. */
async function textOf(commit: string, path: string, root: string, system: System): Promise<string | null> {
  // `git cat-file blob` prints nothing after the text, so relay could not tell whether the text ends with a newline.
  const options = { cwd: root, stdin: `${commit}:./${path}\n` }
  const { out } = await runProgram(['git', 'cat-file', '--batch'], options, system)
  const [head = '', ...lines] = out.split('\n')
  return / blob \d+$/.test(head) ? lines.join('\n') : null
}
