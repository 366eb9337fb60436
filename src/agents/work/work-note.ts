import { join } from 'node:path'
import { digest } from '../../ground/bytes.ts'
import { isRecord } from '../../ground/json.ts'
import type { TurnEnd } from '../../model/agent.ts'
import type { Committed, Landed, Task, Turned } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { makeFolders, readNote, writeNote } from '../../state-files.ts'
import { firstId } from '../checkout/checkout-note.ts'
import { openStateFolder, refuseForeignState, stateFolderFor } from '../run/run-folder.ts'

/** The progress of a task: a later relay run continues where this one stopped. */
export interface WorkNote {
  /** The root of the book's project, by which `worksOf` finds the note. */
  readonly root: string
  readonly book: string
  readonly agent: string
  readonly task: Task
  /** 1-based. */
  readonly attempt: number
  /** The reasons why the earlier attempts did not count. */
  readonly before: readonly string[]
  /** How often in a row the user's edits were in the way. */
  readonly overlaps: number
  /** The number of the kept work that overlapped, until something else has landed. */
  readonly overlapped?: number
  /** The number of the kept work that was refused last, until something else has landed. */
  readonly refused?: number
  /** In milliseconds, for all turns so far. */
  readonly ms: number
  readonly usage: TurnEnd['usage']
  /**
   * The id of the checkout that is ready for the task: it has the files of the start, and the changes of earlier attempts. What a
   * turn made counts only in this one.
   */
  readonly checkout?: string
  /** The boot of the machine at which the attempt began: after another one, files that were not synced may be damaged. */
  readonly boot?: string
  /** The checkout is to become what is there now, with the work in it merged in. */
  readonly isBehind?: true
  /** The turn of this attempt has begun. */
  readonly isBegun?: true
  /** Sentences of the user for the envelope of this attempt. An envelope that is made again has them again. */
  readonly said?: readonly Sentence[]
  /** How the turn ended; absent while it runs. */
  readonly turn?: Turned
  /** Set once the work begins to land. */
  readonly landing?: LandingNote
  readonly landed?: Omit<Landed, 'committed'>
  readonly committed?: Committed
  /** The task is about to fail: its work is kept under this id. */
  readonly keeping?: string
  readonly failed?: { readonly why: string; readonly kept: number | undefined; readonly option?: string | undefined }
}

/** What the user says to an agent. */
export interface Sentence {
  /** Unique: a sentence that was claimed and then noted is known by it. */
  readonly id: string
  readonly text: string
}

export interface LandingNote {
  readonly uuid: string
  readonly title: string
  readonly message: string
  readonly paths: readonly string[]
  /** Paths with uncommitted edits before the landing; `undefined` where nothing will be committed. */
  readonly dirty: readonly string[] | undefined
}

type Doors = Pick<System, 'files' | 'stateFolder'> & Partial<Pick<System, 'uid'>>

/** The work folders of all projects. */
export async function workFolders({ files, stateFolder }: Doors): Promise<readonly string[]> {
  if (stateFolder === undefined) return []
  const above = join(stateFolder, 'work')
  return ((await files.list(above)) ?? []).toSorted().map(name => join(above, name))
}

/** All unfinished work of a project, with its folders. */
export async function worksOf(root: string, doors: Doors): Promise<readonly { note: WorkNote; folder: string }[]> {
  await refuseForeignState(doors)
  const found: { note: WorkNote; folder: string }[] = []
  for (const folder of await workFolders(doors)) {
    const note = await readWorkNote(folder, doors)
    if (note?.root === root) found.push({ note, folder })
  }
  return found
}

/** The folder in which relay runs record that they work here. */
export function ownersOf(folder: string): string {
  return join(folder, 'owners')
}

/** Makes the folder for the work of a book: its note, its checkout and the marks of the relay run that works on it. */
export async function workFolder(root: string, key: string, doors: Doors): Promise<string> {
  await openStateFolder(doors)
  return makeFolders(placeOfWork(root, key, doors), doors.files)
}

/** Whether a book has a work folder: a run is under way, or was stopped. */
export async function isWorkLeft(root: string, key: string, doors: Doors): Promise<boolean> {
  return (await doors.files.stat(placeOfWork(root, key, doors))) !== null
}

/** The path of a book's work folder, which need not exist. */
export function placeOfWork(root: string, key: string, doors: Doors): string {
  const name = digest('sha256', root, '\0', key).slice(0, 32)
  return join(stateFolderFor(doors), 'work', name)
}

const name = 'work.json'

/** Gives `undefined` where nothing was begun, or everything begun has ended. */
export async function readWorkNote(folder: string, doors: Doors): Promise<WorkNote | undefined> {
  const found = await readNote(join(folder, name), doors)
  if (found === undefined || !isRecord(found['task'])) return undefined
  // An older relay noted only that the checkout is ready.
  const { isReady, ...note } = found as unknown as WorkNote & { readonly isReady?: true }
  return isReady === true ? { ...note, checkout: firstId } : note
}

/** Writes the progress of a task to the disk, in one step. */
export async function noteWork(folder: string, note: WorkNote, doors: Doors): Promise<void> {
  await writeNote(join(folder, name), note, doors)
}

export async function forgetWork(folder: string, { files }: Doors): Promise<void> {
  await files.remove(join(folder, name))
}
