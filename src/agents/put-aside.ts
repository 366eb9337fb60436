import { join } from 'node:path'
import { isRecord } from '../ground/is-record.ts'
import { parseJson } from '../ground/parse-json.ts'
import type { Shipped } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { textAt, writeText } from './books/prd/loop-files.ts'
import { mergePrd } from './books/prd/merge-prd.ts'
import { mergeProgress } from './books/prd/merge-progress.ts'
import { readPrd } from './books/prd/prd-file.ts'
import { runProgram } from './checkout/program.ts'
import type { Loop } from './open-loop.ts'

/** One of a loop's own files, whose current text is in the user's folder without a commit. */
interface Aside {
  readonly path: string
  readonly users: string
  /** As the user's commit has it; `null`: it has none. */
  readonly head: string | null
  /** As the branch has it. */
  readonly branch: string
}

type Place = Pick<Loop, 'root' | 'lastPrd'>

/**
 * Merges the branch of a loop while the loop's own files are as git knows them: their current texts stand in the user's folder
 * without a commit, and git would spare them by merging nothing. Afterwards they are as the user had them, merged by story with
 * what came. They are kept in relay's folder meanwhile: `takeBack` brings them back after a kill.
 */
export async function withFilesAside(found: Loop, ship: () => Promise<Shipped>, system: System): Promise<Shipped> {
  const { root, paths, branch, ignored, lastPrd } = found
  const asides: Aside[] = []
  for (const path of [paths.prd, paths.progress]) {
    const users = await textAt(join(root, path), system)
    const [head, theirs] = [await textOf('HEAD', path, root, system), await textOf(branch, path, root, system)]
    if (users === undefined || theirs === null || users === head || ignored.has(path)) continue
    asides.push({ path, users, head, branch: theirs })
  }
  const bytes = new TextEncoder().encode(JSON.stringify(asides))
  await system.files.replace(noteIn(lastPrd), bytes, `${noteIn(lastPrd)}.new`, { mode: 0o600 })
  try {
    for (const { path, head } of asides) {
      if (head === null) await system.files.remove(join(root, path))
      else await writeText(join(root, path), head, system)
    }
    return await ship()
  } finally {
    await takeBack(found, system)
  }
}

/** Brings back what was put aside, whether the merge was made or not. Doing it twice does no harm. */
export async function takeBack({ root, lastPrd }: Place, system: System): Promise<void> {
  const noted = await textAt(noteIn(lastPrd), system)
  const asides = parseJson(noted ?? '')
  for (const aside of Array.isArray(asides) ? asides.filter(isRecord) : []) {
    const { path, users, head, branch } = aside as unknown as Aside
    const now = (await textAt(join(root, path), system)) ?? null
    const text = now === null || now === head ? users : merged(path, { base: branch, theirs: now, users })
    await writeText(join(root, path), text, system)
  }
  await system.files.remove(noteIn(lastPrd))
}

function merged(path: string, { base, theirs, users }: Record<'base' | 'theirs' | 'users', string>): string {
  if (!path.endsWith('.json')) return mergeProgress({ before: base, after: theirs, users, otherwise: '' })
  const [was, their, user] = [readPrd(base), readPrd(theirs), readPrd(users)]
  if (was.kind !== 'prd' || their.kind !== 'prd' || user.kind !== 'prd') return users
  return mergePrd(was.file, their.file, user.file).file.text
}

function noteIn(lastPrd: string): string {
  return join(lastPrd, '..', 'aside.json')
}

/** The text of a file in a commit; `null`: it is not in it. */
async function textOf(commit: string, path: string, root: string, system: System): Promise<string | null> {
  // By itself `git cat-file blob` prints nothing behind the text, so that its last newline could not be told.
  const options = { cwd: root, stdin: `${commit}:./${path}\n` }
  const { out } = await runProgram(['git', 'cat-file', '--batch'], options, system)
  const [head = '', ...lines] = out.split('\n')
  return / blob \d+$/.test(head) ? lines.join('\n') : null
}
