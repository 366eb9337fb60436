import { dedent } from './dedent.ts'
import type { Block, Cut } from './find-blocks.ts'
import { isBlank, lineEnd } from './lines.ts'
import { type ControlText, readControl } from './read-control.ts'

/** A control block and its place in the response. */
export interface FoundControl {
  readonly control: ControlText
  readonly from: number
  readonly to: number
  /** The block it stands in; undefined when it has no fence. */
  readonly block: Block | undefined
}

/** A block of another kind (`ts`, `json`) is only a control block where no block of these kinds is one. */
const usualLabel = /^(?:ya?ml|text|txt|plaintext)?$/i

/** Finds every text that could be the control block, in order. */
export function findControls(text: string, cut: Cut): readonly FoundControl[] {
  const fenced: FoundControl[] = []
  for (const block of cut.blocks) {
    if (!block.mayBeControl) continue
    const body = text.slice(block.body.from, block.body.to)
    const control = readControl(dedent(body, block.indent))
    if (control === undefined) continue
    const open = block.how === 'open' ? 'its fence is not closed: the answer may be cut off' : undefined
    const invalid = control.invalid ?? open
    fenced.push({ control: { ...control, invalid }, from: block.start, to: block.after, block })
  }
  const usual = fenced.filter(each => usualLabel.test(each.block?.info.split(/\s/)[0] ?? ''))
  const bare = readBareControls(text, cut.bareControls)
  const sure = [...usual, ...bare].sort((one, other) => one.from - other.from)
  return sure.length > 0 ? sure : fenced
}

function readBareControls(text: string, places: readonly number[]): readonly FoundControl[] {
  const found: FoundControl[] = []
  let read = 0
  for (const at of places) {
    if (at < read) continue
    const to = ending(text, at)
    const control = readBare(text, at, to)
    if (control !== undefined) found.push(control)
    read = to
  }
  return found
}

/** A control block without a fence: its key lines, as far as they go. Prose may follow. */
function readBare(text: string, at: number, to: number): FoundControl | undefined {
  const from = beginning(text, at)
  const control = readControl(text.slice(from, to))
  return control === undefined || isCode(control.projectId) || isCode(control.uuid ?? '')
    ? undefined
    : { control, from, to, block: undefined }
}

/** `projectId: config.projectId,` is a line of a program. */
function isCode(id: string): boolean {
  return /[,;({[]$|\$\{/.test(id)
}

const ownKey = /^["']?(?:projectId|uuid|changeSummary|promptSummary|gitCommitMsg)["']?[ \t]*:/
const anyKey = /^[A-Za-z_][\w-]{0,60}:(?:[ \t]|$)/

/** Keys of ours right above the first `projectId`: the model may have put the uuid or the summary first. */
function beginning(text: string, at: number): number {
  let from = at
  let start = at
  for (let lines = 0; start > 0 && lines < 2000; lines++) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    const words = shortLine(text, above).trim()
    if (ownKey.test(words)) from = above
    else if (!/^-[ \t]/.test(words)) break
    start = above
  }
  return from
}

/** The mapping goes on over keys, lists and indented lines; behind a blank line only over keys of ours and lists. */
function ending(text: string, at: number): number {
  let end = at
  let start = at
  let afterBlank = false
  const margin = leadOf(text, at)
  while (start < text.length) {
    const stop = lineEnd(text, start)
    const words = shortLine(text, start).trim()
    if (words === '') afterBlank = true
    else {
      const isBelow = leadOf(text, start) > margin || /^-(?:[ \t]|$)/.test(words)
      const isNext = !afterBlank && (anyKey.test(words) || words.startsWith('#'))
      if (!isBelow && !isNext && !ownKey.test(words)) break
      afterBlank = false
      end = stop
    }
    start = stop + 1
  }
  return end
}

function leadOf(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== 10 && isBlank(text.charCodeAt(at))) at++
  return at - start
}

function shortLine(text: string, start: number): string {
  const line = text.slice(start, start + 400)
  const end = line.indexOf('\n')
  return end < 0 ? line : line.slice(0, end)
}
