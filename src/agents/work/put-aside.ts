import { join } from 'node:path'
import type { System } from '../../ports.ts'
import { readNote, writeNote } from '../../state-files.ts'
import { textAt, writeText } from './user-files.ts'

/** A file in the user's folder that would be in the way of a merge. */
export interface Aside {
  /** Relative to the root. */
  readonly path: string
  readonly users: string
  /** The text in its place meanwhile; `null` for no file. */
  readonly head: string | null
  /** The text on the branch. */
  readonly branch: string
}

export interface AsidePlace {
  readonly root: string
  /** The file in relay's folder that keeps the texts put aside. */
  readonly note: string
  /** The text to write where the merge has brought a new one. */
  merge(aside: Aside, theirs: string): string
}

/**
 * Runs `work` while files of the user's folder are put aside. Their texts are in relay's folder meanwhile, so `restoreAsides`
 * restores them also after a kill.
 */
export async function withFilesAside<T>(
  place: AsidePlace,
  asides: readonly Aside[],
  work: () => Promise<T>,
  system: System,
): Promise<T> {
  if (asides.length === 0) return work()
  await writeNote(place.note, { asides }, system)
  try {
    for (const { path, head } of asides) {
      if (head === null) await system.files.remove(join(place.root, path))
      else await writeText(join(place.root, path), head, system)
    }
    return await work()
  } finally {
    await restoreAsides(place, system)
  }
}

/** Restores the files put aside, whether or not the merge was made. Safe to call twice. */
export async function restoreAsides({ root, note, merge }: AsidePlace, system: System): Promise<void> {
  const noted = await readNote(note, system)
  for (const aside of (noted?.['asides'] ?? []) as readonly Aside[]) {
    const path = join(root, aside.path)
    const now = (await textAt(path, system)) ?? null
    const text = now === null || now === aside.head ? aside.users : merge(aside, now)
    await writeText(path, text, system)
  }
  await system.files.remove(note)
}
