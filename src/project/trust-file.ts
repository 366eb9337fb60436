import { Buffer } from 'node:buffer'
import { dirname, join } from 'node:path'
import { digest } from '../ground/bytes.ts'
import { isRecord, parseJson } from '../ground/json.ts'
import { isOwn, makeFolders } from '../kept-outside.ts'
import type { System } from '../ports.ts'

export type TrustDoors = Pick<System, 'files' | 'stateFolder' | 'uid' | 'randomUuid'>

/** What a user has agreed to for one folder. Hashes are enough to know a thing again, and a command can hold a secret. */
export interface Trust {
  /** The hash of each command, by its key. */
  readonly commands: ReadonlyMap<string, unknown>
  /** What was found about the place. */
  readonly accepted: ReadonlySet<string>
  /** The hash of each file that an agent goes by, by its name in the folder. */
  readonly files: ReadonlyMap<string, unknown>
}

const NOTHING: Trust = { commands: new Map(), accepted: new Set(), files: new Map() }

/** It is there, and could not be read. */
export const UNREADABLE: Trust = { ...NOTHING }

/** Where it is remembered: one file for each folder's real path. */
export function trustPath(stateFolder: string, root: string): string {
  return join(stateFolder, 'trust', trustName(root))
}

function trustName(root: string): string {
  return `${hash(root).slice(0, 32)}.json`
}

/** Whatever is not exactly what relay wrote there, or cannot be read, counts as nothing: then the user is asked. */
export async function readTrust(root: string, doors: TrustDoors): Promise<Trust> {
  if (doors.stateFolder === undefined) return NOTHING
  const path = trustPath(doors.stateFolder, root)
  try {
    if (!(await isOwn(path, doors))) return NOTHING
    return trustIn(Buffer.from((await doors.files.read(path)) ?? []).toString('utf8'), root)
  } catch {
    return UNREADABLE
  }
}

function trustIn(text: string, root: string): Trust {
  const found = parseJson(text)
  if (!isRecord(found) || found['version'] !== 1 || found['root'] !== root) return NOTHING
  const { commands, accepted, files } = found
  if (!isRecord(commands)) return NOTHING
  return {
    commands: new Map(Object.entries(commands)),
    accepted: new Set(Array.isArray(accepted) ? accepted.map(String) : []),
    // Not there where an earlier relay wrote it.
    files: new Map(isRecord(files) ? Object.entries(files) : []),
  }
}

/** Remembers more; answers why it could not, if so. */
export async function remember(
  root: string,
  change: (before: Trust) => Trust,
  doors: TrustDoors,
): Promise<string | undefined> {
  const { files, stateFolder, randomUuid } = doors
  if (stateFolder === undefined) return 'there is no home folder to store it in'
  try {
    const path = join(await makeFolders(dirname(trustPath(stateFolder, root)), files), trustName(root))
    const bytes = Buffer.from(textOf(root, change(await readTrust(root, doors))))
    await files.replace(path, bytes, `${path}.${randomUuid()}.tmp`, { mode: 0o600 })
    return (await isOwn(path, doors)) ? undefined : `others can change ${dirname(path)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What is written of an agreement; nothing else counts. */
export function textOf(root: string, { commands, accepted, files }: Partial<Trust>): string {
  const trust = {
    version: 1,
    root,
    commands: Object.fromEntries(commands ?? []),
    accepted: [...(accepted ?? [])],
    files: Object.fromEntries(files ?? []),
  }
  return `${JSON.stringify(trust, null, 2)}\n`
}

export function hash(text: string): string {
  return digest('sha256', text)
}
