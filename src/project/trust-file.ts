import { Buffer } from 'node:buffer'
import { dirname, join } from 'node:path'
import { digest } from '../ground/bytes.ts'
import { isRecord, parseJson } from '../ground/json.ts'
import type { System } from '../ports.ts'
import { isOwn, makeFolders } from '../state-files.ts'

export type TrustDoors = Pick<System, 'files' | 'stateFolder' | 'uid' | 'randomUuid'>

/**
 * A user's agreements for one folder, as hashes: these are enough for a comparison, and a command can hold a secret.
 */
export interface Trust {
  /** The hash of each command, by its key. */
  readonly commands: ReadonlyMap<string, unknown>
  /** The accepted doubts about the place. */
  readonly accepted: ReadonlySet<string>
  /** The hash of each file that agents read by themselves, by its name in the folder. */
  readonly files: ReadonlyMap<string, unknown>
}

const NOTHING: Trust = { commands: new Map(), accepted: new Set(), files: new Map() }

/** A file that exists but could not be read. */
export const UNREADABLE: Trust = { ...NOTHING }

/** One file for each folder's real path. */
export function trustPath(stateFolder: string, root: string): string {
  return join(stateFolder, 'trust', trustName(root))
}

function trustName(root: string): string {
  return `${hash(root).slice(0, 32)}.json`
}

/** A file that relay did not write exactly so, or that cannot be read, counts as nothing: then the user is asked. */
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
    // Missing in a file of an earlier relay.
    files: new Map(isRecord(files) ? Object.entries(files) : []),
  }
}

/** Adds to what is remembered. Answers why it could not, if so. */
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

/** The exact text of an agreement: no other text counts. */
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
