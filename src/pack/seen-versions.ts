import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { digest } from '../ground/digest.ts'
import { isRecord } from '../ground/is-record.ts'
import { parseJson } from '../ground/parse-json.ts'
import { turnstile } from '../ground/turnstile.ts'
import type { Files } from '../ports.ts'

/** Where it is kept which version of a file a model was given. */
export interface SeenPlace {
  /** In relay's own folder, which is there. */
  readonly folder: string
  readonly files: Files
}

/** The version of a file that a model was given last, and when. */
export interface SeenVersion {
  readonly bytes: Uint8Array
  readonly at: Date
}

/** What may go of it; each rule by itself. */
export interface SeenRules {
  /** What was given before. */
  readonly before?: Date
  /** What is more than this; the oldest go first. */
  readonly mostBytes?: number
}

export interface SeenSum {
  readonly files: number
  readonly bytes: number
}

/** What is known of one path: its content lies in a file that is named after its hash. */
interface Known {
  readonly hash: string
  readonly at: number
  readonly bytes: number
}

type Index = ReadonlyMap<string, Known>

const mostBytes = 200_000_000
const indexName = 'index.json'

/**
 * Remembers what a model was given, in place of what it was given of these files before.
 *
 * The contents are there before the index names them, and go after it names them no more: a crash leaves too much, and the
 * next call takes that away.
 */
export async function rememberSeen(
  place: SeenPlace,
  given: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  at: Date,
  uuid: string,
): Promise<void> {
  await place.files.makeFolder(place.folder, 0o700)
  const index = new Map(await readIndex(place))
  const pass = turnstile(64)
  await Promise.all(
    given.map(({ path, bytes }) =>
      pass(async () => {
        const hash = digest('sha256', bytes)
        await keep(bytes, join(place.folder, hash), place.files, uuid)
        index.set(path, { hash, at: at.getTime(), bytes: bytes.length })
      }),
    ),
  )
  await writeIndex(withoutOld(index, { mostBytes }), place, uuid)
}

/** Tells of any file which version a model was given last, as far as that is kept. */
export async function readSeen(place: SeenPlace): Promise<(path: string) => Promise<SeenVersion | undefined>> {
  const index = await readIndex(place)
  return async path => {
    const known = index.get(path)
    if (known === undefined) return undefined
    const found = await place.files.inspect(join(place.folder, known.hash))
    // Whatever else lies there, nobody was given it.
    if (found?.kind !== 'file' || digest('sha256', found.bytes) !== known.hash) return undefined
    return { bytes: found.bytes, at: new Date(known.at) }
  }
}

/** How much would go by these rules. */
export async function sumOfOldSeen(place: SeenPlace, rules: SeenRules): Promise<SeenSum> {
  const index = await readIndex(place)
  const left = withoutOld(index, rules)
  return { files: index.size - left.size, bytes: bytesIn(index) - bytesIn(left) }
}

/** Forgets what goes by these rules, and answers how much that was. */
export async function forgetOldSeen(place: SeenPlace, rules: SeenRules, uuid: string): Promise<void> {
  const index = await readIndex(place)
  if (index.size > 0) await writeIndex(withoutOld(index, rules), place, uuid)
}

function withoutOld(index: Index, { before, mostBytes = Number.POSITIVE_INFINITY }: SeenRules): Index {
  const young = [...index].filter(([, { at }]) => before === undefined || at >= before.getTime())
  const left = new Map<string, Known>()
  let sum = 0
  for (const [path, known] of young.toSorted(([, a], [, b]) => b.at - a.at)) {
    sum += known.bytes
    if (sum > mostBytes) break
    left.set(path, known)
  }
  return left
}

/** Files of one content share its bytes. */
function bytesIn(index: Index): number {
  const sizes = new Map([...index.values()].map(({ hash, bytes }) => [hash, bytes]))
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

async function keep(bytes: Uint8Array, path: string, files: Files, uuid: string): Promise<void> {
  if ((await files.create(path, bytes, { mode: 0o600, sync: false, isOneOfMany: true })) === 'created') return
  // What is not whole was being written when the power went.
  if ((await files.stat(path))?.size === bytes.length) return
  await files.replace(path, bytes, `${path}.${uuid}.tmp`, { mode: 0o600, sync: false })
}

async function writeIndex(index: Index, { folder, files }: SeenPlace, uuid: string): Promise<void> {
  const path = join(folder, indexName)
  const text = JSON.stringify(Object.fromEntries(index))
  await files.replace(path, Buffer.from(text), `${path}.${uuid}.tmp`, { mode: 0o600, sync: false })
  const needed = new Set([indexName, ...[...index.values()].map(({ hash }) => hash)])
  for (const name of (await files.list(folder)) ?? []) {
    if (!needed.has(name)) await files.remove(join(folder, name))
  }
}

/** Anybody may have written it: a project can come with relay's folder in it. */
async function readIndex({ folder, files }: SeenPlace): Promise<Index> {
  const found = await files.inspect(join(folder, indexName)).catch(() => null)
  const json = found?.kind === 'file' ? parseJson(Buffer.from(found.bytes).toString('utf8')) : undefined
  const entries = isRecord(json) ? Object.entries(json) : []
  return new Map(entries.flatMap(([path, known]) => (isKnown(known) ? [[path, known] as const] : [])))
}

function isKnown(value: unknown): value is Known {
  if (!isRecord(value)) return false
  const { hash, at, bytes } = value
  return (
    typeof hash === 'string' && /^[\da-f]{64}$/.test(hash) && Number.isSafeInteger(at) && Number.isSafeInteger(bytes)
  )
}
