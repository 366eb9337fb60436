import type { Block, Cut } from '../blocks/find-blocks.ts'
import { dedent } from '../lines/dedent.ts'
import { isBlank, lineEnd, lineEndWithin } from '../lines/lines.ts'
import { looksLikePath } from '../lines/path.ts'
import { type ControlText, mayBeFlow, readControl } from './read-control.ts'
import { bullet } from './summary-entry.ts'

/** A control block and its place in the response. */
export interface FoundControl {
  readonly control: ControlText
  readonly from: number
  readonly to: number
  /** The block it stands in; undefined when it has no fence. */
  readonly block: Block | undefined
}

/** Finds every text that could be the control block, in order. */
export function findControls(text: string, cut: Cut): readonly FoundControl[] {
  const candidates = cut.blocks.filter(block => block.mayBeControl)
  const unnamed = readAll(text, candidates.filter(isUnnamed))
  const bare = readBareControls(text, cut.bareControls)
  const usual = unnamed.filter(each => usualLabel.test(each.block?.info.split(/\s/)[0] ?? ''))
  const sure = [...usual, ...bare].sort((one, other) => one.from - other.from)
  if (sure.length > 0) return sure
  return unnamed.length > 0
    ? unnamed
    : readAll(
        text,
        candidates.filter(block => !isUnnamed(block)),
      ).filter(isNoFile)
}

/**
 * The YAML library takes long for a block that is broken, so that a text full of them would hold relay up for minutes. So
 * many characters of such blocks are read, from the last one up, which is the one that counts; sound ones all are.
 */
const mostBroken = 100_000

/** A block of another kind (`ts`, `json`) is only a control block where no block of these kinds is one. */
const usualLabel = /^(?:ya?ml|text|txt|plaintext)?$/i

function isUnnamed({ path, hasStart }: Block): boolean {
  return path === undefined && !hasStart
}

/** A title (`yaml # Control block`) or markers around the only control block do not make it a file. */
function isNoFile({ block, control }: FoundControl): boolean {
  if (block?.path === undefined || !looksLikePath(block.path)) return true
  return !block.hasStart && !control.summary.names(block.path)
}

function readAll(text: string, blocks: readonly Block[]): readonly FoundControl[] {
  const found: FoundControl[] = []
  let broken = 0
  for (const block of blocks.toReversed()) {
    const body = dedent(text.slice(block.contentFrom, block.body.to), block.indent)
    const control = readControl(body)
    if (control === undefined ? mayBeFlow(body) : control.invalid !== undefined) broken += body.length
    if (control !== undefined) {
      const open =
        block.how === 'open' ? 'the code block of the YAML is not closed: the answer may be cut off' : undefined
      const invalid = control.invalid ?? open
      found.push({ control: { ...control, invalid }, from: block.start, to: block.after, block })
    }
    if (broken >= mostBroken) break
  }
  return found.reverse()
}

function readBareControls(text: string, places: readonly number[]): readonly FoundControl[] {
  const spans: { readonly at: number; readonly to: number }[] = []
  for (const at of places) if (at >= (spans.at(-1)?.to ?? 0)) spans.push({ at, to: ending(text, at) })
  const found: FoundControl[] = []
  let broken = 0
  for (const { at, to } of spans.toReversed()) {
    const bare = readBare(text, at, to)
    if (bare === undefined) continue
    found.push(bare)
    if (bare.control.invalid !== undefined) broken += to - at
    if (broken >= mostBroken) break
  }
  return found.reverse()
}

/** A control block without a fence: its key lines, as far as they go. Prose may follow. */
function readBare(text: string, at: number, to: number): FoundControl | undefined {
  if (isCode(shortLine(text, at).trim())) return undefined
  const from = beginningOfKeys(text, at)
  const control = readControl(text.slice(from, to))
  return control === undefined || isFilledIn(control.uuid ?? '') ? undefined : { control, from, to, block: undefined }
}

/** `projectId: config.projectId,` is a line of a program; with its key in double quotes it is one of JSON. */
function isCode(line: string): boolean {
  return isFilledIn(line) && !line.startsWith('"')
}

function isFilledIn(words: string): boolean {
  return /[,;({[]$|\$\{/.test(words)
}

const ownKey = /^["']?(?:projectId|uuid|changeSummary|promptSummary|gitCommitMsg)["']?[ \t]*[:\uff1a]/
const anyKey = /^[A-Za-z_][\w-]{0,60}:(?:[ \t]|$)/

/** Keys of ours right above the first `projectId`: the model may have put the uuid or the summary first. */
function beginningOfKeys(text: string, at: number): number {
  let from = at
  let start = at
  for (let lines = 0; start > 0 && lines < 2000; lines++) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    const words = shortLine(text, above).trim()
    if (ownKey.test(words)) from = above
    else if (!bullet.test(words)) break
    start = above
  }
  return from
}

/** The mapping goes on over keys, lists and indented lines; behind a blank line only over what surely belongs to it. */
function ending(text: string, at: number): number {
  const margin = leadOf(text, at)
  let end = at
  let list: number | undefined
  for (let start = at; start < text.length; start = lineEnd(text, start) + 1) {
    const words = shortLine(text, start).trim()
    if (words === '') continue
    const lead = leadOf(text, start)
    const isBelowBlank = start > end + 1
    const isItem = bullet.test(words)
    if (!(isItem ? isOfList(words, lead, isBelowBlank, list) : isOfMapping(words, lead, isBelowBlank, margin))) break
    if (isItem) list ??= lead
    end = lineEnd(text, start)
  }
  return end
}

/** A list behind the blank line may be the prose's own. */
function isOfList(words: string, lead: number, isBelowBlank: boolean, list: number | undefined): boolean {
  return !isBelowBlank || list === undefined || (lead === list && entry.test(words))
}

function isOfMapping(words: string, lead: number, isBelowBlank: boolean, margin: number): boolean {
  return lead > margin || ownKey.test(words) || (!isBelowBlank && (anyKey.test(words) || words.startsWith('#')))
}

/** A line of a list that says something of a path: `- edit: src/a.ts`. */
const entry = /^\S+\s+["'`*]{0,3}[A-Za-z]+["'`*]{0,3}:/

function leadOf(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== 10 && isBlank(text.charCodeAt(at))) at++
  return at - start
}

function shortLine(text: string, start: number): string {
  return text.slice(start, lineEndWithin(text, start, 400))
}
