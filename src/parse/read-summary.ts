import { isRecord } from '../ground/is-record.ts'
import { cleanBlanks } from './clean.ts'
import { cleanPath, firstWord, looksLikePath, pathsAmong, withoutRemark } from './path.ts'
import { readYaml, yamlLimit } from './read-yaml.ts'

/** What the change summary says, and which paths it names. */
export interface Summary {
  /** As the model gave it; empty when it could not be read. */
  readonly data: readonly unknown[]
  readonly invalid: string | undefined
  /** Tells whether the summary names this path as a file of the patch. A domain or a command line is none. */
  names(path: string): boolean
  /** Tells whether the path turns up anywhere in it, if only within a sentence or by its folder. */
  mentions(path: string): boolean
  /** Tells whether the summary names this path only as one to delete. */
  onlyDeletes(path: string): boolean
  /** Tells whether the summary names this path only as one whose content is written: a delete of it is a contradiction. */
  onlyWrites(path: string): boolean
  /** The paths of which it surely says that they change: the ways to read each, of which one has to be a block's path. */
  readonly promises: readonly (readonly string[])[]
}

interface Entry {
  readonly verb: string
  readonly words: string
  /** The whole entry, where it is no key with a value. */
  readonly said?: string
}

const deleting = /^(?:deleted?|deletes|remove|removed|removes|rm)$/i
const verbs =
  /^(?:edit(?:ed)?|new|add(?:ed)?|creat(?:ed?)|updated?|modif(?:y|ied)|changed?|fix(?:ed)?|deleted?|removed?|rm|renamed?|moved?|refactor(?:ed)?|replaced?|rewritten|rewrite|file|path|from|to|src|target)$/i
/** Verbs behind which a path surely has a content afterwards. */
const writing =
  /^(?:edit(?:ed)?|new|add(?:ed)?|creat(?:ed?)|updated?|modif(?:y|ied)|changed?|fix(?:ed)?|rewritten|rewrite)$/i
/** Words which say that a path goes, whatever the verb in front of it. */
const going = /delet|remov|renam|mov(?:ed|ing)|drop|obsolete|replaced|merged/i
/** What is run, read, looked up or left alone is no file of the patch. */
const elsewhere =
  /^(?:run|runs|exec|execute|install|command|cmd|see|visit|check|open|url|link|docs?|test|tests|verify|requires?|depends?|unchanged|untouched|unaffected|unmodified|no-?changes?|kept|keeps?|skip(?:ped|s)?|affect(?:s|ed)?|impact(?:s|ed)?|verified|reviewed|uses?|next)$/i
const remarks =
  /^(?:reason|description|desc|why|notes?|summary|details?|message|what|comment|purpose|action|type|op|kind)$/i

/** Reads the summary from what stands behind its key, and the lines below. */
export function readSummary(value: string, lines: readonly string[]): Summary {
  const filled = lines.filter(line => line.trim() !== '')
  if (filled.length === 0 && (value === '' || value === '[]')) return summaryOf([])
  const simple = value === '' ? readSimpleLines(filled) : undefined
  if (simple !== undefined) return namesOf(simple, simple.map(dataOf))
  const yaml = readYaml([`changeSummary: ${value}`, ...lines].join('\n'))
  const data = yaml.kind === 'data' ? topValue(yaml.value) : undefined
  if (yaml.kind === 'data' && data !== undefined) return summaryOf(data)
  const said = value === '' ? readPlainLines(filled) : undefined
  if (said !== undefined) return namesOf(said, said.map(dataOf))
  const why = yaml.kind === 'invalid' ? yaml.why : 'it is no list'
  const read = namesOf(filled.map(entryOfLine), [], `the change summary is no valid YAML: ${why}`)
  // What is no YAML is good for recognising a path, not for missing one.
  return { ...read, promises: [] }
}

function topValue(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? Object.values(value)[0] : undefined
}

function listOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data
  if (data === null || data === undefined || data === '') return []
  return [data]
}

const simpleLine = /^( *)- +(?:([A-Za-z][\w-]{0,40}): +)?(?:([\w./][\w./@+()~,=&$[\] -]*)|"([^"\\]*)")$/

/** The instructed form, `- edit: src/a.ts`, where it is the same in every YAML reader: the usual case, and a fast one. */
function readSimpleLines(lines: readonly string[]): readonly Entry[] | undefined {
  const entries: Entry[] = []
  const indent = lines[0]?.indexOf('-') ?? 0
  for (const line of lines) {
    const match = simpleLine.exec(line.trimEnd())
    const words = match?.[3] ?? match?.[4]
    if (match === null || words === undefined || match[1]?.length !== indent) return undefined
    // Without a verb the words may hold one, `edit src/a.ts`, or be a path.
    entries.push(match[2] === undefined ? { ...entryOfLine(words), said: words } : { verb: match[2], words })
  }
  return entries
}

/** What a line of a list begins with: YAML knows the dash alone, models write the others too. */
export const bullet = /^(?:[-*+\u2022]|\d{1,3}[.)])(?:\s+|$)/
/** `- [x] edit: src/a.ts`, as in a list of things to do. */
const checkbox = /^\[[ xX]?\][ \t]+/
/** A path of one word, or within quotes, and behind it nothing or what is set off as a remark. */
const pathAndRemark =
  /^(?:`[^`]+`|\[[^\]]+\]\([^)\s]*\)|"[^"\\]+"|'[^']+'|[\w./@(][^\s`"'|&!%{}:,]*)(?:(?:[ \t]+(?:#|-|\u2013|\u2014|\(|\/\/)|:[ \t]).*)?$/
const proseLine = /^[\w(][^"`{}[\]|&!]*$/

/**
 * The entries of a summary that is no YAML but has one reading only: a list with paths in backticks, with other bullets,
 * with remarks behind the paths.
 */
function readPlainLines(lines: readonly string[]): readonly Entry[] | undefined {
  const entries: Entry[] = []
  let size = 0
  for (const line of lines) {
    size += line.length
    const entry = entryOfLine(line)
    const { verb, words } = entry
    const isEntry = bullet.test(line.trim()) || (verbs.test(verb) && entries.length === 0)
    if (size > yamlLimit || !(isEntry || remarks.test(verb))) return undefined
    const isPlain = remarks.test(verb)
      ? proseLine.test(words) || isQuotedText(words)
      : pathAndRemark.test(words) || (proseLine.test(words) && (wordsOf(words).length === 0 || isPathOfWords(words)))
    if (!isPlain) return undefined
    entries.push(entry)
  }
  return entries
}

function isPathOfWords(words: string): boolean {
  return looksLikePath(words) && !/[#:,]/.test(words)
}

function isQuotedText(words: string): boolean {
  return /^(?:"[^"\\]*"|'[^']*'|`[^`]*`)$/.test(words)
}

function dataOf({ verb, words, said }: Entry): unknown {
  return said ?? (verb === '' ? words : { [verb]: words })
}

/** A line of a summary, read for its verb and its words alone. */
function entryOfLine(line: string): Entry {
  const words = cleanBlanks(line).trim().replace(bullet, '').replace(checkbox, '')
  const match =
    /^["'\u201c\u2018]?(?:\*\*|__)?([A-Za-z][\w-]{0,40})["'\u201d\u2019]? ?(?:[:\uff1a](?:\*\*|__)?|(?:\*\*|__)[:\uff1a]) ?/.exec(
      words,
    )
  if (match?.[1] !== undefined) return { verb: match[1], words: words.slice(match[0].length).trim() }
  // `edit src/a.ts`, without the colon.
  const [verb = '', path = ''] = words.split(/[ \t]+/, 2)
  const isSaid = verbs.test(verb) && looksLikePath(cleanPath(path))
  return isSaid ? { verb, words: words.slice(verb.length).trim() } : { verb: '', words }
}

/** The summary that plain data is, as the YAML library reads it. */
export function summaryOf(data: unknown): Summary {
  const entries: Entry[] = []
  collect(data, '', entries, 0)
  return namesOf(entries, listOf(data))
}

function collect(data: unknown, verb: string, entries: Entry[], depth: number): void {
  if (typeof data === 'string') {
    // `- "edit: src/a.ts"`: the quotes took the verb in.
    if (verb !== '') entries.push({ verb, words: data })
    else for (const line of data.trim().split('\n')) entries.push(entryOfLine(line))
  } else if (Array.isArray(data)) {
    for (const item of data) collect(item, verb, entries, depth + 1)
  } else if (data !== null && typeof data === 'object' && depth < 16) {
    const done = doneBy(data)
    for (const [key, value] of Object.entries(data)) {
      if (looksLikePath(key)) entries.push({ verb: verbOf(value) ?? doneBy(value) ?? '', words: key })
      else collect(value, done !== undefined && pathKey.test(key) ? done : key, entries, depth + 1)
    }
  }
}

const pathKey = /^(?:file_?)?(?:path|name)$|^(?:file|target)$/i
const doingKey = /^(?:action|type|op|operation|change|change_?type|kind|verb|status)$/i

/** What a mapping says is done to its path: `{path: src/a.ts, action: delete}`. */
function doneBy(data: unknown): string | undefined {
  if (!isRecord(data)) return undefined
  const values = Object.entries(data).map(([key, value]) => (doingKey.test(key) ? verbOf(value) : undefined))
  const said = values.filter(value => value !== undefined)
  return said.length === 1 ? said[0] : undefined
}

/** A verb that stands alone, in the place of one. */
function verbOf(value: unknown): string | undefined {
  const word = typeof value === 'string' ? value.trim() : ''
  return deleting.test(word) || verbs.test(word) ? word : undefined
}

/** What becomes of a path, as far as the summary is clear about it. */
type PathEnd = 'deleted' | 'written' | 'unclear'

/** What a verb makes of the words behind it. */
interface Saying {
  /** They are no file of the patch: a remark, or what is run or looked up. */
  readonly isAside: boolean
  readonly end: PathEnd
  /** A path behind it surely changes. */
  readonly isChange: boolean
}

function sayingOf(verb: string): Saying {
  const isAside = remarks.test(verb) || elsewhere.test(verb)
  const end = deleting.test(verb) ? 'deleted' : writing.test(verb) ? 'written' : 'unclear'
  return { isAside, end, isChange: verb === '' || verbs.test(verb) }
}

function namesOf(entries: readonly Entry[], data: readonly unknown[], invalid?: string): Summary {
  const named = new Map<string, PathEnd>()
  const mentioned = new Set<string>()
  const folders = new Set<string>()
  const promises: (readonly string[])[] = []

  for (const { verb, words } of entries) {
    const { isAside, end, isChange } = sayingOf(verb)
    if (isAside) {
      for (const word of wordsOf(words)) mentioned.add(word)
      continue
    }
    const items = itemsOf(words)
    const listed = listedIn(items)
    const isMove = items.length > 1 && /->|→|=>| to /.test(words)
    const mayGo = end === 'written' && (isMove || going.test(words))
    const whole = items[0] === words ? [] : name(words, end)
    if (words.includes(' ')) for (const word of wordsOf(words)) mentioned.add(word)
    for (const [at, item] of items.entries()) {
      // `delete: a.ts -> b.ts` deletes the first one at most.
      const isUnclear = at >= listed || (end === 'deleted' && isMove && at > 0) || mayGo
      const readings = name(item, isUnclear ? 'unclear' : end)
      const [path] = readings
      if (path === undefined || at >= listed) continue
      if (path.endsWith('/') || pattern.test(path)) folders.add(folderOf(path))
      else if (promisesFile(readings, verb, isChange))
        promises.push([...whole.slice(0, 1), ...readings, ...pathsIn(item)])
    }
  }

  return {
    data,
    invalid,
    promises,
    names: path => named.has(key(path)) && isFileName(path),
    mentions: path => {
      const at = key(path)
      return named.has(at) || mentioned.has(at) || isBelowOneOf(folders, at)
    },
    onlyDeletes: path => named.get(key(path)) === 'deleted',
    onlyWrites: path => named.get(key(path)) === 'written',
  }

  function name(words: string, end: PathEnd): readonly string[] {
    const readings = readingsOf(words)
    for (const reading of readings) named.set(reading, (named.get(reading) ?? end) === end ? end : 'unclear')
    return readings
  }
}

/** `src/*.ts`, `src/{a,b}.ts`: files of one folder. */
const pattern = /\*|\{[^{},]*,[^{}]*\}/

function folderOf(path: string): string {
  const sign = path.search(/[*{]/)
  return sign < 0 ? path : path.slice(0, path.lastIndexOf('/', sign) + 1)
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

/** The path that an item begins with, or else all that it holds: `✅ src/a.ts`, `extract it from src/a.ts`. */
function pathsIn(item: string): readonly string[] {
  const words = wordsOf(item)
  const [first = ''] = words
  return item.startsWith(first) ? words.slice(0, 1) : words
}

/** A path of one word, or within quotes. */
function isOnlyPath(item: string): boolean {
  const path = cleanPath(item)
  return looksLikePath(path) && (!/\s/.test(path) || /^[`"']/.test(item))
}

function isBelowOneOf(folders: ReadonlySet<string>, path: string): boolean {
  if (folders.size === 0) return false
  for (let at = path.indexOf('/'); at >= 0 && at < 4096; at = path.indexOf('/', at + 1)) {
    if (folders.has(path.slice(0, at + 1))) return true
  }
  return false
}

/** An entry's path as it stands, and without what may be a remark behind it; never with the place within the file. */
function readingsOf(words: string): readonly string[] {
  const path = key(cleanPath(cleanBlanks(words))).replace(/(?:#L|:)\d+(?:[-:]L?\d+)?$|#(?<=\.\w+#)\w+$/, '')
  if (!path.includes(' ')) return path === '' ? [] : [path]
  const shorter = withoutRemark(path).map(key)
  return [path, ...shorter.filter(each => each !== '')]
}

/** A path of several words has a slash or an ending; a name like `example.com` is an address. */
function isFileName(path: string): boolean {
  if (/^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co)$/i.test(path) && path.length < 100) return false
  return looksLikePath(path) || !/\s/.test(path)
}

/** Conservative: words that are no path must not be missed as a file. */
function promisesFile([path = '', ...shorter]: readonly string[], verb: string, isChange: boolean): boolean {
  if (/^(?:[.\s]*|n\/a)$/i.test(path) || path.includes('://') || path.startsWith('..')) return false
  if (looksLikePath(path)) {
    if (!/\s/.test(path)) return path.includes('/') || isChange
    if (path.includes('/') && verb !== '' && isChange) return true
  }
  return shorter.some(each => !/\s/.test(each) && each.includes('/') && looksLikePath(each))
}

function wordsOf(words: string): readonly string[] {
  return pathsAmong(words).map(key).filter(looksLikePath)
}

/** Two spellings of one path for comparing: a leading slash in the summary means the project's root. */
function key(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path
}
