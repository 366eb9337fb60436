/** Replaces files of the user's that no transaction writes, although an editor or another program may save them meanwhile. */
import { basename, dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import type { System } from '../../ports.ts'
import { bytesAt, makeFolder, textOf } from './user-files.ts'

type Doors = Pick<System, 'files' | 'clock'>

/** Milliseconds. An editor that writes in place needs at most this long for a small file. */
const settled = 200
const mostTries = 50

/**
 * Replaces a file in one step, making its folders first. Gives `false` where there is nothing to change.
 *
 * Whatever is saved meanwhile stays: relay keeps the old file until it has been unchanged for a moment. Where it has another
 * text than the one that was changed, that text comes back, and is changed instead. Throws `environment` where the file never
 * comes to rest.
 *
 * @param change gets the present text, `undefined` for no file, and gives the new one; `undefined`: nothing is to change.
 * It may be called several times.
 */
export async function replaceUsersFile(
  path: string,
  change: (text: string | undefined) => string | undefined,
  doors: Doors,
): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries++) {
    await bringBackSaved(path, doors)
    const bytes = (await bytesAt(path, doors)) ?? (await bytesSoon(path, doors))
    const text = bytes === null ? undefined : textOf(bytes, path)
    const next = change(text)
    if (next === undefined || next === text) return next !== undefined
    const changed = new TextEncoder().encode(next)
    if (await (bytes === null ? createWhole(path, changed, doors) : swapAtRest(path, bytes, changed, doors)))
      return true
  }
  throw new RelayError('environment', `${path} changes all the time`, { hint: 'Try again when nobody writes there.' })
}

/**
 * Removes a file that has this text, with the same care. Gives `false` where it has another one, which stays.
 */
export async function removeUsersFile(path: string, text: string, doors: Doors): Promise<boolean> {
  const { files, clock } = doors
  await bringBackSaved(path, doors)
  const bytes = await bytesAt(path, doors)
  if (bytes === null) return true
  if (textOf(bytes, path) !== text) return false
  const { old } = namesBeside(path, bytes, null)
  if ((await files.rename(path, old)) === 'absent') return true
  for (const pause of [0, settled]) {
    await clock.sleep(pause)
    const moved = await bytesAt(old, doors)
    if (moved === null || isSame(moved, bytes)) continue
    await bringBackSaved(path, doors)
    return false
  }
  await files.remove(old)
  return true
}

/**
 * Brings back what somebody had saved when relay was killed while it replaced the file. Where the file has been saved again
 * since, the earlier text stays beside it, as `<name>.saved-…`.
 */
export async function bringBackSaved(path: string, doors: Doors): Promise<void> {
  const { files } = doors
  for (const { at, base, made, isOld } of await leftBeside(path, doors)) {
    const saved = isOld ? await files.inspect(at) : null
    const now = await files.inspect(path)
    if (saved?.kind !== 'file' || shortHash(saved.bytes) === base) await files.remove(at)
    else if (now === null || (now.kind === 'file' && shortHash(now.bytes) === made)) await files.rename(at, path)
    else if (now.kind === 'file' && isSame(now.bytes, saved.bytes)) await files.remove(at)
    else await files.rename(at, `${path}.saved-${shortHash(saved.bytes).slice(0, 8)}`)
  }
}

/** While an editor replaces a file, it is missing for a moment. */
async function bytesSoon(path: string, doors: Doors): Promise<Uint8Array | null> {
  await doors.clock.sleep(settled)
  return bytesAt(path, doors)
}

/** Writes a new file. Gives `false` where somebody else was faster: that file stays. */
async function createWhole(path: string, bytes: Uint8Array, doors: Doors): Promise<boolean> {
  const { files } = doors
  await makeFolder(dirname(path), doors)
  const { temporary } = namesBeside(path, null, bytes)
  await files.create(temporary, bytes)
  // A link, because a rename would replace a file that appears at this moment.
  const linked = await files.link(temporary, path)
  await files.remove(temporary)
  const made = linked === 'unsupported' ? await files.create(path, bytes) : linked
  if (made !== 'exists') await files.sync(dirname(path))
  return made !== 'exists'
}

/** Gives `false` where somebody writes the file, or wrote it meanwhile. That text stays. */
async function swapAtRest(path: string, bytes: Uint8Array, changed: Uint8Array, doors: Doors): Promise<boolean> {
  return (await isAtRest(path, bytes, doors)) && swap(path, bytes, changed, doors)
}

async function swap(path: string, bytes: Uint8Array, changed: Uint8Array, doors: Doors): Promise<boolean> {
  const { files } = doors
  const { temporary, old } = namesBeside(path, bytes, changed)
  const stat = await files.stat(path)
  if (stat === null) return false
  const { mode, uid, gid } = stat
  await files.create(temporary, changed, { mode, owner: { uid, gid } })
  let isKept = false
  try {
    isKept = await keepOld(path, old, bytes, doors)
  } finally {
    if (!isKept) await files.remove(temporary)
  }
  if (!isKept) return false
  await files.rename(temporary, path)
  await files.sync(dirname(path))
  return wasAtRest(path, { old, bytes, changed }, doors)
}

/**
 * Gives the old file a second name, right before the rename: an editor may still write into it. Gives `false` where an editor has
 * put another file in its place.
 */
async function keepOld(path: string, old: string, bytes: Uint8Array, doors: Doors): Promise<boolean> {
  const { files } = doors
  const linked = await files.link(path, old).catch(async error => {
    if ((await files.stat(path)) === null) return 'gone' as const
    throw error
  })
  if (linked === 'unsupported') return isStill(path, bytes, doors)
  if (linked !== 'linked') return false
  const [kept, now] = [await files.stat(old), await files.stat(path)]
  if (kept !== null && kept.inode === now?.inode) return true
  await files.remove(old)
  return false
}

/** Whether the replaced file had the text that was changed, and still has. Otherwise its text comes back. */
async function wasAtRest(
  path: string,
  { old, bytes, changed }: { readonly old: string; readonly bytes: Uint8Array; readonly changed: Uint8Array },
  doors: Doors,
): Promise<boolean> {
  const { files, clock } = doors
  for (const pause of [0, settled]) {
    await clock.sleep(pause)
    const replaced = await bytesAt(old, doors)
    if (replaced === null || isSame(replaced, bytes)) continue
    // If an editor has saved again since, the new file has all of the text.
    if (await isStill(path, changed, doors)) await files.rename(old, path)
    else await files.remove(old)
    return false
  }
  await files.remove(old)
  return true
}

/** Whether nobody is writing the file. A file that was changed a moment ago is looked at again. */
async function isAtRest(path: string, bytes: Uint8Array, doors: Doors): Promise<boolean> {
  const { files, clock } = doors
  const age = clock.now().getTime() - ((await files.stat(path))?.modifiedMs ?? 0)
  if (age < settled) await clock.sleep(settled)
  return isStill(path, bytes, doors)
}

async function isStill(path: string, bytes: Uint8Array, doors: Doors): Promise<boolean> {
  const now = await bytesAt(path, doors)
  return now !== null && isSame(now, bytes)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The names that a file has meanwhile. They say which text was changed, and into which: after a crash nothing else tells. */
function namesBeside(path: string, bytes: Uint8Array | null, changed: Uint8Array | null) {
  const name = `${prefixOf(path)}${shortHash(bytes)}-${shortHash(changed)}`
  return { temporary: join(dirname(path), `${name}.new`), old: join(dirname(path), `${name}.old`) }
}

async function leftBeside(path: string, { files }: Doors) {
  const prefix = prefixOf(path)
  const names = ((await files.list(dirname(path))) ?? []).filter(name => name.startsWith(prefix))
  return names.flatMap(name => {
    const [, base, made, kind] = /^([\da-f]{16})-([\da-f]{16})\.(new|old)$/.exec(name.slice(prefix.length)) ?? []
    return kind === undefined ? [] : [{ at: join(dirname(path), name), base, made, isOld: kind === 'old' }]
  })
}

function prefixOf(path: string): string {
  return `.${basename(path)}.relay-`
}

function shortHash(bytes: Uint8Array | null): string {
  return bytes === null ? '0'.repeat(16) : digest('sha256', bytes).slice(0, 16)
}
