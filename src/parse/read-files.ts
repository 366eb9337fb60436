import type { Flag, FlagName, Operation, Problem } from '../model.ts'
import { type AboveStart, aboveStart } from './above-start.ts'
import { dedent, indentOf } from './dedent.ts'
import { type Block, mayHoldBareFence, type Span } from './find-blocks.ts'
import type { Guess } from './guess-paths.ts'
import { afterLine, type Line, type LineOf, lineEnd, lineStart, nextFilledLine, previousFilledLine } from './lines.ts'
import {
  endMarkerAbove,
  isDeleteDirective,
  isEmphasized,
  isMarker,
  isNearlyDeleteDirective,
  isNearlyMarker,
  isOneRemark,
  isPairOfMarkers,
} from './marker.ts'
import {
  beforeRemark,
  firstWord,
  isExample,
  looksLikePath,
  pathsAmong,
  saysPart,
  templatePath,
  withoutRemark,
  withoutUsualRemark,
} from './path.ts'
import type { Summary } from './read-summary.ts'

/** One block that is a file: what it does, and where it stands. */
export interface FileBlock {
  readonly operation: Operation
  readonly block: Block
  /** Where its content begins in the response, for telling lines. */
  readonly contentFrom: number
  readonly flags: readonly Flag[]
}

export interface Files {
  readonly files: readonly FileBlock[]
  readonly problems: readonly Problem[]
}

/** What the control block says, as far as it decides which blocks are files. */
export interface Announced {
  readonly summary: Summary
  /** Where the control block stands. What follows it is vouched for by nothing. */
  readonly control: Span
}

/** What surely says what becomes of a path; other blocks of the same path may only quote. */
interface Others {
  /** The last block with START. */
  readonly marked: Map<string, Block>
  /** Paths with a block that deletes them. */
  readonly deleted: Set<string>
}

/**
 * Decides which blocks are files, and reads them.
 *
 * A block with a path and START is one, and so is a delete. Without START it is one only where the change summary names
 * its path; else it is a quotation. A block that began as a file and is damaged is a problem, never left out in silence.
 */
export function readFiles(text: string, blocks: readonly Block[], announced: Announced, lineOf: LineOf): Files {
  const files: FileBlock[] = []
  const problems: Problem[] = []
  const named = blocks.map(block => pathOf(block, announced.summary))
  const others: Others = { marked: new Map(), deleted: new Set() }
  for (const [at, block] of blocks.entries()) {
    const path = named[at]
    if (path === undefined) continue
    if (block.hasStart) others.marked.set(path, block)
    if (block.isDelete) others.deleted.add(path)
  }

  for (const [at, block] of blocks.entries()) {
    const read = readFile(text, block, named[at], announced, others, lineOf)
    if (read === undefined) continue
    if ('operation' in read) files.push(read)
    else problems.push(read)
  }
  return { files, problems }
}

function readFile(
  text: string,
  block: Block,
  named: string | undefined,
  announced: Announced,
  others: Others,
  lineOf: LineOf,
): FileBlock | Problem | undefined {
  const line = lineOf(block.start)
  if (block.path === templatePath) {
    return problem(
      { block, line },
      'no-path',
      'The block still says {filePath} where its path should be. Ask for the block again with its path.',
    )
  }
  const guess = named === undefined ? bestGuess(block, announced, others.marked) : undefined
  const path = named ?? guess?.path
  if (path === undefined) return block.hasStart ? withoutPath(block, line) : undefined

  const meant = meantFor(path, guess, text, { block, line }, announced.summary, others)
  if (isQuotation(meant, announced.summary, others)) return undefined
  const damage = damageOf(text, meant, announced.control)
  if (damage !== undefined) return damage
  if (meant.isDelete) return { operation: { op: 'delete', path }, block, contentFrom: meant.span.from, flags: [] }
  return fileOf(text, meant)
}

interface Placed {
  readonly block: Block
  /** 1-based line of its opening fence. */
  readonly line: number
}

function problem({ block, line, path }: Placed & { readonly path?: string }, code: string, message: string): Problem {
  return path === undefined
    ? { code, message, line, block: block.number }
    : { code, message, line, block: block.number, path }
}

function withoutPath(block: Block, line: number): Problem {
  const near = block.guesses.find(guess => looksLikePath(guess.path))
  const hint =
    near === undefined ? '' : ` ("${near.path.slice(0, 80)}" stands near it, but the change summary does not name it)`
  return problem(
    { block, line },
    'no-path',
    `The block has START but no path on its opening line${hint}. Ask for it again with the path: \`\`\`lang // path/to/file`,
  )
}

/** A block that is meant for a path, and what tells whether and how it is that file. */
interface Meant extends Placed {
  readonly path: string
  /** The words that the path was read from. */
  readonly said: string
  /** Those may be about another file. */
  readonly isLoose: boolean
  /** What stands below START, or in all of it. */
  readonly span: Span
  readonly isDelete: boolean
  /** It speaks of deleting the file, but not in the words that do it. */
  readonly isNearlyDelete: boolean
  /** END, where there is no START. */
  readonly loneEnd: Line | undefined
  /** What stands between a first and a last line that are not quite START and END. */
  readonly nearly: Span | undefined
  /** Below START, a last line that is not quite END. */
  readonly nearEnd: Line | undefined
}

function meantFor(
  path: string,
  guess: Guess | undefined,
  text: string,
  { block, line }: Placed,
  summary: Summary,
  { deleted }: Others,
): Meant {
  const from = guess?.contentFrom ?? block.content.from
  const to = Math.max(from, block.content.to)
  const span = { from, to }
  const isToGo = summary.onlyDeletes(path)
  const isDelete = block.isDelete || isDeleteDirective(text, from, to, isToGo)
  const isBare = block.how === 'bare'
  return {
    block,
    line,
    path,
    said: guess?.said ?? block.info,
    isLoose: guess?.isLoose === true,
    span,
    isDelete,
    isNearlyDelete:
      !isDelete &&
      (isNearlyDeleteDirective(text, from, to) || (isToGo && !deleted.has(path) && isOneRemark(text, from, to))),
    loneEnd: !block.hasStart && isBare ? endMarkerAbove(text, block.body.to, from, false) : undefined,
    nearly: block.hasStart ? undefined : betweenNearMarkers(text, span, path),
    nearEnd: block.hasStart && isBare ? nearEndIn(text, span, path) : undefined,
  }
}

/** The block only shows something: it neither says itself that it is the file, nor is it the one that the summary means. */
function isQuotation(
  { block, path, isDelete, isNearlyDelete, loneEnd, nearly }: Meant,
  summary: Summary,
  { marked }: Others,
): boolean {
  const isMarked = block.hasStart || loneEnd !== undefined || (nearly !== undefined && block.path !== undefined)
  if (isMarked || isDelete || isNearlyDelete) return false
  if (!summary.names(path) || summary.onlyDeletes(path)) return true
  // A marked block of the same path is the file; this one quotes from it.
  return (marked.get(path)?.start ?? 0) > block.start
}

/** Why a block that is meant as a file cannot be taken as one. */
function damageOf(text: string, meant: Meant, control: Span): Problem | undefined {
  const { block, path, isDelete, isNearlyDelete } = meant
  if (block.how === 'open') {
    const expected = block.hasStart ? 'END and a closing fence' : 'a closing fence'
    return problem(
      meant,
      'open-block',
      `The block for ${path} never ends: expected ${expected}. The answer may be cut off, or fences within the file hide its end. Copy all of it, or ask for this file again in a longer fence.`,
    )
  }
  const isVouchedFor = block.start < control.from
  const isWhole =
    (block.how === 'end' && !block.unsure) || isDelete || isVouchedFor || (!block.hasStart && !mayBeCut(text, block))
  if (!isWhole) {
    return problem(
      meant,
      'open-block',
      `The block for ${path} has no sure END and no control block below it, so it may be cut off. Copy the whole answer, or ask for this file again.`,
    )
  }
  if (!isNearlyDelete) return undefined
  return problem(
    meant,
    'unclear-delete',
    `The block for ${path} speaks of deleting the file, but not in the words that do it. For a delete its only line is //TODO: delete this file`,
  )
}

function fileOf(text: string, meant: Meant): FileBlock | Problem | undefined {
  const { block, path, span, loneEnd, nearly, nearEnd } = meant
  const found = nearly === undefined ? aboveStart(text, block.body, path) : undefined
  const isPart =
    !block.hasStart && loneEnd === undefined && holdsEnd(text, { from: found?.below ?? span.to, to: span.to })
  const above = isPart ? undefined : found
  const end = loneEnd ?? nearEnd
  const { content, from } = contentOf(
    text,
    nearly ?? { from: above?.below ?? span.from, to: end?.start ?? span.to },
    block,
    {
      start: block.hasStart || nearly !== undefined || above !== undefined,
      end: block.how === 'end' || end !== undefined || nearly !== undefined,
      above: above?.lines ?? [],
    },
  )
  if (block.hasStart || content.trim() !== '') {
    const flags = flagsOf(text, meant, above)
    return { operation: { op: 'write', path, content }, block, contentFrom: from, flags }
  }
  // Only its path stands in it: announced here, given elsewhere.
  if (block.path === undefined) return undefined
  return problem(
    meant,
    'empty-block',
    `The block for ${path} is empty. For an empty file write START and END, for a delete //TODO: delete this file`,
  )
}

/** Why it may not be the file, or not all of it; of the doubts about its ends the first one tells. */
function flagsOf(text: string, meant: Meant, above: AboveStart | undefined): readonly Flag[] {
  const { block, line, path, said, isLoose } = meant
  const flags: Flag[] = []
  const add = (flag: FlagName, reason: string) => flags.push({ flag, path, line, reason })
  if (saysPart(said, path)) add('placeholder', 'the words behind its path say that it is only a part')
  if (isLoose) add('summary-mismatch', 'its block has no path, and the words above its reasoning may name another file')
  if (isExample(path)) add('placeholder', 'its path is the one of an example')
  if (!block.hasStart && !isNearlyMarked(meant) && showsUse(block.info, path)) {
    add('placeholder', 'its block is a shell’s and has no START: it may show how the file is used')
  }
  const doubt = doubtfulBeginning(text, above) ?? doubtfulEnd(text, meant)
  if (doubt !== undefined) add('missing-end', doubt)
  return flags
}

function isNearlyMarked({ nearly, nearEnd }: Meant): boolean {
  return (nearly ?? nearEnd) !== undefined
}

/** Why the file may begin elsewhere. */
function doubtfulBeginning(text: string, above: AboveStart | undefined): string | undefined {
  const [line] = above?.lines ?? []
  if (line === undefined) return undefined
  const said = JSON.stringify(text.slice(line.from, Math.min(line.to, line.from + 60)).trim())
  return `${said} stands above START: taken for the beginning of the file, but it may be no line of it`
}

/** Why the block may not hold all of its file, or more than that. */
function doubtfulEnd(text: string, meant: Meant): string | undefined {
  const { block, span, loneEnd } = meant
  if (isNearlyMarked(meant)) return 'its markers are not quite START and END: the lines may belong to the file'
  if (block.hasStart && block.how !== 'end') return 'the block has no END marker: it may not be whole'
  if (loneEnd !== undefined) return 'the block has no START marker: it may not be whole'
  if (block.uneven) return 'the fences inside of the block do not come out even: the file may end elsewhere'
  if (beginsOrEndsWith(text, span, isEmphasized)) {
    return 'START or END in bold stands at one end of it: the line may be no line of the file'
  }
  if (!block.hasStart) return undefined
  if (beginsOrEndsWith(text, span, isMarker)) {
    return 'START or END stands there twice: the second one may be no line of the file'
  }
  return holdsTwoParts(text, span)
    ? 'END and another START stand in the middle of it: its parts may belong to different places or files'
    : undefined
}

/** What stands between a first and a last line that were meant to be the markers. */
function betweenNearMarkers(text: string, span: Span, path: string): Span | undefined {
  const first = nextFilledLine(text, span.from, span.to)
  const last = previousFilledLine(text, span.to, span.from)
  if (first === undefined || last === undefined || last.start <= first.start) return undefined
  const areMarkers =
    isPairOfMarkers(text, first, last) ||
    (isNearlyMarker(text, first, 'START', path) && isNearlyMarker(text, last, 'END', path))
  return areMarkers ? { from: afterLine(text, first.end), to: last.start } : undefined
}

/** The last line, where it was meant to be END. */
function nearEndIn(text: string, span: Span, path: string): Line | undefined {
  const last = previousFilledLine(text, span.to, span.from)
  return last !== undefined && isNearlyMarker(text, last, 'END', path) ? last : undefined
}

/** A block of commands, or of what they print, for a file of another kind. Settings are often called a shell's. */
function showsUse(info: string, path: string): boolean {
  return shells.test(info) && /[^/]\.\w+$/.test(path) && !shellFiles.test(path)
}

const shells =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-?session|shellsession|powershell|pwsh|ps1?|cmd|bat|output)\b/i
const shellFiles =
  /\.(?:(?:ba|z|fi|k|c)?sh|bats|ps[md]?1|cmd|bat|command|conf|cfg|cnf|ini|env\w*|properties|service|timer|rc|txt|log|out|md|mdx|example|sample|local|template|tpl|tmpl|dist|mk)$/i

/** Tells whether its first line is a START of some kind, or its last one an END. */
function beginsOrEndsWith(
  text: string,
  span: Span,
  isOne: (text: string, line: Line, word: 'START' | 'END') => boolean,
): boolean {
  const first = nextFilledLine(text, span.from, span.to)
  const last = previousFilledLine(text, span.to, span.from)
  return (first !== undefined && isOne(text, first, 'START')) || (last !== undefined && isOne(text, last, 'END'))
}

/** An END that closes nothing in there, and below it another START, with no fence between: two pieces in one block. */
function holdsTwoParts(text: string, { from, to }: Span): boolean {
  const content = text.slice(from, to)
  if (!content.includes('END') || !content.includes('START')) return false
  let open = 0
  let end: number | undefined
  for (const { word, line } of markersIn(content)) {
    if (word === 'END' && open > 0) open--
    else if (word === 'END') end = line.end
    else if (end !== undefined && !/^[ \t]*(?:```|~~~)/m.test(content.slice(end, line.start))) return true
    else [open, end] = [open + 1, undefined]
  }
  return false
}

/** A START above it is the sign of a part of the file. */
function holdsEnd(text: string, { from, to }: Span): boolean {
  for (const { word } of markersIn(text.slice(from, to))) if (word === 'END') return true
  return false
}

/** The lines of a text that are START or END, from its first to its last. */
function* markersIn(content: string): Generator<{ readonly word: 'START' | 'END'; readonly line: Line }> {
  for (const found of content.matchAll(/\b(?:START|END)\b/g)) {
    const word = found[0] === 'START' ? 'START' : 'END'
    const start = lineStart(content, found.index, 40)
    if (start === undefined) continue
    const line = { start, end: lineEnd(content, found.index) }
    if (isMarker(content, line, word)) yield { word, line }
  }
}

/** The path that the opening line gives; of a block that surely is a file, also the only one among its words, if the summary names it. */
function pathOf({ path, hasStart, isDelete }: Block, summary: Summary): string | undefined {
  if (path === undefined) return undefined
  const isClear = summary.names(path) || !(hasStart || isDelete) || path.length > 4096
  return (isClear ? undefined : namedIn(path, summary)) ?? fullPath(path, summary)
}

/** `src/a.ts` of `Update src/a.ts`, `-> src/a.ts`, `[src/a.ts]`. */
function namedIn(words: string, summary: Summary): string | undefined {
  const [path, ...more] = new Set(pathsAmong(words))
  return path !== undefined && more.length === 0 && summary.names(path) ? path : undefined
}

/** The path as the block gives it, or the part of it that the summary names: remarks behind a path are common. */
function fullPath(path: string, summary: Summary): string {
  if (looksLikePath(path) || summary.names(path)) return path
  const shorter = [...withoutRemark(path), firstWord(path)].find(each => summary.names(each) && looksLikePath(each))
  return shorter ?? beforeRemark(path) ?? withoutUsualRemark(path)
}

function bestGuess(
  block: Block,
  { summary, control }: Announced,
  marked: ReadonlyMap<string, Block>,
): Guess | undefined {
  for (const guess of block.guesses) {
    const { above } = guess
    if (above !== undefined && above >= control.from && above < control.to) continue
    const path = fullPath(guess.path, summary)
    if (!summary.names(path)) continue
    if (!block.hasStart && !block.isDelete && marked.has(path)) continue
    return { ...guess, path }
  }
  return undefined
}

/**
 * Nothing follows the block that would tell that the answer went on behind it: no more than a few words that are no sentence,
 * where its fence may have been the file's own, which opened a block with these words.
 */
function mayBeCut(text: string, block: Block): boolean {
  const below = text.slice(block.after).trim()
  if (below === '' || /```|~~~/.test(below) || !mayHoldBareFence(text, block)) return below === ''
  return !/[.!?:…。！？\p{Extended_Pictographic}]$/u.test(below)
}

/** The lines of a block as they go to the file: without the fence's indentation and the blank line beside each marker. */
function contentOf(
  text: string,
  span: Span,
  block: Block,
  markers: { readonly start: boolean; readonly end: boolean; readonly above: readonly Span[] },
): { readonly content: string; readonly from: number } {
  const raw = text.slice(span.from, span.to)
  const columns = ownIndent(text, block, raw)
  const lines = dedent(raw, columns)
  // Some models put blanks on the template's lines, too.
  const from = markers.start ? (/^[ \t]*\n/.exec(lines)?.[0].length ?? 0) : 0
  const rest = lines.slice(from)
  const last = rest.slice(0, -1).lastIndexOf('\n') + 1
  const content = markers.end && /^[ \t]*\n$/.test(rest.slice(last)) ? rest.slice(0, last) : rest
  const first = from === 0 ? span.from : afterLine(text, lineEnd(text, span.from))
  const above = markers.above.map(({ from, to }) => dedent(text.slice(from, to), columns)).join('')
  return { content: above + closed(content), from: linesAbove(text, first, above.split('\n').length - 1) }
}

/** Where the line begins that stands so many lines above the one that begins at `start`. */
function linesAbove(text: string, start: number, count: number): number {
  let at = start
  for (let line = 0; line < count; line++) at = text.lastIndexOf('\n', at - 2) + 1
  return at
}

/**
 * How far the block's own lines are indented: a chat, or the model, may indent the fences alone, or with the markers, or
 * all but the fences.
 */
function ownIndent(text: string, block: Block, raw: string): number {
  const first = block.hasStart ? nextFilledLine(text, block.body.from, block.body.to) : undefined
  const start = first === undefined ? block.indent : indentOf(text.slice(first.start, first.start + 100))
  const most = Math.max(start, block.indent)
  if (most === 0) return 0
  const inside = nextFilledLine(raw, 0, raw.length)
  const begin = inside === undefined ? start : indentOf(raw.slice(inside.start, inside.start + 100), start)
  if (block.hasStart && start <= block.indent && begin === start) return start
  let least = most
  for (const line of raw.split('\n')) if (line.trim() !== '') least = Math.min(least, indentOf(line, most))
  return least === most ? most : Math.min(least, block.indent)
}

/** Every line ends in LF, the last one too; nothing at all stays nothing. */
function closed(lines: string): string {
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}
