import { join } from 'node:path'
import { isRecord } from '../../../ground/is-record.ts'
import { isShape, isText, oneOf } from '../../../ground/is-shape.ts'
import { parseJson } from '../../../ground/parse-json.ts'
import type { Session } from '../../../model/session.ts'
import type { System } from '../../../ports.ts'

type Doors = Pick<System, 'files'>

const name = 'session.json'

/** The session of a folder; `undefined`: there is none, or it cannot be read. */
export async function readSession(folder: string, { files }: Doors): Promise<Session | undefined> {
  const bytes = await files.read(join(folder, name))
  const found = bytes === null ? undefined : parseJson(new TextDecoder().decode(bytes))
  return isRecord(found) && isRecord(found['options']) && isSession(found) ? found : undefined
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

/** Writes down how it stands, in one step. */
export async function writeSession(folder: string, session: Session, { files }: Doors): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(session, undefined, 2)}\n`)
  await files.replace(join(folder, name), bytes, join(folder, `${name}.new`), { mode: 0o600, sync: 'name' })
}
