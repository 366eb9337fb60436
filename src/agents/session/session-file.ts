import { join } from 'node:path'
import { isRecord, isShape, isText, oneOf } from '../../ground/json.ts'
import type { Session } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { readNote, writeNote } from '../../state-files.ts'

type Doors = Pick<System, 'files'>

const name = 'session.json'

/** Reads the session in a folder; `undefined` when there is none, or it cannot be read. */
export async function readSession(folder: string, doors: Doors): Promise<Session | undefined> {
  const found = await readNote(join(folder, name), doors)
  return isRecord(found?.['options']) && isSession(found) ? found : undefined
}

const isSession = isShape<Session>({
  id: isText,
  status: oneOf('initializing', 'working', 'completed', 'error'),
  gitDirectory: isText,
  instructions: isText,
  agent: isText,
  branch: isText,
  start: isText,
  createdAt: isText,
})

/** Saves the session in one step. */
export async function writeSession(folder: string, session: Session, doors: Doors): Promise<void> {
  await writeNote(join(folder, name), session, doors, { sync: 'name', indent: 2 })
}
