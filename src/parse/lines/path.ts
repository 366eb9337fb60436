import { cleanBlanks } from './clean.ts'
import { commentAt, uncomment } from './comment.ts'
import { trimmed } from './lines.ts'

/** What stands in for the path in the instructions for the model. */
export const templatePath = '{filePath}'

const wrappers: readonly (readonly [string, string])[] = [
  ['`', '`'],
  ['**', '**'],
  ['__', '__'],
  ['*', '*'],
  ['_', '_'],
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201d'],
  ['\u2018', '\u2019'],
  ['\u201e', '\u201c'],
  ['\u00ab', '\u00bb'],
  ['\u300c', '\u300d'],
  ['\u300e', '\u300f'],
  ['\u300a', '\u300b'],
  ['{', '}'],
  ['<', '>'],
]

/** `File: src/a.ts`, `Plik: src/a.ts`, `文件：src/a.ts`, `[NEW] src/a.ts`. */
const label =
  /^(?:([\p{L}\p{M}\p{N}]+(?:[ _-][\p{L}\p{M}\p{N}]+)*)[ \t]*(?::[ \t]+|：[ \t]*)|\[(?:new|edit(?:ed)?|updated?|modified|created?|deleted?|file)\]:?[ \t]+)(?=\S)/iu
/** What a label is called that says nothing but that a path follows. */
const fileWord =
  /^(?:(?:new|updated?|modified|edit(?:ed)?|created?|deleted?)$|(?:.*[ _-])?(?:file|path|datei|pfad|fichier|chemin|archivo|fichero|ruta|arquivo|ficheiro|caminho|percorso|файл|путь)|.*(?:文件|路径|檔案|路徑|ファイル|パス|파일|경로))/iu

/** A remark in the brackets of Chinese and Japanese, `src/a.ts（新文件）`: no blank stands in front of them. */
const wideRemark = /(\.\w+)[ \t]*（[^（）]*）$/
/** `[src/a.ts](http://src/a.ts)`, as chats and programs for mail make of a path. */
const link = /^\[([^\]]+)\]\([^)\s]*\)$/
const attribute =
  /(?:^|[\s{,])(?:title|path|filepath|filename|file|name)[ ]?[=:][ ]?(?:["\u201c]([^"\u201d]*)["\u201d]|'([^']*)'|([^\s}"']+))/i

/**
 * The path that a fence's info announces, as the model wrote it: behind a comment sign, as `lang:path`, or as an
 * attribute. It is cleaned, never judged: whether it may be touched is the path policy's question.
 */
export function pathFromInfo(info: string): string | undefined {
  const words = cleanBlanks(info)
  const comment = commentAt(words)
  if (comment >= 0) return orNothing(cleanPath(uncomment(words.slice(comment)) ?? ''))
  const named = attribute.exec(words.slice(0, 4096))
  if (named !== null) return orNothing(cleanPath(named[1] ?? named[2] ?? named[3] ?? ''))
  const colon = words.indexOf(':')
  if (colon < 0 || /[\s/\\]/.test(words.slice(0, colon)) || words.startsWith('//', colon + 1)) return undefined
  return orNothing(cleanPath(words.slice(colon + 1)))
}

/** A path bare behind the language, or in brackets, `python [src/app.py]`: only good where the change summary names it. */
export function pathGuessFromInfo(info: string): string | undefined {
  const words = cleanBlanks(info)
  const blank = words.search(/\s/)
  const path = cleanPath(blank < 0 ? words : words.slice(blank).replace(/^\s*\[(.+)\]\s*$/, '$1'))
  // A word alone is a language, `Makefile` too.
  return blank < 0 && !/[./]/.test(path) ? undefined : orNothing(path)
}

/** How deep a heading of Markdown is, which is above all that stands below it; 0: the line is none. */
export function headingLevel(line: string): number {
  return /^(#{1,6})[ \t]/.exec(line)?.[1]?.length ?? 0
}

/** The path in a line that is only a comment, as the first line of a block: only good where the summary names it. */
export function pathFromComment(line: string): string | undefined {
  const comment = uncomment(cleanBlanks(line))
  return comment === undefined ? undefined : orNothing(cleanPath(comment))
}

/**
 * The path in a heading, bold or backticked line right above a fence: only good where the change summary names it.
 *
 * The line must hold nothing else, so that "in `src/a.ts` change this:" announces no file.
 */
export function pathFromHeading(line: string): string | undefined {
  const words = cleanBlanks(line)
    .replace(/<\/?[a-z]{1,10}\d?>/g, '')
    .replace(/^#{1,6}[ \t]+/, '')
    .replace(/^(?:[-*+]|\d{1,4}[.)])[ \t]+/, '')
    .replace(/^\d{1,4}[.)][ \t]+/, '')
    .replace(/^(?:\p{Extended_Pictographic}|\ufe0f|\u200d|[ \t])+/u, '')
  const comment = line.startsWith('#') ? undefined : uncomment(words)
  return orNothing(cleanPath(comment ?? words))
}

/** So many words may stand around a path that a line announces; with more of them it is a sentence. */
const mostWords = 2

/**
 * The only path of a line that holds no more than it, punctuation and two other words, in any language: good for a block
 * that surely is a file, and waits for its name. What stands below a sentence with a path in it is nearly always a part.
 */
export function pathAmongWords(line: string): string | undefined {
  const paths = new Set<string>()
  const others: string[] = []
  for (const piece of cleanBlanks(line).match(/`[^`]+`|[^\s,;`]+/g) ?? []) {
    const path = cleanPath(withoutBrackets(piece))
    if (looksLikePath(path)) paths.add(path)
    else others.push(piece)
  }
  const [path, ...more] = paths
  return more.length === 0 && isShort(others.join(' ')) ? path : undefined
}

let segmenter: Intl.Segmenter | undefined

/** Not every script has blanks between its words. A number is none. */
function isShort(words: string): boolean {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  let count = 0
  for (const { segment, isWordLike } of segmenter.segment(words.slice(0, 400))) {
    if (isWordLike === true && /\p{L}/u.test(segment)) count++
  }
  return count <= mostWords
}

/** `Makefile: build` is a path with a remark. */
function withoutLabel(label: string, words: string | undefined, _: number, line: string): string {
  if (words === undefined) return ''
  const isLabel = fileWord.test(words) || /^(?:\S*[./\\]|[^\p{L}\p{N}])/u.test(line.slice(label.length))
  return isLabel && isShort(words) ? '' : label
}

/** Tells whether a label in front of the path in a comment may be a word of the file's own: `# Usage: app.py`. */
export function hasOwnLabel(comment: string): boolean {
  const words = label.exec(uncomment(comment) ?? comment)?.[1]
  return words !== undefined && !fileWord.test(words)
}

/** So many labels, quotes and remarks may lie around a path, one in the other; a hostile one has them by the thousand. */
const mostLayers = 16

/** Nothing to clean. */
const plain = /^(?!_.*\.\w+_$)[\w@-][\w./@-]*$/

/** Takes a label, quotes, braces and emphasis off a path, and writes it with `/`. */
export function cleanPath(words: string): string {
  if (plain.test(words)) return withoutEmptyParts(words)
  let path = trimmed(words, 0, words.length)
  for (let before = '', layers = 0; before !== path && layers < mostLayers; layers++) {
    before = path
    path = withoutLayer(path)
  }
  path = isEscaped(path) ? path.replaceAll('\\', '') : path.replaceAll('\\', '/')
  while (path.startsWith('./')) path = path.slice(2)
  return withoutEmptyParts(path)
}

function withoutLayer(words: string): string {
  let path = /[:：]$/.test(words) ? words.slice(0, -1) : words
  path = path.replace(label, withoutLabel).replace(wideRemark, '$1').replace(link, '$1')
  for (const [open, close] of wrappers) {
    if (isWrapped(path, open, close)) path = path.slice(open.length, -close.length)
  }
  // `"src/my file.ts" replace`: the quotes say where the path ends.
  path = path.replace(/^(?:"([^"]+)"|`([^`]+)`)[ \t].*$/, '$1$2')
  // `**File:** path`: the label's emphasis ends before the path does.
  path = path.replace(/^(?:\*\*|__)([\p{L}\p{M} ]{1,20}[:：])(?:\*\*|__)[ \t]*/u, '$1 ')
  return trimmed(path, 0, path.length)
}

function isWrapped(path: string, open: string, close: string): boolean {
  // `*.test.*`
  if (open === '*' && path.endsWith('.*')) return false
  return path.length > open.length + close.length && path.startsWith(open) && path.endsWith(close)
}

/** `src//a.ts` and `src/./a.ts` are one path with `src/a.ts`; two slashes in front, or behind a colon, are another thing. */
function withoutEmptyParts(path: string): string {
  return path.includes('//') || path.includes('/./') ? path.replace(/(?<=[^/:])\/(?:\.?\/)+/g, '/') : path
}

/**
 * `app/\_\_init\_\_.py`, `app\/a.py`: backslashes of Markdown or JSON. Where `/` sets the parts apart they do not; nor
 * in front of an ending alone.
 */
function isEscaped(path: string): boolean {
  if (!path.includes('\\') || /\\(?![_*[\]()#~/.{}+!-])/.test(path)) return false
  return (
    /^\\|\//.test(path) || /^[^\\]+\\\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|vue|css|html|md|json|ya?ml)$/.test(path)
  )
}

/** Tells a path from a remark, a command or a sentence: one word with a slash or an ending, or words that end in one. */
export function looksLikePath(path: string): boolean {
  if (path.length > 1024) return false
  if (/[^\s.][.][A-Za-z0-9_+-]*[A-Za-z][A-Za-z0-9_+-]{0,15}$/.test(path.slice(-40))) return true
  return (
    !/\s/.test(path) &&
    (/[^/]\/|^\/|^\.[A-Za-z]/.test(path) || /^(?:[A-Z][a-z]+file|LICENSE|README|CHANGELOG)$/.test(path))
  )
}

/** The same path without what models add behind it: `src/a.ts (new file)`, `src/a.ts - the loader`. */
export function withoutRemark(path: string): readonly string[] {
  const shorter: string[] = []
  for (const sign of [...remarkSigns, ': ']) {
    const at = path.indexOf(sign)
    if (at > 0) shorter.push(cleanPath(path.slice(0, at)))
  }
  return shorter
}

/** `src/a.ts` of `src/a.ts replace` and of `src/a.ts, the loader`. */
export function firstWord(path: string): string {
  const blank = path.indexOf(' ')
  return blank < 0 ? path : cleanPath(path.slice(0, blank).replace(/,$/, ''))
}

/** The words of a sentence that look like paths. */
export function pathsAmong(words: string): readonly string[] {
  return words
    .split(/[\s,;]+/)
    .map(word => cleanPath(withoutBrackets(word)))
    .filter(looksLikePath)
}

/** Without what a sentence puts around a path. A regular expression would look at each of many periods again and again. */
function withoutBrackets(word: string): string {
  let end = word.length
  while (end > 0 && /[)\].]/.test(word.charAt(end - 1))) end--
  return word.slice(/^[([]/.test(word) ? 1 : 0, end)
}

const remarkSigns = [' (', ' - ', ' – ', ' — ', ' // ', ' # ']

/** Of what looks like no path: the part in front of a sign that sets a remark off, or a first word with an ending, where that does. */
export function beforeRemark(path: string): string | undefined {
  const at = Math.min(...remarkSigns.map(sign => path.indexOf(sign)).filter(each => each > 0))
  const word = firstWord(path)
  const shorter = Number.isFinite(at) ? cleanPath(path.slice(0, at)) : /\.[A-Za-z]\w*$/.test(word) ? word : ''
  return looksLikePath(shorter) ? shorter : undefined
}

const remark =
  / \((?:new|updated?|modified|edit(?:ed)?|changed?|created?|deleted?|full|complete)(?: file| version)?\)$/i

/** Takes off a closing remark that no file is called by: `(new file)`, `(updated)`. */
export function withoutUsualRemark(path: string): string {
  return path.replace(remark, '')
}

/** Tells whether a path is the one of an example that was copied: `path/to/file.ts`. */
export function isExample(path: string): boolean {
  return /^path\/to\/./i.test(path)
}

/** Words that say of a block that more belongs to its file, in front of the path, alone in brackets or at the remark's beginning or end. */
const partWords =
  'excerpt|snippet|fragment|partial(?:ly)?|append(?:ed)?|prepend(?:ed)?|insert(?:ed)?' +
  '|auszug|ausschnitt|teilweise|extrait|extracto|fragmento|trecho|estratto|frammento|фрагмент|отрывок|节选|節選|片段|部分|抜粋|一部|발췌|일부'
const partRemarks = `${partWords}|extract|portion|truncated|abridged|abbreviated|continued|cont\\.|gekürzt`
const onlyWords =
  'only|nur|seulement|uniquement|solo|sólo|solamente|apenas|somente|soltanto|только|仅|僅|只(?![读讀])|のみ'
const partRemark = new RegExp(
  `^(?:${partRemarks})(?![\\p{L}\\d_-])|[([（](?:${partRemarks})(?![\\p{L}\\d_-])|(?<![\\p{L}\\d_-])(?:${partRemarks})[^\\p{L}\\d_]*$` +
    '|\\b(?:lines?|part|zeilen?|lignes?|líneas?|linhas?|righe|teil) ?\\d|\\bl\\d+ ?[-\u2013] ?l?\\d' +
    `|^[([（]?(?:${onlyWords})(?![\\w-])|(?<![\\w-])only\\W*$` +
    '|\\b(?:changed|relevant|affected|modified|updated) (?:parts?|sections?|functions?|methods?|lines?)\\W*$' +
    '|\\b(?:part|rest|end|top|bottom|beginning|start) of (?:the |this )?file\\b|\\bat the (?:end|top|bottom|beginning|start)\\b' +
    '|\\b(?:add|put|place|paste|insert) (?:this|these|the following|it) ' +
    '|^[([{]?(?:(?:multi-)?search[-/]replace|(?:new-|standard-)?(?:unified|diff)|unified diff|patch)[)\\]}]?$',
  'iu',
)
const partInFront = new RegExp(
  `(?<![\\p{L}\\d_-])(?:${partWords})(?![\\p{L}\\d_-])|\\badd (?:this |these )?(?:to|in|into|at)\\W*$` +
    '|\\b(?:usage|examples?|before|old|previous|current|from|see|in)\\b[^\\p{L}]*[:：][^\\p{L}]*$',
  'iu',
)

/** Tells whether words around the path make a part of the file of its block: `src/a.ts (lines 1-60)`, `Append to src/a.ts`. */
export function saysPart(said: string, path: string): boolean {
  const [front, behind] = aroundPath(said, path)
  const remark = behind.slice(0, 200).replace(/^[^\p{L}\d_([{（]+/u, '')
  // Most paths have none, and to be ready for all these words takes as long as to read the file.
  return (remark !== '' && partRemark.test(remark)) || (front.length > 5 && partInFront.test(front))
}

/** The remark behind the path, signs aside; empty: there is none. */
export function remarkBehind(said: string, path: string): string {
  const [, behind] = aroundPath(said, path)
  const remark = behind.slice(0, 80).trim()
  return /[\p{L}\p{N}]/u.test(remark) ? remark : ''
}

/** What stands in front of a path and behind it in the words that it was taken from, whatever their backslashes are. */
function aroundPath(said: string, path: string): readonly [front: string, behind: string] {
  const words = said.slice(0, 4096)
  for (const sign of ['/', '']) {
    const spelled = withoutEmptyParts(words.replaceAll('\\', sign))
    const at = spelled.indexOf(path)
    if (at >= 0) return [spelled.slice(0, at), spelled.slice(at + path.length)]
  }
  return ['', '']
}

function orNothing(path: string): string | undefined {
  return path === '' ? undefined : path
}
