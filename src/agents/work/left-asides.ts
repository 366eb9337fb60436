import { join } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import type { System } from '../../ports.ts'
import { readNote } from '../../state-files.ts'
import { refuseForeignState } from '../run/run-folder.ts'

/** The folders of the state folder in which a work may have put files aside, by whose they are. */
export type AsideKind = 'loops' | 'work'

/** Files that a relay run put aside for a merge; it works on that still, or was stopped. */
export interface LeftAside {
  readonly root: string
  /** relay's own folder for that work. */
  readonly folder: string
  /** Relative to the root. */
  readonly paths: readonly string[]
}

/** The note of the files that a work has put aside, in relay's own folder for that work. */
export function asideNote(folder: string): string {
  return join(folder, 'aside.json')
}

/** What was put aside, and is not back yet, in the project around a folder. */
export async function leftAsides(
  around: string,
  doors: Pick<System, 'files' | 'stateFolder'> & Partial<Pick<System, 'uid'>>,
  kinds: readonly AsideKind[] = ['loops', 'work'],
): Promise<readonly LeftAside[]> {
  const { files, stateFolder } = doors
  if (stateFolder === undefined) return []
  const found: LeftAside[] = []
  for (const kind of kinds) {
    for (const name of (await files.list(join(stateFolder, kind))) ?? []) {
      const folder = join(stateFolder, kind, name)
      const { root, asides } = (await readNote(asideNote(folder), doors)) ?? {}
      if (typeof root !== 'string' || insideOf(root, around) === undefined || !Array.isArray(asides)) continue
      found.push({ root, folder, paths: asides.map(({ path }) => String(path)) })
    }
  }
  // Others could have put in their own texts.
  if (found.length > 0) await refuseForeignState(doors)
  return found
}
