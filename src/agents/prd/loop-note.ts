import { join } from 'node:path'
import { isRecord } from '../../ground/json.ts'
import type { System } from '../../ports.ts'
import { readNote, writeNote } from '../../state-files.ts'

/** What relay has to know to go on with a story after it was stopped. */
export interface LoopNote {
  readonly story: string
  /** The user's prd.json and progress.txt at the time when the agent got its copies. */
  readonly given: LoopTexts
  readonly settled?: SettledTexts
}

/** The texts that land with a story, and the user's files at the time when that was settled. */
export interface SettledTexts {
  readonly users: LoopTexts
  readonly lands: LoopTexts
}

export interface LoopTexts {
  readonly prd: string
  readonly progress: string
}

type Doors = Pick<System, 'files'>

const name = 'loop.json'

export async function readLoopNote(folder: string, doors: Doors): Promise<LoopNote | undefined> {
  const found = await readNote(join(folder, name), doors)
  return found !== undefined && isRecord(found['given']) ? (found as unknown as LoopNote) : undefined
}

export async function noteLoop(folder: string, note: LoopNote, doors: Doors): Promise<void> {
  await writeNote(join(folder, name), note, doors)
}

export async function forgetLoop(folder: string, { files }: Doors): Promise<void> {
  await files.remove(join(folder, name))
}
