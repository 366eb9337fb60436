import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { digest } from '../ground/bytes.ts'
import { isRecord, isShape, isWhole, parseJson } from '../ground/json.ts'
import type { Files } from '../ports.ts'

export interface SeenPlace {
  /** In relay's own folder, which must exist. */
  readonly folder: string
  readonly files: Files
}

/** A version of a file that a model was given, and when. */
export interface SeenVersion {
  readonly bytes: Uint8Array
  readonly at: Date
}

/** Versions to forget; each rule counts by itself. */
export interface SeenRules {
  /** Versions that were given before this moment. */
  readonly before?: Date
  /** The oldest versions beyond this size. */
  readonly mostBytes?: number
}

export interface SeenSum {
  readonly files: number
  readonly bytes: number
}

/** A file's content is stored with everything else that was new in the same pack, in one file named after its hash. */
interface Known {
  readonly hash: string
  readonly at: number
  readonly in: string
  readonly from: number
  readonly bytes: number
}

type Index = ReadonlyMap<string, Known>

const mostBytes = 200_000_000
const indexName = 'index.json'

/** The index's name for the version before the last one; no path can have this name. */
export function versionBefore(path: string): string {
  return `\0${path}`
}

/**
 * Remembers the versions that a model was given: the last one of each file, and the one before.
 *
 * The contents are written before the index names them, and removed after it no longer does: a crash leaves too much,
 * which the next call removes. The contents of a pack are in one file, since making a file for each would take longer
 * than everything else.
 */
export async function rememberSeen(
  place: SeenPlace,
  given: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  at: Date,
  uuid: string,
): Promise<void> {
  await place.files.makeFolder(place.folder, 0o700)
  const index = new Map(await readIndex(place))
  const there = await sizesIn(place)
  const hashed = given.map(file => ({ ...file, hash: digest('sha256', file.bytes) }))
  const isNew = ({ path, hash }: { path: string; hash: string }) => {
    const known = index.get(path)
    return known === undefined || known.hash !== hash || !there.has(known.in)
  }
  const fresh = hashed.filter(isNew)
  const all = Buffer.concat(fresh.map(({ bytes }) => bytes))
  const name = digest('sha256', all)
  let from = 0
  for (const { path, hash, bytes } of fresh) {
    const last = index.get(path)
    if (last !== undefined && last.hash !== hash) index.set(versionBefore(path), last)
    index.set(path, { hash, at: 0, in: name, from, bytes: bytes.length })
    from += bytes.length
  }
  for (const { path } of hashed) {
    const known = index.get(path)
    if (known !== undefined) index.set(path, { ...known, at: at.getTime() })
  }
  if (fresh.length > 0) await keep(all, name, place, uuid)
  await writeIndex(withoutOld(index, { mostBytes }, await sizesIn(place)), place, uuid)
}

/**
 * Answers a function that finds the last version of a file that a model was given, or the one before. It keeps in
 * memory what it has read: use it for one answer, not for a watcher's life.
 */
export async function readSeen(place: SeenPlace): Promise<(path: string) => Promise<SeenVersion | undefined>> {
  const index = await readIndex(place)
  const contents = new Map<string, ReturnType<Files['inspect']>>()
  return async path => {
    const known = index.get(path)
    if (known === undefined) return undefined
    const content = contents.get(known.in) ?? place.files.inspect(join(place.folder, known.in))
    contents.set(known.in, content)
    const found = await content
    if (found?.kind !== 'file') return undefined
    const bytes = found.bytes.subarray(known.from, known.from + known.bytes)
    // With another hash it is not what the model was given.
    return digest('sha256', bytes) === known.hash ? { bytes, at: new Date(known.at) } : undefined
  }
}

export async function sumOfOldSeen(place: SeenPlace, rules: SeenRules): Promise<SeenSum> {
  const [index, sizes] = [await readIndex(place), await sizesIn(place)]
  const left = withoutOld(index, rules, sizes)
  const bytesOf = (some: Index) => [...placesOf(some)].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  const gone = [...index.keys()].filter(name => !left.has(name)).map(name => name.replace(/^\0/, ''))
  return { files: new Set(gone).size, bytes: bytesOf(index) - bytesOf(left) }
}

export async function forgetOldSeen(place: SeenPlace, rules: SeenRules, uuid: string): Promise<void> {
  const index = await readIndex(place)
  if (index.size > 0) await writeIndex(withoutOld(index, rules, await sizesIn(place)), place, uuid)
}

function placesOf(index: Index): ReadonlySet<string> {
  return new Set([...index.values()].map(known => known.in))
}

/** Keeps the newest versions that fit. A content is removed only with its whole file. */
function withoutOld(index: Index, { before, mostBytes }: SeenRules, sizes: ReadonlyMap<string, number>): Index {
  const young = [...index]
    .filter(([, { at }]) => before === undefined || at >= before.getTime())
    .sort(([, a], [, b]) => b.at - a.at)
  const kept = new Set<string>()
  let room = mostBytes ?? Number.POSITIVE_INFINITY
  for (const name of placesOf(new Map(young))) {
    room -= sizes.get(name) ?? 0
    if (room < 0) break
    kept.add(name)
  }
  return new Map(young.filter(([, known]) => kept.has(known.in)))
}

async function keep(bytes: Uint8Array, name: string, { folder, files }: SeenPlace, uuid: string): Promise<void> {
  const path = join(folder, name)
  if ((await files.create(path, bytes, { mode: 0o600, sync: false })) === 'created') return
  // A power cut can leave a part of the file.
  if ((await files.stat(path))?.size === bytes.length) return
  await files.replace(path, bytes, `${path}.${uuid}.tmp`, { mode: 0o600, sync: false })
}

async function sizesIn({ folder, files }: SeenPlace): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const name of (await files.list(folder).catch(() => null)) ?? []) {
    sizes.set(name, (await files.stat(join(folder, name)))?.size ?? 0)
  }
  return sizes
}

async function writeIndex(index: Index, { folder, files }: SeenPlace, uuid: string): Promise<void> {
  const path = join(folder, indexName)
  const text = JSON.stringify(Object.fromEntries(index))
  await files.replace(path, Buffer.from(text), `${path}.${uuid}.tmp`, { mode: 0o600, sync: false })
  const needed = placesOf(index)
  for (const name of (await files.list(folder)) ?? []) {
    if (name !== indexName && !needed.has(name)) await files.remove(join(folder, name))
  }
}

/** Anybody may have written the index: a project can bring a `.relaycode/`. */
async function readIndex({ folder, files }: SeenPlace): Promise<Index> {
  const found = await files.inspect(join(folder, indexName)).catch(() => null)
  const json = found?.kind === 'file' ? parseJson(Buffer.from(found.bytes).toString('utf8')) : undefined
  const entries = isRecord(json) ? Object.entries(json) : []
  return new Map(entries.flatMap(([path, known]) => (isKnown(known) ? [[path, known] as const] : [])))
}

const isHash = (value: unknown) => typeof value === 'string' && /^[\da-f]{64}$/.test(value)

/** The last moment that a `Date` can hold. */
const lastMoment = 8.64e15

const isMoment = (value: unknown) => isWhole(value) && Math.abs(Number(value)) <= lastMoment

const isKnown = isShape<Known>({ hash: isHash, in: isHash, at: isMoment, from: isWhole, bytes: isWhole })
