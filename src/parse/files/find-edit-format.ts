import { nextFilledLine } from '../lines/lines.ts'

/** What was found in place of a whole file. */
export interface EditFormat {
  readonly code: 'diff' | 'edit-markers' | 'line-numbers'
  /** Offset in the content. */
  readonly at: number
  readonly found: string
}

const ownFormat = /\.(?:diff|patch|rej|orig)$/i
const documents =
  /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org|pod|tex|html?|snap|log|[1-9])$|(?:^|\/)(?:readme|changelog|changes|news|history|contributing|faq|todo)$/i
/** What may be nothing but items with signs or numbers in front: lists, data, and what no ending tells the kind of. */
const lists =
  /\.(?:ya?ml|toml|[ct]sv|dat|data|conf|cfg|ini|list|filter|out|golden|expected|bas)$|(?:^|\/)(?:[^./]*|\.[^./]*)$/i
const tests =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|__fixtures__|fixtures?|testdata|samples?|examples?|snapshots?)(?:[/._-]|$)/i

/**
 * Finds a diff, SEARCH/REPLACE blocks, conflict markers or a numbered listing where the whole file was announced.
 *
 * Files whose own type is a diff are content, and so is what stands in a document, a test's data or a text that a
 * program holds; but a content that begins as a diff is one, whatever the file.
 */
export function findEditFormat(content: string, path: string, info: string): EditFormat | undefined {
  if (ownFormat.test(path)) return undefined
  const begins = beginsAsEdit(content, path)
  if (begins !== undefined) return begins
  if (/^(?:diff|patch|udiff)\b/i.test(info) && /^[+-](?![+-])/m.test(content.slice(0, 100_000))) {
    return { code: 'diff', at: 0, found: `a block of the kind ${info.slice(0, 5).trim()} with + and - lines` }
  }
  // What a path excuses comes last: nearly every file has nothing that would need it.
  const prefixed = onlyDiffLines(content) ?? onlyNumberedLines(content)
  if (prefixed !== undefined && !mayHaveSigns(path)) return prefixed
  const inside = conflictInside(content) ?? hunkInside(content)
  return documents.test(path) || tests.test(path) ? undefined : inside
}

/** Documents and lists may have numbers, or the signs of a diff, in front of all their lines. */
function mayHaveSigns(path: string): boolean {
  return documents.test(path) || lists.test(path)
}

/** `<<<<<<< SEARCH`, or `------- SEARCH` on a line of its own: a program may have a comment that begins like that. */
const search = /^(?:<{5,9} ?SEARCH\b|-{5,9} ?SEARCH>?[ \t]*$)/m

/** What an answer without any whole file gives in place of them, wherever it stands. */
export function findEditInstead(text: string): string | undefined {
  if (search.test(text)) return 'SEARCH/REPLACE blocks'
  return /^(?:@@ -\d{1,9}(?:,\d{1,9})? \+\d|\*\*\* (?:Begin Patch|Update File:)|[`~]{3,20}(?:u?diff|patch)\b)/m.test(
    text,
  )
    ? 'a diff'
    : undefined
}

function beginsAsEdit(content: string, path: string): EditFormat | undefined {
  const at = content.search(/\S/)
  const first = content.slice(at, at + 2000)
  // Some name the file once more before the edit, or hand it to a command.
  const head = first.startsWith(`${path}\n`)
    ? first.slice(path.length + 1)
    : first.replace(/^apply_patch <<[^\n]*\n/, '')
  // The dashes alone may be a comment.
  if (head.search(search) === 0 && (head.startsWith('<') || /^={5,9}[ \t]*$/m.test(content))) {
    return { code: 'edit-markers', at, found: 'a SEARCH/REPLACE block' }
  }
  if (/^<{7}[ \n]/.test(head) && !tests.test(path) && conflictInside(content) !== undefined) {
    return { code: 'edit-markers', at, found: 'conflict markers' }
  }
  if (isReplacement(head, content, path))
    return { code: 'edit-markers', at, found: 'a text to find and one to put in its place' }
  if (/^\*\*\* (?:Begin Patch|Update File:|Add File:|Delete File:)/.test(head))
    return { code: 'diff', at, found: 'a patch' }
  if (
    /^(?:diff --git |Index: [^\n]+\n={20}|--- [^\n]+\n\+\+\+ [^\n]+\n@@|@@ [^\n]*@@|@@(?: [^\n]*)?\n(?:(?: [^\n]*)?\n)*[+-])/.test(
      head,
    )
  ) {
    return { code: 'diff', at, found: 'a diff' }
  }
  return undefined
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

/** Every line begins with `+`, `-` or a blank, and both signs are there: a hunk that lost its head. */
function onlyDiffLines(content: string): EditFormat | undefined {
  let added = false
  let removed = false
  for (const line of filledLines(content)) {
    if (line.startsWith('+')) added = true
    else if (line.startsWith('-')) removed = true
    else if (!/^\s/.test(line)) return undefined
  }
  return added && removed ? { code: 'diff', at: 0, found: 'nothing but lines of a diff' } : undefined
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

/** The three lines of a conflict or of a SEARCH/REPLACE block, in order, each at a line's beginning. */
function conflictInside(content: string): EditFormat | undefined {
  const searched = content.includes('SEARCH') ? content.search(search) : -1
  return (
    closedBelow(content, searched, 'a SEARCH/REPLACE block') ??
    closedBelow(content, lineBeginning(content, '<<<<<<<', 0), 'conflict markers')
  )
}

function closedBelow(content: string, open: number, found: string): EditFormat | undefined {
  const middle = open < 0 ? -1 : lineBeginning(content, '=======', open)
  const isClosed = middle >= 0 && /^(?:>{7}|\+{5,9} ?REPLACE\b)/m.test(content.slice(middle))
  return isClosed && !isInsideText(content, open) ? { code: 'edit-markers', at: open, found } : undefined
}

function hunkInside(content: string): EditFormat | undefined {
  for (let at = lineBeginning(content, '@@ -', 0); at >= 0; at = lineBeginning(content, '@@ -', at + 1)) {
    if (!/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(content.slice(at, at + 80))) continue
    return isInsideText(content, at) ? undefined : { code: 'diff', at, found: 'a hunk of a diff' }
  }
  return undefined
}

function lineBeginning(content: string, word: string, from: number): number {
  let at = content.indexOf(word, from)
  while (at > 0 && content.charCodeAt(at - 1) !== 10) at = content.indexOf(word, at + word.length)
  return at
}

/** An odd count of quotes that span lines, or an open here-document, stands above it: a text within the program. */
function isInsideText(content: string, at: number): boolean {
  const above = content.slice(0, at)
  const odd = (quote: string) => above.split(quote).length % 2 === 0
  if (odd('`') || odd('"""') || odd("'''")) return true
  return (
    /<<[-~]?\s*\\?["']?[A-Z_]{2,}["']?[^\n]*\n(?:[^\n]*\n){0,20}$/.test(above.slice(-4000)) ||
    /r#+"[^"]*$/.test(above.slice(-4000))
  )
}
