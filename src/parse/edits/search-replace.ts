import { type Damage, damaged, type EditText, linesOf, type ReadEdits } from './file-edit.ts'

/**
 * Reads SEARCH/REPLACE blocks, in the spellings of aider (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), of Cline
 * (`------- SEARCH`, `=======`, `+++++++ REPLACE`) and of Roo (`:start_line:` and a line of dashes below SEARCH, a backslash in
 * front of lines that look like a marker). `undefined`: there is none.
 *
 * All between the markers is text, also blank lines; between two blocks nothing may stand but the path.
 */
export function readSearchReplace(content: string, path: string | undefined): ReadEdits | undefined {
  const lines = linesOf(content)
  if (!lines.some(line => opening.test(line))) return undefined
  const hunks: EditText[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || line.trim() === path) continue
    if (!opening.test(line)) return damaged(at, `"${shown(line)}" is outside of a SEARCH/REPLACE block`)
    const block = readBlock(lines, at)
    if ('kind' in block) return block
    hunks.push(block.hunk)
    at = block.end
  }
  return { kind: 'edits', files: [{ op: 'edit', hunks }] }
}

/** Reads one block from its first marker on; `end` is its last one. */
function readBlock(
  lines: readonly string[],
  start: number,
): { readonly hunk: EditText; readonly end: number } | Damage {
  let end = start + 1
  while (end < lines.length && !outer.test(lines[end] ?? '')) end++
  if (!closing.test(lines[end] ?? '')) return damaged(start, 'a SEARCH/REPLACE block does not end with >>>>>>> REPLACE')
  const middle = middleOf(lines, start, end)
  if (middle === undefined) return damaged(start, 'a SEARCH/REPLACE block needs exactly one line ======= in its middle')
  const [below, under] = [lines.slice(start + 1, middle), lines.slice(middle + 1, end)]
  const search = withoutHead(below)
  // Weaker models write the head of SEARCH again.
  const replace = search.length < below.length ? withoutHead(under) : under
  const broken = [...search, ...replace].find(each => spoiled.test(each))
  if (broken !== undefined) return damaged(start, `"${shown(broken)}" is nearly a marker of a SEARCH/REPLACE block`)
  return { hunk: { line: start, ...signed(search.map(unescaped), replace.map(unescaped)) }, end }
}

/** The lines with their signs. Blank ones at the end of SEARCH may only set it apart, and stand last: as in a diff they are loose. */
function signed(search: readonly string[], replace: readonly string[]): Omit<EditText, 'line'> {
  if (search.length === 0) return { lines: replace.map(line => `+${line}`), isNew: true }
  const [loose, also] = [blanksAtEnd(search), blanksAtEnd(replace)]
  const stay = Math.min(loose, also)
  const lines = [
    ...search.slice(0, search.length - loose).map(line => `-${line}`),
    ...replace.slice(0, replace.length - stay).map(line => `+${line}`),
    ...search.slice(search.length - loose, search.length - stay).map(line => `-${line}`),
    ...search.slice(search.length - stay).map(line => ` ${line}`),
  ]
  return { lines, ...(loose > 0 && { looseBlanks: loose }) }
}

function blanksAtEnd(lines: readonly string[]): number {
  return lines.length - 1 - lines.findLastIndex(line => line.trim() !== '')
}

const opening = /^(?:<{5,9}|-{5,9}) ?SEARCH>?[ \t]*$/
const closing = /^(?:>{5,9}|\+{5,9}) ?REPLACE>?[ \t]*$/
const outer = new RegExp(`${opening.source}|${closing.source}`)
const divider = /^={5,9}[ \t]*$/
/** A marker that lost its word or got another one: the text may hold no such line by itself. */
const spoiled = /^(?:<{5,} ?SEARCH|>{5,} ?REPLACE|\+{5,} ?REPLACE|-{5,} ?SEARCH|<{7}$|>{7}$)/

/** The line in the middle: the only one of its kind, or of several the only one as long as the first marker. */
function middleOf(lines: readonly string[], start: number, end: number): number | undefined {
  const found: number[] = []
  for (let at = start + 1; at < end; at++) if (divider.test(lines[at] ?? '')) found.push(at)
  if (found.length < 2) return found[0]
  const length = /^[<-]+/.exec(lines[start] ?? '')?.[0].length
  const same = found.filter(at => lines[at]?.trimEnd().length === length)
  return same.length === 1 ? same[0] : undefined
}

/** Without the lines that say where, each a word and a number, and the dashes below them: they count for nothing. */
function withoutHead(lines: readonly string[]): readonly string[] {
  let at = 0
  while (/^:[a-z_ ]{1,20}:[ \t]*\[?\d*\]?[ \t]*$/i.test(lines[at] ?? '')) at++
  if (at > 0 && /^-{5,}[ \t]*$/.test(lines[at] ?? '')) return lines.slice(at + 1)
  // Without the dashes only what hardly any text begins with.
  at = lines.findIndex(line => !/^:(?:start|end)_line:[ \t]*\[?\d*\]?[ \t]*$/.test(line))
  return at < 0 ? [] : lines.slice(at)
}

function unescaped(line: string): string {
  return /^\\(?:<{5,9}|={5,9}|>{5,9}|-{5,9}|\+{5,9})/.test(line) ? line.slice(1) : line
}

function shown(line: string): string {
  const text = line.trim()
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
