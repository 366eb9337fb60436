import { join } from 'node:path'
import { digest } from '../ground/digest.ts'
import { isRecord } from '../ground/is-record.ts'
import { makeFolders, readNote, writeNote } from '../kept-outside.ts'
import type { TurnEnd } from '../model/agent.ts'
import type { Committed, Landed, Task, Turned } from '../model/task.ts'
import type { System } from '../ports.ts'
import { stateFolderFor } from './run/run-folder.ts'

/** What has been done for a task so far: a later relay goes on where this one was stopped. */
export interface WorkNote {
  /** For whoever looks at what lies there. */
  readonly root: string
  readonly book: string
  readonly agent: string
  readonly task: Task
  /** 1-based. */
  readonly attempt: number
  /** Why the attempts before this one did not count. */
  readonly before: readonly string[]
  /** So often in a row the user's edits were in the way. */
  readonly overlaps: number
  /** Under this number what overlapped is kept, until something else has landed. */
  readonly overlapped?: number
  /** Milliseconds, of all turns so far. */
  readonly ms: number
  readonly usage: TurnEnd['usage']
  /** The checkout is the folder as it was when the attempt began, with what the attempts before it have made. */
  readonly isReady?: true
  /** The turn is over, and how it came out. */
  readonly turn?: Turned
  /** It is landing: under this uuid, with these paths, of which these were not committed before. */
  readonly landing?: LandingNote
  readonly landed?: Omit<Landed, 'committed'>
  readonly committed?: Committed
  /** The task is to fail: what was made is kept under this id. */
  readonly keeping?: string
  /** The task has failed. */
  readonly failed?: { readonly why: string; readonly kept: number | undefined; readonly option?: string | undefined }
}

export interface LandingNote {
  readonly uuid: string
  readonly title: string
  readonly message: string
  readonly paths: readonly string[]
  /** Not committed before: `undefined` where there is no repository. */
  readonly dirty: readonly string[] | undefined
}

type Doors = Pick<System, 'files' | 'stateFolder'>

/** All that has been begun for a project and has not come to its end, with the folder of each. */
export async function worksOf(root: string, doors: Doors): Promise<readonly { note: WorkNote; folder: string }[]> {
  const { files, stateFolder } = doors
  if (stateFolder === undefined) return []
  const above = join(stateFolder, 'work')
  const found: { note: WorkNote; folder: string }[] = []
  for (const each of ((await files.list(above)) ?? []).toSorted()) {
    const folder = join(above, each)
    const note = await readWorkNote(folder, doors)
    if (note?.root === root) found.push({ note, folder })
  }
  return found
}

/** Where the relays that work in such a folder say so. */
export function ownersOf(folder: string): string {
  return join(folder, 'owners')
}

/** The folder of everything that is being done for a book: its note, its checkout, the marks of whoever is at it. */
export async function workFolder(root: string, key: string, doors: Doors): Promise<string> {
  return makeFolders(placeOfWork(root, key, doors), doors.files)
}

/** Whether anything of a book is left there: of a run that goes on, or was stopped. */
export async function isWorkLeft(root: string, key: string, doors: Doors): Promise<boolean> {
  return (await doors.files.stat(placeOfWork(root, key, doors))) !== null
}

/** Where that folder is, whether it is there or not. */
export function placeOfWork(root: string, key: string, doors: Doors): string {
  const name = digest('sha256', root, '\0', key).slice(0, 32)
  return join(stateFolderFor(doors), 'work', name)
}

const name = 'work.json'

/** `undefined`: nothing was begun, or what was begun has come to its end. */
export async function readWorkNote(folder: string, doors: Doors): Promise<WorkNote | undefined> {
  const found = await readNote(join(folder, name), doors)
  return found !== undefined && isRecord(found['task']) ? (found as unknown as WorkNote) : undefined
}

/** Brings to the disk how far a task has come, in one step. */
export async function noteWork(folder: string, note: WorkNote, doors: Doors): Promise<void> {
  await writeNote(join(folder, name), note, doors)
}

export async function forgetWork(folder: string, { files }: Doors): Promise<void> {
  await files.remove(join(folder, name))
}
