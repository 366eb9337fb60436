import { cleanBlanks } from '../lines/clean.ts'
import { cleanPath, firstWord, looksLikePath, pathsAmong, withoutRemark } from '../lines/path.ts'
import { isChange, meaningOf, type SummaryEntry } from './summary-entry.ts'

/** What becomes of a path, as far as the summary is clear about it. */
export type PathEnd = 'deleted' | 'written' | 'unclear'

/** A path as an entry gives it. */
interface SaidPath {
  readonly words: string
  /** The ways to read it: as it stands, then without what may be a remark behind it. */
  readonly readings: readonly string[]
  readonly end: PathEnd
}

/** An entry, read for its paths: `edit: src/a.ts and src/b.ts, used by src/c.ts` has two files, and a third path in its remark. */
export interface SaidPaths {
  readonly verb: string
  /** All of its words as one path, where they may as well be several: `docs/salt and pepper.md`. */
  readonly whole: readonly SaidPath[]
  readonly files: readonly SaidPath[]
  readonly remark: readonly SaidPath[]
}

/** Words which say that a path goes, whatever the verb in front of it. */
const going = /delet|remov|renam|mov(?:ed|ing)|drop|obsolete|replaced|merged/i

export function readPaths({ verb, words }: SummaryEntry): SaidPaths {
  const meaning = meaningOf(verb)
  if (meaning === 'remark' || meaning === 'elsewhere') return { verb, whole: [], files: [], remark: [] }
  const end = meaning === 'deletes' ? 'deleted' : meaning === 'writes' ? 'written' : 'unclear'
  const items = itemsOf(words)
  const listed = listedIn(items)
  const isMove = items.length > 1 && /->|→|=>| to /.test(words)
  const first = end === 'written' && (isMove || going.test(words)) ? 'unclear' : end
  // `delete: a.ts -> b.ts` deletes the first one at most.
  const next = isMove ? 'unclear' : first
  return {
    verb,
    whole: items[0] === words ? [] : [saidPath(words, end)],
    files: items.slice(0, listed).map((item, at) => saidPath(item, at === 0 ? first : next)),
    remark: items.slice(listed).map(item => saidPath(item, 'unclear')),
  }
}

function saidPath(words: string, end: PathEnd): SaidPath {
  return { words, readings: readingsOf(words), end }
}

/** The folders of which it says that files in them change, and those of its patterns. */
export function foldersIn({ files }: SaidPaths): readonly string[] {
  return files.flatMap(({ readings: [path] }) => (path !== undefined && isFolder(path) ? [folderOf(path)] : []))
}

/** The files of which it surely says that they change: the ways to read each, of which one has to be a block's path. */
export function promisedIn({ verb, whole, files }: SaidPaths): readonly (readonly string[])[] {
  const asOne = whole.flatMap(({ readings }) => readings.slice(0, 1))
  return files
    .filter(({ readings }) => isPromise(readings, verb))
    .map(({ words, readings }) => [...asOne, ...readings, ...pathsIn(words)])
}

/** What an entry holds, as a list would: cut at what joins paths, without remarks in brackets. */
function itemsOf(words: string): readonly string[] {
  if (!words.includes(' ')) return [words]
  return words.replace(/ \((?:[^()]*\)(?=$|[ ,;:])|[^()]*$)/g, '').split(/,? (?:->|→|=>|and|to|[+&]) |, /)
}

/**
 * How many of an entry's items are its files. Behind a path the rest is a remark, which may name other files, `src/a.ts, used
 * by src/b.ts`: only what is a path and nothing else goes on with the list.
 */
function listedIn(items: readonly string[]): number {
  const [first = ''] = items
  const word = firstWord(cleanPath(first))
  // A word with an ending is a path with a remark behind it; without one it begins a path with blanks, or a sentence.
  if (!isOnlyPath(first) && !(looksLikePath(word) && word.includes('.'))) return items.length
  const other = items.findIndex(item => !isOnlyPath(item))
  if (other < 0) return items.length
  // A remark that is set off belongs to the path in front of it, and ends the list.
  const hasPath = other === 0 || withoutRemark(cleanPath(items[other] ?? '')).some(isOnlyPath)
  return hasPath ? other + 1 : other
}

/** A path of one word, or within quotes. */
function isOnlyPath(item: string): boolean {
  const path = cleanPath(item)
  return looksLikePath(path) && (!/\s/.test(path) || /^[`"']/.test(item))
}

/** The path that an item begins with, or else all that it holds: `✅ src/a.ts`, `extract it from src/a.ts`. */
function pathsIn(item: string): readonly string[] {
  const words = wordsOf(item)
  const [first = ''] = words
  return item.startsWith(first) ? words.slice(0, 1) : words
}

/** `src/*.ts`, `src/{a,b}.ts`: files of one folder. */
const pattern = /\*|\{[^{},]*,[^{}]*\}/

function isFolder(path: string): boolean {
  return path.endsWith('/') || pattern.test(path)
}

function folderOf(path: string): string {
  const sign = path.search(/[*{]/)
  return sign < 0 ? path : path.slice(0, path.lastIndexOf('/', sign) + 1)
}

/** An entry's path as it stands, and without what may be a remark behind it; never with the place within the file. */
function readingsOf(words: string): readonly string[] {
  const path = key(cleanPath(cleanBlanks(words))).replace(/(?:#L|:)\d+(?:[-:]L?\d+)?$|#(?<=\.\w+#)\w+$/, '')
  if (!path.includes(' ')) return path === '' ? [] : [path]
  const shorter = withoutRemark(path).map(key)
  return [path, ...shorter.filter(each => each !== '')]
}

/** Conservative: words that are no path must not be missed as a file. */
function isPromise([path = '', ...shorter]: readonly string[], verb: string): boolean {
  if (/^n\/a$/i.test(path) || path.includes('://') || path.startsWith('..') || isFolder(path)) return false
  if (looksLikePath(path)) {
    if (!/\s/.test(path)) return path.includes('/') || verb === '' || isChange(verb)
    if (path.includes('/') && isChange(verb)) return true
  }
  return shorter.some(each => !/\s/.test(each) && each.includes('/') && looksLikePath(each))
}

/** The paths that turn up in words, as they are in a remark or a sentence. */
export function wordsOf(words: string): readonly string[] {
  return pathsAmong(words).map(key).filter(looksLikePath)
}

/** Two spellings of one path for comparing: a leading slash in the summary means the project's root. */
export function key(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path
}
