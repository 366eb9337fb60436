import { readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { turnstile } from '../../ground/collections.ts'
import type { Files, Listed } from '../../ports.ts'
import { systemClock } from '../clock.ts'
import { type FileVerb, fileError } from '../file-error.ts'
import { atOnce, look, nullWhenAbsent, patiently } from './calls.ts'
import { canMove, link, linked, makeFolder, remove, removeFolder, rename, setFolderMode, touch } from './names.ts'
import { inspect, isHanded, mayWrite, readHanded, readWhole, realPath, statAt } from './read.ts'
import { inRealFolder, whileInRealFolder } from './real-folder.ts'
import { append, create, replace, sync } from './write.ts'

/** More open files at a time gain nothing. The usual limit of a process is 1024, or 256 on macOS. */
const openFiles = 64

/** How often relay looks at a file until it stays the same, and the pause between two looks. */
const [looks, apartMs] = [10, 15]

/**
 * The real file system. Messages name paths as seen from the folder `from`.
 *
 * Only a call that waits for the disk, or could wait for ever, goes through the runtime's threads: syncs, many new
 * files at a time, and what the shell passes. For the small files of a project a thread costs ten times as much as
 * the call itself, and ten thousand files take half a million calls.
 */
export function systemFiles(from: string): Files {
  const turn = turnstile(openFiles)
  const breathe = breather()
  const door = async <T>(verb: FileVerb, path: string, work: () => T, to?: string): Promise<T> => {
    const pause = breathe()
    if (pause !== undefined) await pause
    try {
      return work()
    } catch (error) {
      throw fileError(error, verb, path, from, to)
    }
  }
  /** For work that waits with a file open: its number at a time is limited. */
  const slowDoor = <T>(verb: FileVerb, path: string, work: () => Promise<T>): Promise<T> =>
    turn(async () => {
      await breathe()
      try {
        return await work()
      } catch (error) {
        throw fileError(error, verb, path, from)
      }
    })

  /** For a call that moves or removes. */
  const patientDoor: typeof door = (...way) => patiently(() => door(...way))

  const stat = (path: string) =>
    door('read', path, () => {
      const stats = look(path)
      return stats === null ? null : statAt(path, stats)
    })

  return {
    read: (path, most) =>
      isHanded(path)
        ? slowDoor('read', path, () => readHanded(path, most))
        : door('read', path, () => nullWhenAbsent(() => readWhole(path))),
    stat,
    stays: async (path, isSo) => {
      for (let look = 0; look < looks; look++) {
        if (!isSo(await stat(path))) return false
        await systemClock.sleep(apartMs)
      }
      return true
    },
    mayWrite: path => door('read', path, () => mayWrite(path)),
    readLink: path => door('read', path, () => atOnce(() => readlinkSync(path))),
    inspect: path => door('read', path, () => nullWhenAbsent(() => inRealFolder(path, inspect))),
    list: path => door('list', path, () => nullWhenAbsent(() => atOnce(() => readdirSync(path)))),
    listKinds: path => door('list', path, () => nullWhenAbsent(() => atOnce(() => listKinds(path)))),
    create: (path, bytes, options = {}) =>
      slowDoor('write', options.standsFor ?? path, () =>
        whileInRealFolder(path, place => create(place, bytes, options)),
      ),
    replace: (path, bytes, temporary, options = {}) =>
      slowDoor('write', path, () => replace(path, bytes, temporary, options)),
    append: (path, bytes, options = {}) => slowDoor('add to', path, () => append(path, bytes, options)),
    link: (existing, path) => door('link', path, () => link(existing, path)),
    symlink: (to, path) => door('link', path, () => inRealFolder(path, place => linked(() => symlinkSync(to, place)))),
    rename: (from, to) => patientDoor('move', from, () => rename(from, to), to),
    canMove: (folder, into) => door('read', into, () => canMove(folder, into)),
    touch: (path, ms) => door('write', path, () => inRealFolder(path, place => touch(place, ms))),
    remove: path => patientDoor('remove', path, () => remove(path)),
    makeFolder: (path, mode) => door('make folder', path, () => inRealFolder(path, place => makeFolder(place, mode))),
    makePrivate: path => door('make folder', path, () => inRealFolder(path, place => setFolderMode(place, 0o700))),
    removeFolder: path => patientDoor('remove', path, () => removeFolder(path)),
    sync: path => slowDoor('sync', path, () => sync(path)),
    realPath: path => door('find', path, () => nullWhenAbsent(() => realPath(path))),
  }
}

/** A copy takes several turns to arrive, and another one may follow within some ten milliseconds. */
const turnMs = 5

/**
 * Lets other work have a turn (signals, the live line, the next copy from the display) during long work that never
 * waits.
 */
function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < turnMs) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

function listKinds(path: string): Listed {
  const entries = readdirSync(path, { withFileTypes: true })
  const namesOf = (some: typeof entries) => some.map(({ name }) => name)
  return {
    links: namesOf(entries.filter(entry => entry.isSymbolicLink())),
    folders: namesOf(entries.filter(entry => entry.isDirectory())),
  }
}
