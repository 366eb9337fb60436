import { dirname, join } from 'node:path'
import { remembered } from '../../ground/collections.ts'
import { insideOf } from '../../ground/paths.ts'
import type { PathFact } from '../../model/plan.ts'
import type { Files } from '../../ports.ts'

/** `at` is relative to the root. */
type Place =
  | {
      readonly kind: 'inside'
      readonly at: string
      /** Folders that do not exist yet, outermost first; `at` is among them. */
      readonly missing: readonly string[]
      /** The nearest folder that exists, if files cannot be moved between it and relay's own. */
      readonly otherDevice: string | undefined
      readonly guarded: string | undefined
    }
  | Exclude<PathFact['leads'], { readonly kind: 'inside' }>
  | { readonly kind: 'blocked'; readonly by: string }

/** Remembers where folders lead, so that ten thousand files in one folder cost one look at it. */
export class Folders {
  readonly #folds = new Map<string, Promise<boolean>>()
  readonly #root: string
  readonly #files: Files

  constructor(root: string, files: Files) {
    this.#root = root
    this.#files = files
  }

  readonly find = remembered((path: string) => this.#look(path))

  /** The names beside the first folder of a path that does not exist yet. */
  namesBeside({ missingFolders: [first], place }: PathFact): Promise<readonly string[]> {
    return this.#namesIn(parentOf(first ?? place))
  }

  /**
   * An existing path, with its last name as the folder spells it. Where capitals do not count, a response may use
   * others: without this the file would get them, and keep them after a rollback.
   */
  async spelled(folder: string, name: string): Promise<string> {
    const path = joined(folder, name)
    if (!(await this.#foldsCase(folder, name))) return path
    const names = await this.#namesIn(folder)
    const same = (one: string, other: string) => one.normalize().toLowerCase() === other.normalize().toLowerCase()
    return names.includes(name) ? path : joined(folder, names.find(each => same(each, name)) ?? name)
  }

  /** A folder ignores case if something in it is also found under other capitals. */
  #foldsCase(folder: string, name: string): Promise<boolean> {
    const other = name.replace(/[a-z]/gi, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
    const known = this.#folds.get(folder)
    if (known !== undefined || other === name) return known ?? Promise.resolve(false)
    const folds = this.#files.stat(join(this.#root, folder, other)).then(found => found !== null)
    this.#folds.set(folder, folds)
    return folds
  }

  /** A folder that may be entered but not listed tells nothing: relay then has no doubts about it. */
  readonly #namesIn = remembered(async (folder: string): Promise<readonly string[]> => {
    return (await this.#files.list(join(this.#root, folder)).catch(() => null)) ?? []
  })

  async #look(path: string): Promise<Place> {
    if (path === '') return this.#inside('', undefined)
    const parent = await this.find(parentOf(path))
    if (parent.kind !== 'inside') return parent
    const name = path.slice(path.lastIndexOf('/') + 1)
    const named = joined(parent.at, name)
    if (parent.missing.length > 0) return { ...parent, at: named, missing: [...parent.missing, named] }
    const here = await this.#files.stat(join(this.#root, named))
    if (here === null) return { ...parent, at: named, missing: [named] }
    const at = await this.spelled(parent.at, name)
    if (here.kind === 'folder') return this.#inside(at, parent.guarded)
    if (here.kind !== 'link') return { kind: 'blocked', by: at }
    const real = await this.#files.realPath(join(this.#root, at))
    if (real === null) return { kind: 'nowhere', to: await this.#files.readLink(join(this.#root, at)) }
    const inside = insideOf(this.#root, real)
    if (inside === undefined) return { kind: 'outside', to: real }
    const there = await this.#files.stat(real)
    if (there?.kind !== 'folder') return { kind: 'blocked', by: at }
    const home = inside === '' ? undefined : await this.find(parentOf(inside))
    return this.#inside(inside, home !== undefined && home.kind === 'inside' ? home.guarded : undefined)
  }

  /**
   * A folder with HEAD, objects and refs is git's own (a bare repository, a separated git folder), and so is one with
   * HEAD and commondir (of a work tree that was added), whatever their names.
   */
  async #inside(at: string, guardedAbove: string | undefined): Promise<Place> {
    const movable = await this.#files.canMove(join(this.#root, '.relaycode'), join(this.#root, at))
    const otherDevice = movable ? undefined : at
    const guarded = guardedAbove ?? (at !== '' && (await this.#isGitFolder(at)) ? at : undefined)
    return { kind: 'inside', at, missing: [], otherDevice, guarded }
  }

  async #isGitFolder(at: string): Promise<boolean> {
    const has = async (name: string) => (await this.#files.stat(join(this.#root, at, name))) !== null
    return (await has('HEAD')) && ((await has('commondir')) || ((await has('objects')) && (await has('refs'))))
  }
}

export function parentOf(path: string): string {
  const parent = dirname(path)
  return parent === '.' ? '' : parent
}

export function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
