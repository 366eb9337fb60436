import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import type { System } from '../../ports.ts'
import { readNote, writeNote } from '../../state-files.ts'
import { type AsideKind, asideNote, leftAsides } from './left-asides.ts'
import { removeUsersFile, replaceUsersFile } from './replace-users-file.ts'
import { textAt } from './user-files.ts'
import { ownersOf } from './work-note.ts'

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
  /** relay's own folder for this work: it keeps the texts put aside. */
  readonly folder: string
  readonly merge: AsideMerge
}

/** Gives the text to write where the merge has brought a new one. */
export type AsideMerge = (aside: Aside, theirs: string) => string

/**
 * Runs `work` while files of the user's folder are put aside. Their texts are in relay's folder meanwhile, so they come back
 * also after a kill.
 */
export async function withFilesAside<T>(
  place: AsidePlace,
  asides: readonly Aside[],
  work: () => Promise<T>,
  system: System,
): Promise<T> {
  if (asides.length === 0) return work()
  try {
    await putAside(place, asides, system)
    return await work()
  } finally {
    await restoreAsides(place, system)
  }
}

/** What the user saves at this moment is noted before it is replaced. */
async function putAside({ root, folder }: AsidePlace, given: readonly Aside[], system: System): Promise<void> {
  const asides = [...given]
  const noted = () => writeNote(asideNote(folder), { root, asides }, system)
  await noted()
  for (const [at, aside] of asides.entries()) {
    const path = join(root, aside.path)
    for (let now = aside; !(await isReplaced(path, now, system)); ) {
      now = { ...aside, users: (await textAt(path, system)) ?? aside.users }
      asides[at] = now
      await noted()
    }
  }
}

/** Gives `false` where the file has another text than was noted. */
async function isReplaced(path: string, { users, head }: Aside, system: System): Promise<boolean> {
  if (head === null) return removeUsersFile(path, users, system)
  const change = (now: string | undefined) => (now === undefined || now === users || now === head ? head : undefined)
  return replaceUsersFile(path, change, system)
}

/** Restores the files put aside, whether or not the merge was made. Safe to call twice. */
async function restoreAsides({ root, folder, merge }: AsidePlace, system: System): Promise<void> {
  const noted = await readNote(asideNote(folder), system)
  for (const aside of (noted?.['asides'] ?? []) as readonly Aside[]) {
    const back = (now: string | undefined) => {
      return now === undefined || now === aside.head ? aside.users : merge(aside, now)
    }
    await replaceUsersFile(join(root, aside.path), back, system)
  }
  await system.files.remove(asideNote(folder))
}

/**
 * Restores the files that stopped relay runs put aside in the project around a folder. Those of a run that still works stay.
 * Gives their paths.
 */
export async function restoreLeftAsides(
  kind: AsideKind,
  around: string,
  merge: AsideMerge,
  system: System,
): Promise<readonly string[]> {
  const restored: string[] = []
  for (const { root, folder, paths } of await leftAsides(around, system, [kind])) {
    const leave = await claim(folder, system)
    if (leave === undefined) continue
    try {
      await restoreAsides({ root, folder, merge }, system)
      restored.push(...paths)
    } finally {
      await leave()
      // Removes only empty folders.
      for (const each of [ownersOf(folder), folder]) await system.files.removeFolder(each)
    }
  }
  return restored
}

/** Gives `undefined` where another relay works with this folder: it puts the files back itself. */
async function claim(folder: string, system: System): Promise<(() => Promise<void>) | undefined> {
  try {
    return await takeAlone(ownersOf(folder), dirname(folder), system)
  } catch (error) {
    if (error instanceof RelayError && error.kind === 'environment') return undefined
    throw error
  }
}
