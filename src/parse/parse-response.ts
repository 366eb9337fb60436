import { isOwnText } from '../lines/own-text.ts'
import type { Control, IgnoredWhy, Parsed, Patch, Problem } from '../model/response.ts'
import { type Block, type Cut, findBlocks } from './blocks/find-blocks.ts'
import { reasoningOf } from './blocks/reasoning.ts'
import { type Begin, looseEnd, skipThinking } from './blocks/skip-thinking.ts'
import { unwrap } from './blocks/unwrap.ts'
import { chooseControl, type Ours } from './control/choose-control.ts'
import type { ControlText } from './control/read-control.ts'
import type { JudgedUuid } from './control/uuid.ts'
import { answerDoubts } from './doubts/answer-doubts.ts'
import { answerProblems, noFiles } from './doubts/answer-problems.ts'
import { findFlags } from './doubts/find-flags.ts'
import { assemble } from './files/assemble.ts'
import { editsBeside } from './files/edits-beside.ts'
import { editsLeftOut } from './files/edits-left-out.ts'
import { readFiles } from './files/read-files.ts'
import { withoutDamaged } from './files/without-damaged.ts'
import { type LineOf, lineNumbers } from './lines/lines.ts'
import { isMarker, startMarker } from './lines/marker.ts'
import { templatePath } from './lines/path.ts'
import { unquote } from './lines/unquote.ts'

/**
 * Reads a text as a response to this project: a patch, nothing for us, or ours with damage.
 *
 * Pure, and linear in the text whatever it holds. Nothing is guessed: what cannot be understood is refused with the
 * reason, and what is doubtful is flagged.
 */
export function parseResponse(text: string, projectId: string): Parsed {
  if (!mayBeOurs(text)) return ignored(noPatch(text))
  const response = withoutEndSign(withLineFeeds(text))
  if (isOwnText(response)) return ignored({ kind: 'own-text' })
  return read(response, projectId, 1)
}

/** How many wrappers around an answer come off: a code block around all of it, a quotation, perhaps one in the other. */
const mostWrappers = 3

function read(text: string, projectId: string, firstLine: number, wrappers = 0): Parsed {
  const answer = cutAnswer(text)
  const chosen = chooseControl(text, answer.cut, projectId)
  if (chosen.kind === 'ours') return readAnswer(text, projectId, answer, chosen, lineNumbers(text, firstLine))
  if (chosen.kind === 'not-ours') return ignored(chosen.why)
  const inner = wrappers < mostWrappers ? (unwrap(text, answer.from) ?? unquote(text, answer.from)) : undefined
  if (inner !== undefined) return read(inner.text, projectId, firstLine + inner.lines, wrappers + 1)
  return ignored(withoutControl(text, answer.cut.blocks))
}

/** Reads the files of an answer to this project: sound, they are a patch; what is damaged is a problem. */
function readAnswer(text: string, projectId: string, answer: Answer, ours: Ours, lineOf: LineOf): Parsed {
  const { cut, from } = answer
  const { control, uuid, blocks } = ours
  const { files, problems: damage } = readFiles(text, blocks, control, lineOf)
  // Damage that has no path may be what is left of the instructions.
  const hasFiles = files.length > 0 || damage.some(({ path }) => path !== undefined)
  if (uuid.kind === 'template' && !hasFiles) return ignored({ kind: 'own-text' })

  const assembled = assemble(files, lineOf)
  const known = knownOf(projectId, control.control, uuid)
  const controls = ours.controls.map(each => ({ start: each.from, after: each.to }))
  const reasoning = reasoningOf(text, from, [...files.map(file => file.block), ...ours.template, ...controls])
  const patch: Patch = {
    control: { ...known, uuid: known.uuid ?? '' },
    operations: assembled.operations,
    reasoning,
    flags: [
      ...assembled.flags,
      ...findFlags(assembled.files, control, lineOf),
      ...answerDoubts(text, assembled.files, control, answer, lineOf),
      ...editsLeftOut(text, from, blocks, files, control, lineOf),
    ],
  }
  const ofTheWhole = answerProblems(ours, files, cut, lineOf)
  const beside = editsBeside(text, from, files, control.control.summary, lineOf)
  const problems: Problem[] = [...ofTheWhole, ...damage, ...assembled.problems, ...beside]
  if (problems.length === 0 && patch.operations.length === 0) problems.push(noFiles(text, ours, lineOf))
  const [first, ...more] = problems
  if (first === undefined) return { kind: 'patch', patch }
  // Damage in a block speaks against its file alone; what is wrong with the whole speaks against every file.
  const sound = ofTheWhole.length === 0 ? withoutDamaged(patch, problems) : undefined
  return { kind: 'refused', problems: [first, ...more], sound, control: known, reasoning }
}

/** What could be read of the control block: an id that is none is left out. */
function knownOf(
  projectId: string,
  { summary, promptSummary, gitCommitMsg }: ControlText,
  uuid: JudgedUuid,
): Omit<Control, 'uuid'> & Partial<Control> {
  return {
    projectId,
    ...(uuid.kind === 'good' ? { uuid: uuid.uuid } : {}),
    changeSummary: summary.data,
    ...(promptSummary === undefined ? {} : { promptSummary }),
    ...(gitCommitMsg === undefined ? {} : { gitCommitMsg }),
  }
}

/** A glance that dismisses nearly every text that is not for us without reading it. */
function mayBeOurs(text: string): boolean {
  if (text.includes('projectId')) return true
  return text.includes('START') && (text.includes('```') || text.includes('~~~'))
}

/** Windows and old Macs end lines in other ways; two programs in a row make `\r\r\n`. A CR of another kind is content. */
function withLineFeeds(text: string): string {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (plain.includes('\r\n')) return plain.split('\r\n').join('\n').split('\r\n').join('\n')
  return plain.includes('\r') && !plain.includes('\n') ? plain.split('\r').join('\n') : plain
}

/** The sign by which a model ends its answer, where it was run together with the last fence. */
function withoutEndSign(text: string): string {
  const end = /```[ \t]*((?:<\|[a-z_]{2,20}\|>|<\uff5cend\u2581of\u2581sentence\uff5c>|<end_of_turn>|<\/s>)\s*)$/
  const sign = end.exec(text.slice(-100))?.[1] ?? ''
  return text.slice(0, text.length - sign.length)
}

/** A response cut into blocks and prose, without what the model only thought. */
interface Answer {
  readonly begin: Begin
  readonly from: number
  readonly cut: Cut
}

function cutAnswer(text: string): Answer {
  const begin = skipThinking(text)
  const cut = withoutUnchanged(text, findBlocks(text, begin.at))
  const loose = looseEnd(text, begin.at)
  const isInside =
    loose !== undefined && cut.blocks.some(block => block.hasStart && block.start < loose && loose < block.after)
  if (loose === undefined || isInside) return { begin, from: begin.at, cut }
  return { begin, from: loose, cut: findBlocks(text, loose) }
}

/** A text that begins as a diff may show an answer among its unchanged lines, one blank further in: still a diff. */
function withoutUnchanged(text: string, cut: Cut): Cut {
  if (!beginsAsDiff(text)) return cut
  const isAdded = (at: number) => text[at] !== ' '
  const blocks = cut.blocks.filter(block => isAdded(block.start))
  return { ...cut, blocks, bareControls: cut.bareControls.filter(isAdded) }
}

function beginsAsDiff(text: string): boolean {
  return /^\s*(?:diff --git |--- \S|Index: |commit [\da-f]{7})/.test(text.slice(0, 200))
}

function withoutControl(text: string, blocks: readonly Block[]): IgnoredWhy {
  const files = blocks.filter(block => block.path !== undefined && block.hasStart)
  const whole = files.filter(block => block.how === 'end')
  // The control block is the end of an answer: what has neither that nor its END was cut off before it.
  const cut = files.some(block => block.how !== 'end' && block.path !== templatePath) ? { isCut: true as const } : {}
  if (whole.some(block => block.path !== templatePath)) return { kind: 'no-control', ...cut }
  return whole.length > 0 ? { kind: 'own-text' } : { ...noPatch(text), ...cut }
}

/** The copy button of a block copies what stands in it: neither its path nor the rest of the answer. */
function noPatch(text: string): IgnoredWhy {
  const end = text.trimEnd().length
  const last = { start: text.lastIndexOf('\n', end - 1) + 1, end }
  const isBlock = startMarker(text, 0) !== undefined && isMarker(text, last, 'END')
  return { kind: 'no-patch', ...(isBlock && { isBlock }) }
}

function ignored(why: IgnoredWhy): Parsed {
  return { kind: 'ignored', why }
}
