import { isRecord } from '../../ground/json.ts'
import { looksLikePath } from '../lines/path.ts'
import { readYaml, yamlLimit } from './read-yaml.ts'
import { foldersIn, key, type PathEnd, promisedIn, readPaths, wordsOf } from './said-paths.ts'
import { bullet, entryOfLine, isChange, meaningOf, type SummaryEntry, verbBehind } from './summary-entry.ts'

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

/** Reads the summary from what stands behind its key, and the lines below. */
export function readSummary(value: string, lines: readonly string[]): Summary {
  const filled = lines.filter(line => line.trim() !== '')
  const simple = value === '' ? readSimpleLines(filled) : undefined
  if (simple !== undefined) return summaryOf(simple)
  const yaml = readYaml([`changeSummary: ${value}`, ...lines].join('\n'))
  const data = yaml.kind === 'data' && isRecord(yaml.value) ? yaml.value['changeSummary'] : undefined
  if (data !== undefined) return summaryOf(data)
  const plain = value === '' ? readPlainLines(filled) : undefined
  if (plain !== undefined) return summaryOf(plain.map(dataOf))
  const why = yaml.kind === 'invalid' ? yaml.why : 'it is not a list'
  const said = ask(filled.map(entryOfLine), [], `the change summary is not valid YAML: ${why}`)
  // What is no YAML is good for recognising a path, not for missing one.
  return { ...said, promises: [] }
}

/** The summary that plain data is: what the YAML library has made of it, or what it would. */
export function summaryOf(data: unknown): Summary {
  return ask(entriesIn(data, ''), listOf(data))
}

function listOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data
  return data === null || data === undefined || data === '' ? [] : [data]
}

const simpleLine = /^( *)- +(?:([A-Za-z][\w-]{0,40}): +)?(?:([\w./][\w./@+()~,=&$[\] -]*)|"([^"\\]*)")$/

/** The instructed form, `- edit: src/a.ts`, where it is the same in every YAML reader: the usual case, and a fast one. */
function readSimpleLines(lines: readonly string[]): readonly unknown[] | undefined {
  const items: unknown[] = []
  const indent = lines[0]?.indexOf('-') ?? 0
  for (const line of lines) {
    const match = simpleLine.exec(line.trimEnd())
    const words = match?.[3] ?? match?.[4]
    if (match === null || words === undefined || match[1]?.length !== indent) return undefined
    items.push(dataOf({ verb: match[2] ?? '', words }))
  }
  return items
}

/** A path of one word, or within quotes, and behind it nothing or what is set off as a remark. */
const pathAndRemark =
  /^(?:`[^`]+`|\[[^\]]+\]\([^)\s]*\)|"[^"\\]+"|'[^']+'|[\w./@(][^\s`"'|&!%{}:,]*)(?:(?:[ \t]+(?:#|-|\u2013|\u2014|\(|\/\/)|:[ \t]).*)?$/
const proseLine = /^[\w(][^"`{}[\]|&!]*$/
const quotedText = /^(?:"[^"\\]*"|'[^']*'|`[^`]*`)$/

/**
 * The entries of a summary that is no YAML but has one reading only: a list with paths in backticks, with other bullets,
 * with remarks behind the paths.
 */
function readPlainLines(lines: readonly string[]): readonly SummaryEntry[] | undefined {
  if (lines.reduce((size, line) => size + line.length, 0) > yamlLimit) return undefined
  const entries = lines.map(entryOfLine)
  const isOne = (entry: SummaryEntry, at: number) =>
    meaningOf(entry.verb) === 'remark' || bullet.test(lines[at]?.trim() ?? '') || (at === 0 && isChange(entry.verb))
  return entries.every((entry, at) => isOne(entry, at) && hasOneReading(entry)) ? entries : undefined
}

function hasOneReading({ verb, words }: SummaryEntry): boolean {
  if (meaningOf(verb) === 'remark') return proseLine.test(words) || quotedText.test(words)
  if (pathAndRemark.test(words)) return true
  return proseLine.test(words) && (wordsOf(words).length === 0 || (looksLikePath(words) && !/[#:,]/.test(words)))
}

function dataOf({ verb, words }: SummaryEntry): unknown {
  return verb === '' ? words : { [verb]: words }
}

/** The entries that data holds, below the verb of the key that it stands under. */
function entriesIn(data: unknown, verb: string): readonly SummaryEntry[] {
  if (typeof data === 'string') {
    const lines = data.trim().split('\n')
    // `- "edit: src/a.ts"`: the quotes took the verb in.
    return verb === '' ? lines.map(entryOfLine) : lines.map(words => ({ verb, words }))
  }
  if (Array.isArray(data)) return data.flatMap(item => entriesIn(item, verb))
  if (!isRecord(data)) return []
  const done = doneBy(data)
  return Object.entries(data).flatMap(([key, value]) => {
    if (isPathKey(key)) return [{ verb: verbOf(value, key) ?? doneBy(value, key) ?? '', words: key }]
    return entriesIn(value, done !== undefined && pathKey.test(key) ? done : key)
  })
}

/** Without an ending only some names are paths: `README: say how it runs` and `Profile: src/Profile.ts` are labels. */
function isPathKey(key: string): boolean {
  return looksLikePath(key) && (/[./]/.test(key) || knownName.test(key))
}

const knownName = /^(?:Make|Docker|Jenkins|Gem|Rake|Proc|Vagrant|Brew|Pod|Pip|Caddy)file$/

const pathKey = /^(?:file_?)?(?:path|name)$|^(?:file|target)$/i
const doingKey = /^(?:action|type|op|operation|change|change_?type|kind|verb|status)$/i

/** What a mapping says is done to its path: `{path: src/a.ts, action: delete}`. */
function doneBy(data: unknown, path?: string): string | undefined {
  if (!isRecord(data)) return undefined
  const values = Object.entries(data).map(([key, value]) => (doingKey.test(key) ? verbOf(value, path) : undefined))
  const said = values.filter(value => value !== undefined)
  return said.length === 1 ? said[0] : undefined
}

/** A verb that stands alone, in the place of one. */
function verbOf(value: unknown, path?: string): string | undefined {
  return typeof value === 'string' ? verbBehind(value, path) : undefined
}

/** Makes entries ready for what is asked of a summary. */
function ask(entries: readonly SummaryEntry[], data: readonly unknown[], invalid?: string): Summary {
  const said = entries.map(readPaths)
  // `LICENSE: the text of it`: what a label may be the path of is no surprise.
  const mentioned = new Set(entries.flatMap(({ verb, words }) => wordsOf(`${verb} ${words}`)))
  const folders = new Set(said.flatMap(foldersIn))
  const ends = new Map<string, PathEnd>()
  for (const { readings, end } of said.flatMap(({ whole, files, remark }) => [...whole, ...files, ...remark])) {
    for (const path of readings) ends.set(path, (ends.get(path) ?? end) === end ? end : 'unclear')
  }
  return {
    data,
    invalid,
    promises: said.flatMap(promisedIn),
    names: path => ends.has(key(path)) && isFileName(path),
    mentions: path => {
      const at = key(path)
      return ends.has(at) || mentioned.has(at) || isBelowOneOf(folders, at)
    },
    onlyDeletes: path => ends.get(key(path)) === 'deleted',
    onlyWrites: path => ends.get(key(path)) === 'written',
  }
}

/** A path of several words has a slash or an ending; a name like `example.com` is an address. */
function isFileName(path: string): boolean {
  if (/^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co)$/i.test(path) && path.length < 100) return false
  return looksLikePath(path) || !/\s/.test(path)
}

function isBelowOneOf(folders: ReadonlySet<string>, path: string): boolean {
  for (let at = path.indexOf('/'); at >= 0 && at < 4096; at = path.indexOf('/', at + 1)) {
    if (folders.has(path.slice(0, at + 1))) return true
  }
  return false
}
