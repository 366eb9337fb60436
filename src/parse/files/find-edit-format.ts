import { isSource } from '../../lines/is-source.ts'
import { nextFilledLine } from '../lines/lines.ts'
import { pathFromComment } from '../lines/path.ts'

/** What was found in place of a whole file. */
export interface EditFormat {
  readonly code: 'diff' | 'edit-markers' | 'line-numbers'
  /** Offset in the content. */
  readonly at: number
  readonly found: string
  /** Nothing but the signs in front of its lines says that it is one: a file of that kind could look the same. */
  readonly isBare?: true
}

const ownFormat = /\.(?:diff|patch|rej|orig|eml|mbox)$/i
const documents =
  /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org|pod|tex|html?|snap|log|[1-9])$|(?:^|\/)(?:readme|changelog|changes|news|history|contributing|faq|todo)$/i
/** What may be nothing but items with signs or numbers in front: lists, data, and what no ending tells the kind of. */
const lists =
  /\.(?:ya?ml|toml|[ct]sv|dat|data|conf|cfg|ini|list|filter|out|golden|expected|bas)$|(?:^|\/)(?:[^./]*|\.[^./]*)$/i
const tests =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|__fixtures__|fixtures?|testdata|samples?|examples?|snapshots?)(?:[/._-]|$)/i

/**
 * Tells an edit, or a listing with line numbers, from a whole file: its first filled line opens an edit, or more than half
 * of its lines are one. Files whose own type is a diff are whole.
 *
 * What a whole file holds besides, a program with the example of an edit, is the file's: how its language writes a text
 * does not matter. In a file that is on the disk already a new hunk is a doubt, which the plan raises (`diffSigns`).
 */
export function findEditFormat(content: string, path: string, info: string): EditFormat | undefined {
  if (ownFormat.test(path)) return undefined
  const calledDiff = /^(?:diff|patch|udiff)\b/i.test(info) && /^[+-](?![+-])/m.test(content.slice(0, 100_000))
  const edit = opensAsEdit(content, path) ?? (calledDiff ? diffAt(0) : mostlyEdit(content))
  if (edit !== undefined) return edit
  // What a path excuses comes last: nearly every file has nothing that would need it.
  const prefixed = onlyDiffLines(content, path) ?? onlyNumberedLines(content)
  if (prefixed !== undefined && !mayHaveSigns(path)) return prefixed
  const at = conflictIn(content)
  if (at < 0 || documents.test(path) || tests.test(path)) return undefined
  return { code: 'edit-markers', at, found: 'conflict markers' }
}

/** Documents and lists may have numbers, or the signs of a diff, in front of all their lines. */
function mayHaveSigns(path: string): boolean {
  return documents.test(path) || lists.test(path)
}

/** The marker above the old text, however many signs it has and whatever became of it. */
const search = /^(?:[^\w\s<]{1,4} ?)?(?:<|&lt;){3,9} ?\W?(?:SEARCH|FIND|ORIGINAL|OLD)\b|^[->]{3,9} ?SEARCH>?\s*$/im
/** Of signs that may be a comment or a quotation: only in Cline's own spelling alone enough. */
const mayBeText = /^(?!-{5,9} SEARCH>?[ \t]*$)[->]/
const middle = /^={5,9}\s*$/m
/** The marker below the new text. */
const replace = /^(?:[^\w\s>]{1,4} ?)?(?:>|&gt;|\+){3,9} ?\W?(?:REPLACED?|UPDATED)\W*$|^>{5,9}\s*$/i

/** The first line of a diff or of a patch, with the next one where alone it may be another thing. */
const openings: readonly RegExp[] = [
  /^(?:diff --(?:git|cc|combined) |(?:new|deleted) file mode \d|index [\da-f]{6,}\.\.|rename from .+\nrename to )/,
  /^(?:Index: .+\n={20}|diff .+\n(?:@@|--- |\*\*\* |\d+(?:,\d+)?[acd]))/,
  /^(?:--- .+\n\+\+\+ |\*\*\* .+\n--- .+\n\*{15}|\*{15}\n\*\*\* \d)/,
  /^(?:@@+ .*@@|@@(?: .*)?\n(?:(?: .*)?\n)*[+-]|\d+(?:,\d+)?[acd]\d+(?:,\d+)?\n[<>] )/,
  /^\*{2,} ?(?:Begin Patch|(?:Update|Add|Delete) File:)/i,
  /^(?:From [\da-f]{7,64} \w{3} \w{3} +\d|(?:(?:From|Date|To|Message-I[dD]): .+\n){0,9}Subject: \[PATCH)/,
]

/** Tells whether the first line that is neither blank nor the path, a fence or a command opens an edit. */
export function opensAsEdit(content: string, path: string): EditFormat | undefined {
  const at = belowWrappers(content, path)
  const head = content.slice(at, at + 2000).trimStart()
  const line = head.slice(0, Math.max(0, head.indexOf('\n')))
  if (search.test(line) && (!mayBeText.test(line) || middle.test(content)))
    return { code: 'edit-markers', at, found: 'a SEARCH/REPLACE block' }
  if (/^<{5,9}(?!<)/.test(line) && !tests.test(path)) return { code: 'edit-markers', at, found: 'conflict markers' }
  if (isReplacement(head, content.slice(at), path))
    return { code: 'edit-markers', at, found: 'a text to find and one to put in its place' }
  return openings.some(opening => opening.test(head)) ? diffAt(at) : undefined
}

/** What may stand above an edit besides its path: a fence, or the command that is handed the edit. */
const wrapper = /^(?:[`~]{3}|(?:%%bash|[$#] )?\s*(?:apply_patch|patch|git apply|cat)\b.*<<)/

const diffHead = /^--- .+\n\+\+\+ $/

function belowWrappers(content: string, path: string): number {
  let line = nextFilledLine(content, 0)
  for (let lines = 0; line !== undefined && lines < 3; lines++) {
    const said = content.slice(line.start, Math.min(line.end, line.start + 4096)).trim()
    // `--- a.ts` is no comment of SQL or Lua where a diff begins.
    if (diffHead.test(content.slice(line.start, line.end + 5))) break
    if (said !== path && !wrapper.test(said) && !(said.includes(path) && pathFromComment(said) === path)) break
    line = nextFilledLine(content, line.end + 1)
  }
  return line?.start ?? content.length
}

function diffAt(at: number): EditFormat {
  return { code: 'diff', at, found: 'a diff' }
}

/** What begins a hunk, or stands above one, in any kind of diff. */
const hunk =
  /^(?:@@+(?: |$)|\*{3} (?:(?:Begin|End) Patch|(?:Add|Update|Delete) File:|\d+(?:,\d+)? \*{4}$)|--- \d+(?:,\d+)? -{4}$|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$|diff --git |index [\da-f]{6,}\.\.|(?:---|\+\+\+) (?:[ab]\/|\/dev\/))/m
const changed = /^(?:[+\-!]|[<>] )/
/** So many unchanged lines may stand below the last changed one. */
const context = 3

/** What an answer without any whole file gives in place of them, wherever it stands. */
export function findEditInstead(text: string): string | undefined {
  if (search.test(text)) return 'SEARCH/REPLACE blocks'
  return hunk.test(text) || /^[`~]{3,20}(?:u?diff|patch)\b/m.test(text) ? 'a diff' : undefined
}

/** Whether a block without a path is an edit; conflict markers may be shown for themselves. */
export function isEditAlone(content: string, info: string): boolean {
  const found = findEditFormat(content, '', info)
  return found !== undefined && found.code !== 'line-numbers' && found.found !== 'conflict markers'
}

function mostlyEdit(content: string): EditFormat | undefined {
  // A glance, since nearly no file has any line of an edit.
  const first = content.search(hunk)
  if (first < 0 && !content.includes('REPLACE') && !content.includes('>>>>>')) return undefined
  const lines = content.trimEnd().split('\n')
  const [diff, blocks] = [inHunks(lines), inBlocks(lines)]
  if ((diff + blocks) * 2 <= lines.length) return undefined
  if (diff > blocks) return diffAt(first)
  return { code: 'edit-markers', at: Math.max(0, content.search(search)), found: 'SEARCH/REPLACE blocks' }
}

/** How many of the lines are in hunks; what is only indented below one may be the program that shows it. */
function inHunks(lines: readonly string[]): number {
  let count = 0
  let unchanged = 0
  let isInside = false
  for (const line of lines) {
    const isHead = hunk.test(line)
    if (isHead || !/^(?:$|[\s+\-!]|[<>\\] )/.test(line)) {
      isInside = isHead
      count += Math.min(unchanged, context) + (isHead ? 1 : 0)
      unchanged = 0
    } else if (isInside && changed.test(line)) {
      count += unchanged + 1
      unchanged = 0
    } else if (isInside) unchanged++
  }
  return count + Math.min(unchanged, context)
}

/** How many of the lines are in SEARCH/REPLACE blocks, each of which may have lost one of its markers. */
function inBlocks(lines: readonly string[]): number {
  let count = 0
  let block = 0
  let [isOpen, isHalf] = [false, false]
  for (const line of lines) {
    if (search.test(line)) [block, isOpen, isHalf] = [0, true, false]
    block++
    isHalf ||= middle.test(line)
    if ((isOpen || isHalf) && replace.test(line)) {
      count += block
      ;[block, isOpen, isHalf] = [0, false, false]
    }
  }
  return isOpen && isHalf ? count + block : count
}

/** Where the first of the three lines of a conflict begins, which stand in order, each at a line's start; -1: nowhere. */
function conflictIn(content: string): number {
  if (!content.includes('<<<<<<<')) return -1
  const open = content.search(/^<{7}(?! ?SEARCH)(?:[ \t]|$)/m)
  const below = open < 0 ? '' : content.slice(open)
  const half = below.search(/^={7}[ \t]*$/m)
  return half >= 0 && /^>{7}(?! ?REPLACE)(?:[ \t]|$)/m.test(below.slice(half)) ? open : -1
}

/** What the edit tools of agents take, written out: as tags, as JSON, or under words in capitals. */
function isReplacement(head: string, content: string, path: string): boolean {
  const [, tag] = /^<(search|find|old_?(?:str|string|text)?)>/i.exec(head) ?? []
  if (tag !== undefined) {
    const behind = content.slice(content.indexOf(`</${tag}>`) + tag.length + 3)
    return /^\s{0,9}<(?:replace(?:ment)?|new_?(?:str|string|text)?)>/i.test(behind)
  }
  // A file of JSON may hold what an agent did.
  if (/^[{[]/.test(head) && /\.(?:nd)?json[5cl]?$/i.test(path)) return false
  if (/^[{[]/.test(head)) return /"old_?str(?:ing)?": ?"/i.test(content) && /"new_?str(?:ing)?": ?"/i.test(content)
  return isTwoTexts(content.trimStart(), head, path)
}

/** `SEARCH:` and `REPLACE:`, `### Find` and `### Replace with`, `// Before` and `// After`: the first line, and one that begins alike. */
function isTwoTexts(content: string, head: string, path: string): boolean {
  const sign = oldText.exec(head.slice(0, Math.max(0, head.indexOf('\n'))))?.[1]
  // In a document they are headings, and bare in a list they are its words.
  if (sign === undefined || documents.test(path)) return false
  if (sign === '' ? lists.test(path) || !/^(?:SEARCH|FIND)\b/.test(head) : tests.test(path)) return false
  return [...content.matchAll(newText)].some(found => found[1] === sign)
}

const signs = String.raw`^(#{1,6} ?|\*\*|/{2,3} ?|--+ ?|;+ ?|%+ ?|<!-- ?|/\*+ ?|)`
const named = String.raw`(?: (?:code|text|block|version|lines?|this))*:?(?:\*\*)?:?(?: ?-->| ?\*+/)?[ \t]*$`
const oldText = new RegExp(`${signs}(?:search(?: for)?|find|before|old|original)${named}`, 'i')
const newText = new RegExp(`${signs}(?:replace(?:ment|d)?(?: with| by)?|after|new|updated)${named}`, 'gim')

/** Every line begins with `+`, `-` or a blank: a hunk that lost its head. Only in code one sign and blanks are enough. */
function onlyDiffLines(content: string, path: string): EditFormat | undefined {
  const signs = new Set<string>()
  for (const line of filledLines(content)) {
    if (!/^[+\-\s]/.test(line)) return undefined
    signs.add(line.charAt(0).trim())
  }
  const isHunk = signs.has('+') && signs.has('-')
  return isHunk || (signs.size === 2 && isSource(path)) ? { ...diffAt(0), isBare: true } : undefined
}

/**
 * Tells what stands in front of every line where it may be no part of the file: the `+` of a diff of a new file that lost its
 * head, or the line's number.
 *
 * A list may have that sign in front of its items, and data in front of its numbers.
 */
export function onlyPrefixedLines(content: string, path: string): string | undefined {
  if (ownFormat.test(path)) return undefined
  // Data is often numbered from 0, or by years.
  if (/^\s*0*[1-9]\d{0,2}(?!\d)/.test(content) && onlyNumberedLines(content) !== undefined)
    return 'its number, as in a listing'
  return onlyAddedLines(content, path) ? '+, as in a diff' : undefined
}

function onlyAddedLines(content: string, path: string): boolean {
  let count = 0
  let isText = false
  for (const line of filledLines(content)) {
    if (!line.startsWith('+')) return false
    count++
    isText ||= /^\+[^\s\d+]/.test(line)
  }
  return isText && (count > 1 || !mayHaveSigns(path))
}

/**
 * Every line begins with its number: the listing of an editor or of `cat -n`, or the numbers of a page, which stick to the
 * lines (`2const x = 1`). Numbers with the sign of a list or a key behind each are the file's own, and so are those alone.
 */
function onlyNumberedLines(content: string): EditFormat | undefined {
  let first: number | undefined
  let count = 0
  let isOwn = true
  let isText = false
  for (const line of filledLines(content)) {
    const [, digits, behind = ''] = /^\s*(\d{1,7})(?!\d)(.?)/.exec(line) ?? []
    first ??= Number(digits)
    if (Number(digits) !== first + count) return undefined
    isOwn &&= /[.):,;=-]/.test(behind) && !/^\s*\d+:[ \t]/.test(line)
    count++
    isText ||= /[^\d\s]/.test(line)
  }
  const isListing = count >= 3 && isText && !isOwn
  return isListing ? { code: 'line-numbers', at: 0, found: 'line numbers in front of its lines' } : undefined
}

/** One line at a time: nearly every file is done with the first. */
function* filledLines(content: string): Generator<string> {
  for (let line = nextFilledLine(content, 0); line !== undefined; line = nextFilledLine(content, line.end + 1)) {
    yield content.slice(line.start, line.end)
  }
}
