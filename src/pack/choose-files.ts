import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { insideOf } from '../ground/paths.ts'
import { protectedPlace } from '../ground/protected-place.ts'
import type { Files, Stat } from '../ports.ts'
import { whyMade } from './made-files.ts'
import { type FoundFile, walkFiles } from './walk-files.ts'

/** Paths are relative to the project's root. */
export interface Selection {
  /** Files, folders and globs; none means everything. A word that begins with `!` excludes. */
  readonly words: readonly string[]
  /** Only these files, if git or the linter has named them. */
  readonly only?: ReadonlySet<string> | undefined
  /** By the project's policy. */
  isDenied(path: string): boolean
  glob(text: string): (path: string) => boolean
}

/** A file that the user asked for but does not get. */
export interface LeftOut {
  readonly path: string
  readonly why: string
}

export interface Chosen {
  readonly files: readonly FoundFile[]
  /** Whether a file was asked for by its own path. */
  isNamed(path: string): boolean
  readonly leftOut: readonly LeftOut[]
}

type Word =
  | { readonly kind: 'file' | 'folder'; readonly text: string; readonly path: string }
  | { readonly kind: 'glob'; readonly text: string; matches(path: string): boolean }

/**
 * The files that the user wants to give to a model, by path.
 *
 * A folder, a glob and "everything" stand for files that people wrote: without ignored files, folders that tools fill,
 * links, and what programs make. A file that is named by its own path counts even if git ignores it. Files that the policy denies are never
 * given.
 */
export async function chooseFiles(root: string, selection: Selection, files: Files): Promise<Chosen> {
  const { only, isDenied } = selection
  const wanted = await wantedBy(selection, root, files)
  const found = await lookAt([...(only ?? wanted.named)].filter(wanted.has), root, files)
  if (only === undefined) {
    found.push(...(await walkWanted(wanted, root, files)))
    const unmet = wanted.unmet()
    if (unmet !== undefined) throw nothingAt(unmet)
  }
  const isNamed = (path: string) => wanted.named.has(path) || only !== undefined
  const judged = found.map(each => {
    if (isDenied(each.path)) return { path: each.path, why: 'policy.deny' }
    const made = isNamed(each.path) ? undefined : whyMade(each.path)
    return made === undefined ? each : { path: each.path, why: made }
  })
  return {
    isNamed,
    files: judged.flatMap(each => ('why' in each ? [] : each)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: judged.flatMap(each => ('why' in each ? each : [])),
  }
}

/** Files that are not named by their own paths. */
async function walkWanted(wanted: Wanted, root: string, files: Files): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  if (!wanted.isWide) return found
  for await (const file of walkFiles(root, files, wanted.mayLieIn)) {
    if (wanted.has(file.path) && !wanted.named.has(file.path)) found.push(file)
  }
  return found
}

interface Wanted {
  /** Files that are named by their own paths. */
  readonly named: ReadonlySet<string>
  /** The words ask for other files as well. */
  readonly isWide: boolean
  has(path: string): boolean
  /** One of these other files can be in this folder. Its path ends with a slash. */
  mayLieIn(folder: string): boolean
  /** A word that matched no file. */
  unmet(): string | undefined
}

async function wantedBy({ words: all, glob }: Selection, root: string, files: Files): Promise<Wanted> {
  const taken = all.filter(word => word.startsWith('!')).map(word => glob(word.slice(1)))
  const words: Word[] = []
  for (const word of all) if (!word.startsWith('!')) words.push(await understand(word, root, glob, files))
  // A shell makes thousands of words out of one glob.
  const named = new Map(words.flatMap(word => (word.kind === 'file' ? [[word.path, word] as const] : [])))
  const wide = words.filter(word => word.kind !== 'file')
  const met = new Set<Word>()
  return {
    named: new Set(named.keys()),
    isWide: words.length === 0 || wide.length > 0,
    has(path) {
      const fitting = [named.get(path) ?? [], wide.filter(word => covers(word, path))].flat()
      for (const word of fitting) met.add(word)
      return (words.length === 0 || fitting.length > 0) && !taken.some(matches => matches(path))
    },
    mayLieIn(folder) {
      if (words.length === 0) return true
      return wide.some(word => word.kind === 'glob' || word.path.startsWith(folder) || folder.startsWith(word.path))
    },
    unmet: () => words.find(word => !met.has(word))?.text,
  }
}

async function understand(word: string, root: string, glob: Selection['glob'], files: Files): Promise<Word> {
  const path = word.replace(/^\.\/|\/+$/g, '')
  if (path === '' || path === '.') return { kind: 'folder', text: word, path: '' }
  const kind = path.includes('\0') ? undefined : (await files.stat(join(root, path)))?.kind
  if (kind === 'folder') return { kind, text: word, path: `${path}/` }
  if (kind !== undefined) return { kind: 'file', text: word, path }
  if (!/[*?[{(]/.test(path))
    throw new RelayError('usage', `No such file: ${word}`, {
      hint: `Name a file, a folder or a glob below ${root}.`,
    })
  return { kind: 'glob', text: word, matches: glob(word) }
}

function nothingAt(word: string): RelayError {
  return new RelayError('usage', `Nothing to pack at ${word}`, {
    hint: 'A folder or a glob leaves out what .gitignore names; name such a file by its own path.',
  })
}

function covers(word: Word, path: string): boolean {
  return word.kind === 'glob' ? word.matches(path) : path.startsWith(word.path)
}

/** Files that are named by their paths, or why one is not given; folders and missing files are left out. */
async function lookAt(paths: readonly string[], root: string, files: Files): Promise<(FoundFile | LeftOut)[]> {
  const found: (FoundFile | LeftOut)[] = []
  for (const path of paths) {
    const stat = await files.stat(join(root, path))
    if (stat === null || stat.kind === 'folder') continue
    const why = await whyNot(path, stat, root, files)
    found.push(why === undefined ? { path, bytes: stat.size } : { path, why })
  }
  return found
}

async function whyNot(path: string, { kind }: Stat, root: string, files: Files): Promise<string | undefined> {
  const place = protectedPlace(path)
  if (place !== undefined) return `in ${place}`
  if (kind !== 'file') return kind === 'link' ? 'a link' : 'not a file'
  const real = await files.realPath(join(root, path))
  return real === null || insideOf(root, real) === undefined ? 'outside of the project' : undefined
}
