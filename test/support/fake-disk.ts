import { Buffer } from 'node:buffer'
import { constants } from 'node:os'
import { posix } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import type { CreateOptions, Files, ProcessMark, Stat } from '../../src/ports.ts'
import { type FileVerb, fileError } from '../../src/system/file-error.ts'
import { sha256 } from '../../src/transact/entry/hash.ts'

/** What a killed process meets in every call that it would still have made: it is dead, and nothing happens any more. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** One running relay: dead ones can do nothing. */
export class Life {
  #dead = false
  get dead(): boolean {
    return this.#dead
  }
  kill(): void {
    this.#dead = true
  }
  /** Throws when this process was killed. */
  check(): void {
    if (this.#dead) throw new Crash('killed')
  }
}

/** Node makes the map anew at each call. */
const known = getSystemErrorMap()

/** An error as Node throws it, for `onCall`: of one that it has no name for it tells the number. */
export function diskError(name: string): NodeJS.ErrnoException {
  const errno = -((constants.errno as Readonly<Record<string, number>>)[name] ?? 0)
  const code = known.has(errno) || errno === 0 ? name : `Unknown system error ${errno}`
  return Object.assign(new Error(`${code}: simulated`), { code, errno })
}

/** A path's description, for comparing whole trees. Bytes are text, or base64 when they are no UTF-8. */
export type Described =
  | { readonly kind: 'file'; readonly mode: string; readonly links: number; readonly text: string }
  | { readonly kind: 'file'; readonly mode: string; readonly links: number; readonly base64: string }
  | { readonly kind: 'folder'; readonly mode: string }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'other' }

interface Common {
  readonly inode: number
  readonly mount: number
  mode: number
  links: number
  uid: number
  gid: number
  modifiedMs: number
  changedMs: number
}
type FileNode = Common & { readonly kind: 'file'; bytes: Uint8Array }
type FolderNode = Common & { readonly kind: 'folder'; readonly names: Map<string, Node> }
type LinkNode = Common & { readonly kind: 'link'; readonly to: string }
type OtherNode = Common & { readonly kind: 'other' }
type Node = FileNode | FolderNode | LinkNode | OtherNode

interface Place {
  readonly parent: FolderNode
  readonly name: string
  readonly node: Node | undefined
  /** The entry's own path, links above it followed. */
  readonly path: string
}

/** A place with the folders that were walked through. */
interface Walked extends Place {
  readonly above: Walked | undefined
}

const partsOf = (path: string) => path.split('/').filter(part => part !== '' && part !== '.')

/**
 * A disk in memory: folders, files with inodes, hard links, symbolic links, modes and times.
 *
 * Tests lay out and read the tree with its methods (paths relative to the root, or absolute); relay sees it through
 * `files(life)`, where each step that could fail or be the last before a kill goes through `onCall` first.
 */
export class FakeDisk {
  readonly root: string
  /**
   * Called before each step of a call on the files port: `create`, then `create.write`, `create.sync` …, with the path
   * and the step's number, from 1. It may throw (`throw diskError('ENOSPC')`), crash (`disk.crash()`), or change the
   * tree as a user would. Half of the bytes are on the disk between the two `.write` steps.
   */
  onCall: ((name: string, path: string, n: number) => void) | undefined
  /** Steps made so far. */
  calls = 0
  /** Every process is killed that goes on after so many: a bound that means the same on a busy machine. */
  mostCalls = Number.POSITIVE_INFINITY
  /** How often `crashAt` and `failAt` have struck: what they never came to proves nothing. */
  strikes = 0
  /** `false`: `link` answers `unsupported`, as on exFAT. */
  hardLinks = true
  /** Capitals do not count, and are kept, as on macOS and Windows. */
  foldsCase = false
  /** Each name has a number of its own, two names of one file as well: as on many a disk in user space. */
  numbersNames = false
  /** What the time of a change is, where it is not to differ for each. */
  time: (() => number) | undefined
  /** The processes of this machine that live. */
  readonly processes = new Map<number, ProcessMark>()
  /** Counts up whatever must differ on one machine: process numbers, uuids. */
  serial = 0
  readonly #lives = new Set<Life>()
  readonly #top: FolderNode
  /** Which device each mount shows. */
  readonly #devices = new Map<number, number>()
  #mounts = 1
  #inodes = 1
  #ticks = 0

  constructor(root = '/project') {
    this.root = root
    this.#top = this.#new({ kind: 'folder', names: new Map() }, 0o755, 1)
    this.folder(root)
  }

  /** Writes a file as a user would: in place when it is there, with the folders it needs. */
  write(path: string, content: string | Uint8Array, mode?: number): void {
    const place = this.#locate(this.#full(path), true, true)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const node = place.node ?? this.#add(place, this.#new({ kind: 'file', bytes }, 0o644, place.parent.mount))
    if (node.kind !== 'file') throw new Error(`${path} is no file`)
    this.#fill(node, bytes)
    if (mode !== undefined) node.mode = mode
  }

  /** Replaces a file as an editor does that writes a new one and renames it: it gets a new inode. */
  swap(path: string, content: string | Uint8Array, mode?: number): void {
    const place = this.#locate(this.#full(path), true, true)
    if (place.node !== undefined) this.#drop(place)
    this.write(place.path, content, mode ?? place.node?.mode)
  }

  folder(path: string, mode?: number): void {
    let at = ''
    for (const part of this.#full(path).split('/').filter(Boolean)) {
      at = `${at}/${part}`
      const place = this.#locate(at, true)
      if (place.node === undefined) this.#addFolder(place, 0o755)
      else if (place.node.kind !== 'folder') throw new Error(`${at} is no folder`)
    }
    if (mode !== undefined) this.chmod(path, mode)
  }

  /** Gives a file a second name. */
  link(existing: string, path: string): void {
    const node = this.#node(existing)
    this.#add(this.#locate(this.#full(path), false, true), node)
    node.links++
  }

  symlink(to: string, path: string): void {
    const place = this.#locate(this.#full(path), false, true)
    this.#add(place, this.#new({ kind: 'link', to }, 0o777, place.parent.mount))
  }

  /** Puts a FIFO there, as an example of what is no file, folder or link. */
  fifo(path: string): void {
    const place = this.#locate(this.#full(path), false, true)
    this.#add(place, this.#new({ kind: 'other' }, 0o644, place.parent.mount))
  }

  /**
   * Makes a folder that is another file system: nothing can be linked or moved across its border. With `bind` it is a
   * folder of the same device that is mounted there, and only the border tells.
   */
  mount(path: string, kind: 'device' | 'bind' = 'device'): void {
    const place = this.#locate(this.#full(path), false, true)
    const mount = ++this.#mounts
    const above = place.parent.mount
    this.#devices.set(mount, kind === 'bind' ? (this.#devices.get(above) ?? above) : mount)
    this.#add(place, this.#new({ kind: 'folder', names: new Map() }, 0o755, mount))
  }

  chmod(path: string, mode: number): void {
    const node = this.#node(path)
    node.mode = mode
    node.changedMs = this.#now()
  }

  /** Gives what is there another name, a folder with all in it. */
  rename(from: string, to: string): void {
    const source = this.#locate(this.#full(from), false)
    const node = this.#node(from)
    source.parent.names.delete(source.name)
    this.remove(to)
    const place = this.#locate(this.#full(to), false, true)
    place.parent.names.set(place.name, node)
  }

  /** Removes what is there, a folder with all in it. */
  remove(path: string): void {
    const place = this.#locate(this.#full(path), false)
    if (place.node !== undefined) this.#drop(place)
  }

  exists(path: string): boolean {
    try {
      return this.#locate(this.#full(path), false).node !== undefined
    } catch {
      return false
    }
  }

  read(path: string): Uint8Array {
    const node = this.#locate(this.#full(path), true).node
    if (node?.kind !== 'file') throw new Error(`${path} is no file`)
    return node.bytes
  }

  readText(path: string): string {
    return Buffer.from(this.read(path)).toString()
  }

  inode(path: string): number {
    return this.#node(path).inode
  }

  /** Every regular file below the root: path to text. `journal: false` leaves `.relaycode/` out. */
  text(options: { readonly journal?: boolean } = {}): Record<string, string> {
    const files: Record<string, string> = {}
    for (const [path, node] of this.#below(options)) {
      if (node.kind === 'file') files[path] = Buffer.from(node.bytes).toString()
    }
    return files
  }

  /** Everything below the root, folders and links too, with modes, bytes and numbers of names. */
  tree(options: { readonly journal?: boolean } = {}): Record<string, Described> {
    return Object.fromEntries(this.#below(options).map(([path, node]) => [path, describe(node)]))
  }

  /** Kills every process on this machine, as `kill -9` does: the tree stays as it is at this moment. */
  crash(): void {
    for (const life of this.#lives) life.kill()
    this.#lives.clear()
    this.processes.clear()
  }

  /** Kills at step `n`, before it does anything. */
  crashAt(n: number): void {
    this.onCall = (_name, _path, at) => {
      if (at !== n) return
      this.strikes += 1
      this.crash()
    }
  }

  /** Ends the process that runs a transaction once its plan is on the disk, before a file of the project is touched. */
  crashInTransaction(): void {
    this.onCall = (_name, path) => {
      if (path.endsWith('.stage/staged')) this.crash()
    }
  }

  /** Lets step `n` fail, and with `sticky` every later one too. */
  failAt(n: number, code: string, options: { readonly sticky?: boolean } = {}): void {
    this.onCall = (_name, _path, at) => {
      if (at !== n && !(options.sticky === true && at > n)) return
      this.strikes += 1
      throw diskError(code)
    }
  }

  /** The files port as one process sees it. */
  files(life: Life = new Life()): Files {
    this.#lives.add(life)
    const step = (name: string, path: string) => {
      life.check()
      this.calls++
      if (this.calls > this.mostCalls) this.crash()
      this.onCall?.(name, path, this.calls)
      life.check()
    }
    const door = async <T>(name: string, verb: FileVerb, path: string, work: () => T, named = path): Promise<T> => {
      await Promise.resolve()
      try {
        step(name, path)
        return work()
      } catch (error) {
        if (error instanceof Crash) throw error
        throw fileError(error, verb, named, this.root)
      }
    }
    const absent = <T>(work: () => T): T | null => {
      try {
        return work()
      } catch (error) {
        if (isAbsent(error)) return null
        throw error
      }
    }

    /** After an error what was begun is taken back; after a kill it stays as it was at that moment. */
    const orBack = (work: () => void, back: () => void) => {
      try {
        work()
      } catch (error) {
        if (!(error instanceof Crash)) back()
        throw error
      }
    }
    /** Adds bytes to a file, the two halves one after the other. */
    const pour = (name: string, path: string, node: FileNode, bytes: Uint8Array) => {
      const half = bytes.length >> 1
      for (const part of [bytes.slice(0, half), bytes.slice(half)]) {
        step(`${name}.write`, path)
        this.#fill(node, Buffer.concat([node.bytes, part]))
      }
    }
    /** Writes a new file in steps; after an error nothing is left, after a kill what was written so far. */
    const writeNew = (name: string, place: Place, bytes: Uint8Array, options: CreateOptions) => {
      const node = this.#new(
        { kind: 'file', bytes: new Uint8Array() },
        options.mode ?? (options.isProgram === true ? 0o755 : 0o644),
        place.parent.mount,
      )
      this.#add(place, node)
      orBack(
        () => {
          pour(name, place.path, node, bytes)
          if (options.owner !== undefined) Object.assign(node, options.owner)
          if (options.sync !== false) step(`${name}.sync`, place.path)
          if (options.sync === 'name') step(`${name}.syncFolder`, place.path)
        },
        () => this.#drop({ ...place, node }),
      )
    }

    const stat = (path: string) =>
      door('stat', 'read', path, () =>
        absent(() => {
          const place = this.#locate(path, false)
          const stat = statOf(place.node, mount => this.#devices.get(mount) ?? mount)
          if (!this.numbersNames || stat === null) return stat
          return { ...stat, inode: Number.parseInt(sha256(place.path).slice(0, 12), 16), links: 1 }
        }),
      )

    return {
      read: path =>
        door('read', 'read', path, () =>
          absent(() => {
            const node = this.#locate(path, true).node
            if (node === undefined) return null
            if (node.kind !== 'file') throw diskError(node.kind === 'folder' ? 'EISDIR' : 'EINVAL')
            return node.bytes.slice()
          }),
        ),
      stat,
      // As often as the real one, so that something can change between two looks; the time between them passes at once.
      stays: async (path, isSo) => {
        for (let look = 0; look < 10; look++) if (!isSo(await stat(path))) return false
        return true
      },
      mayWrite: path => door('mayWrite', 'read', path, () => true),
      readLink: path =>
        door('readLink', 'read', path, () => {
          const node = this.#locate(path, false).node
          if (node === undefined) throw diskError('ENOENT')
          if (node.kind !== 'link') throw diskError('EINVAL')
          return node.to
        }),
      inspect: path =>
        door('inspect', 'read', path, () =>
          absent(() => {
            const node = this.#locateReal(path).node
            if (node === undefined) return null
            if (node.kind === 'link') return { kind: node.kind, to: node.to }
            return node.kind === 'file' ? { kind: node.kind, bytes: node.bytes.slice() } : { kind: node.kind }
          }),
        ),
      list: path =>
        door('list', 'list', path, () =>
          absent(() => {
            const node = this.#locate(path, true).node
            return node?.kind === 'folder' ? [...node.names.keys()] : null
          }),
        ),
      listKinds: path =>
        door('listKinds', 'list', path, () =>
          absent(() => {
            const node = this.#locate(path, true).node
            if (node?.kind !== 'folder') return null
            const of = (kind: string) => [...node.names].flatMap(([name, below]) => (below.kind === kind ? name : []))
            return { links: of('link'), folders: of('folder') }
          }),
        ),
      create: (path, bytes, options = {}) =>
        door(
          'create',
          'write',
          path,
          () => {
            const place = this.#locateReal(path)
            if (place.node !== undefined) return 'exists'
            writeNew('create', place, bytes, options)
            return 'created'
          },
          options.standsFor,
        ),
      replace: (path, bytes, temporary, options = {}) =>
        door('replace', 'write', path, () => {
          const aside = this.#locateReal(temporary)
          this.#unlink(aside)
          writeNew('replace', { ...aside, node: undefined }, bytes, options)
          const written = this.#locateReal(temporary)
          orBack(
            () => {
              step('replace.rename', path)
              this.#move(written, this.#locateReal(path))
            },
            () => this.#drop(written),
          )
          if (options.sync !== false) step('replace.syncFolder', path)
        }),
      append: (path, bytes, options = {}) =>
        door('append', 'add to', path, () => {
          const place = this.#locateReal(path)
          const node =
            place.node ??
            this.#add(place, this.#new({ kind: 'file', bytes: new Uint8Array() }, 0o600, place.parent.mount))
          if (node.kind === 'link') throw diskError('ELOOP')
          if (node.kind !== 'file') throw diskError('EISDIR')
          const before = node.bytes
          orBack(
            () => {
              pour('append', path, node, bytes)
              if (options.sync !== false) step('append.sync', path)
            },
            () => this.#fill(node, before),
          )
        }),
      link: (existing, path) =>
        door('link', 'link', path, () => {
          const node = this.#locateReal(existing).node
          if (node === undefined) throw diskError('ENOENT')
          const place = this.#locateReal(path)
          if (place.node !== undefined) return 'exists'
          if (node.mount !== place.parent.mount) throw diskError('EXDEV')
          if (!this.hardLinks || node.kind === 'folder') return 'unsupported'
          this.#add(place, node)
          node.links++
          return 'linked'
        }),
      symlink: (to, path) =>
        door('symlink', 'link', path, () => {
          const place = this.#locateReal(path)
          if (place.node !== undefined) return 'exists'
          this.#add(place, this.#new({ kind: 'link', to }, 0o777, place.parent.mount))
          return 'linked'
        }),
      rename: (from, to) =>
        door('rename', 'move', from, () => {
          const source = absent(() => this.#locateReal(from))
          if (source === null || source.node === undefined) return 'absent'
          this.#move(source, this.#locateReal(to))
          return 'renamed'
        }),
      canMove: (folder, into) =>
        door('canMove', 'read', into, () => {
          const [here, there] = [folder, into].map(path => absent(() => this.#locate(path, false))?.node)
          return here === undefined || there === undefined || here.mount === there.mount
        }),
      remove: path => door('remove', 'remove', path, () => absent(() => this.#unlink(this.#locateReal(path))) ?? false),
      touch: (path, ms) =>
        door('touch', 'write', path, () => {
          const { node } = this.#locateReal(path)
          if (node === undefined) throw diskError('ENOENT')
          node.changedMs = this.#now()
          node.modifiedMs = ms ?? node.changedMs
        }),
      makeFolder: (path, mode) =>
        door('makeFolder', 'make folder', path, () => {
          const place = this.#locateReal(path)
          if (place.node !== undefined) return false
          this.#addFolder(place, mode ?? 0o755)
          return true
        }),
      makePrivate: path =>
        door('makePrivate', 'make folder', path, () => {
          const { node } = this.#locateReal(path)
          if (node === undefined) throw diskError('ENOENT')
          if (node.kind !== 'folder') throw diskError('ENOTDIR')
          node.mode = (node.mode & 0o7000) | 0o700
        }),
      removeFolder: path =>
        door('removeFolder', 'remove', path, () => {
          const place = absent(() => this.#locateReal(path))
          if (place === null || place.node === undefined) return 'absent'
          if (place.node.kind !== 'folder') return 'no-folder'
          if (place.node.names.size > 0) return 'not-empty'
          this.#drop(place)
          return 'removed'
        }),
      sync: path =>
        door('sync', 'sync', path, () => {
          if (this.#locate(path, true).node === undefined) throw diskError('ENOENT')
        }),
      realPath: path =>
        door('realPath', 'find', path, () =>
          absent(() => {
            try {
              const place = this.#locate(path, true)
              return place.node === undefined ? null : place.path
            } catch (error) {
              if ((error as NodeJS.ErrnoException).code === 'ELOOP') return null
              throw error
            }
          }),
        ),
    }
  }

  #full(path: string): string {
    return path.startsWith('/') ? path : `${this.root}/${path}`
  }

  #node(path: string): Node {
    const node = this.#locate(this.#full(path), false).node
    if (node === undefined) throw new Error(`nothing at ${path}`)
    return node
  }

  /** Walks to a path, links above it followed, and the last one too when `follow` says so. */
  #locate(path: string, follow: boolean, makeFolders = false): Place {
    const top: Walked = { parent: this.#top, name: '', node: this.#top, path: '', above: undefined }
    const ahead = partsOf(path)
    let here = top
    let links = 0
    for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
      here = this.#goTo(name, here, makeFolders)
      if (here.node?.kind !== 'link' || (ahead.length === 0 && !follow)) continue
      links += 1
      if (links === 40) throw diskError('ELOOP')
      const { to } = here.node
      ahead.unshift(...partsOf(to))
      here = to.startsWith('/') ? top : (here.above ?? top)
    }
    return { ...here, path: here.path || '/' }
  }

  #goTo(asked: string, from: Walked, makeFolders: boolean): Walked {
    const parent = this.#enter(from, makeFolders)
    if (asked === '..') return from.above ?? from
    const name = this.#spelled(asked, parent)
    const above = { ...from, node: parent }
    return { parent, name, node: parent.names.get(name), path: `${from.path}/${name}`, above }
  }

  #enter(place: Place, makeFolders: boolean): FolderNode {
    if (place.node === undefined && makeFolders) return this.#addFolder(place, 0o755)
    if (place.node === undefined) throw diskError('ENOENT')
    if (place.node.kind !== 'folder') throw diskError('ENOTDIR')
    return place.node
  }

  #spelled(name: string, { names }: FolderNode): string {
    if (!this.foldsCase || names.has(name)) return name
    return [...names.keys()].find(each => each.toLowerCase() === name.toLowerCase()) ?? name
  }

  /** For what changes something: no folder on the way may be a link. */
  #locateReal(path: string): Place {
    const place = this.#locate(path, false)
    const folded = (path: string) => (this.foldsCase ? path.toLowerCase() : path)
    if (folded(place.path) !== folded(posix.normalize(path))) throw diskError('EMOVED')
    return place
  }

  #new<K extends { readonly kind: Node['kind'] }>(kind: K, mode: number, mount: number): K & Common {
    const now = this.#now()
    return {
      ...kind,
      inode: this.#inodes++,
      mount,
      mode,
      links: 1,
      uid: 1000,
      gid: 1000,
      modifiedMs: now,
      changedMs: now,
    }
  }

  #add<N extends Node>(place: Place, node: N): N {
    if (place.node !== undefined) throw diskError('EEXIST')
    place.parent.names.set(place.name, node)
    place.parent.modifiedMs = place.parent.changedMs = node.changedMs = this.#now()
    return node
  }

  #addFolder(place: Place, mode: number): FolderNode {
    // A set-group-id folder hands its group and that bit on to the folders made in it.
    const inherited = place.parent.mode & 0o2000
    const folder = this.#new({ kind: 'folder' as const, names: new Map() }, mode | inherited, place.parent.mount)
    if (inherited !== 0) folder.gid = place.parent.gid
    return this.#add(place, folder)
  }

  #drop(place: Place): void {
    place.parent.names.delete(place.name)
    place.parent.modifiedMs = place.parent.changedMs = this.#now()
    if (place.node !== undefined) {
      place.node.links--
      place.node.changedMs = this.#now()
    }
  }

  /** Removes what is no folder; answers whether there was something. */
  #unlink(place: Place): boolean {
    if (place.node === undefined) return false
    if (place.node.kind === 'folder') throw diskError('EISDIR')
    this.#drop(place)
    return true
  }

  #move(source: Place, target: Place): void {
    const node = source.node
    if (node === undefined) return
    if (node.mount !== target.parent.mount) throw diskError('EXDEV')
    if (target.node !== undefined) {
      if (node.kind === 'folder' && target.node.kind !== 'folder') throw diskError('ENOTDIR')
      if (node.kind !== 'folder' && target.node.kind === 'folder') throw diskError('EISDIR')
      if (target.node.kind === 'folder' && target.node.names.size > 0) throw diskError('ENOTEMPTY')
    }
    if (source.parent === target.parent && source.name === target.name) return
    if (target.node !== undefined) this.#drop(target)
    source.parent.names.delete(source.name)
    target.parent.names.set(target.name, node)
    source.parent.modifiedMs = target.parent.modifiedMs = node.changedMs = this.#now()
  }

  #fill(node: FileNode, bytes: Uint8Array): void {
    node.bytes = bytes.slice()
    node.modifiedMs = node.changedMs = this.#now()
  }

  #now(): number {
    this.#ticks++
    if (this.time !== undefined) return this.time()
    return 1_700_000_000_000 + this.#ticks
  }

  #below(options: { readonly journal?: boolean }): [string, Node][] {
    const found: [string, Node][] = []
    const visit = (folder: FolderNode, prefix: string) => {
      for (const name of [...folder.names.keys()].sort()) {
        const node = folder.names.get(name)
        const path = `${prefix}${name}`
        if (node === undefined || (options.journal === false && path === '.relaycode')) continue
        found.push([path, node])
        if (node.kind === 'folder') visit(node, `${path}/`)
      }
    }
    const root = this.#locate(this.root, true).node
    if (root?.kind === 'folder') visit(root, '')
    return found
  }
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function statOf(node: Node | undefined, deviceOf: (mount: number) => number): Stat | null {
  if (node === undefined) return null
  const { kind, mode, mount, inode, links, uid, gid, modifiedMs, changedMs } = node
  const size = kind === 'file' ? node.bytes.length : kind === 'link' ? Buffer.byteLength(node.to) : 4096
  return { kind, mode, size, device: deviceOf(mount), inode, links, uid, gid, modifiedMs, changedMs }
}

function describe(node: Node): Described {
  const mode = node.mode.toString(8).padStart(4, '0')
  if (node.kind === 'folder') return { kind: 'folder', mode }
  if (node.kind === 'link') return { kind: 'link', to: node.to }
  if (node.kind === 'other') return { kind: 'other' }
  const bytes = Buffer.from(node.bytes)
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes)
    ? { kind: 'file', mode, links: node.links, text }
    : { kind: 'file', mode, links: node.links, base64: bytes.toString('base64') }
}
