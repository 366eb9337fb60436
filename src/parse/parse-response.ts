import type { Control, Flag, IgnoredWhy, Parsed, Patch, Problem } from '../model.ts'
import { assemble } from './assemble.ts'
import { type Block, type Cut, findBlocks } from './find-blocks.ts'
import { type FoundControl, findControls } from './find-control.ts'
import { findEditInstead } from './find-edit-format.ts'
import { findFlags } from './find-flags.ts'
import { type LineOf, lineNumbers } from './lines.ts'
import { lostLines } from './lost-layout.ts'
import { oldAndNew } from './old-and-new.ts'
import { templatePath } from './path.ts'
import { type FileBlock, readFiles } from './read-files.ts'
import { reasoningOf } from './reasoning.ts'
import { type Begin, looseEnd, skipThinking } from './skip-thinking.ts'
import { unquote } from './unquote.ts'
import { unwrap } from './unwrap.ts'
import { judgeUuid } from './uuid.ts'
import { withoutDamaged } from './without-damaged.ts'

/**
 * Reads a text as a response to this project: a patch, nothing for us, or ours with damage.
 *
 * Pure, and linear in the text whatever it holds. Nothing is guessed: what cannot be understood is refused with the
 * reason, and what is doubtful is flagged.
 */
export function parseResponse(text: string, projectId: string): Parsed {
  if (!mayBeOurs(text)) return ignored({ kind: 'no-patch' })
  const response = withoutEndSign(withLineFeeds(text))
  if (isFollowUp(response)) return ignored({ kind: 'own-text' })
  return read(response, projectId, 1)
}

/** How many wrappers around an answer come off: a code block around all of it, a quotation, perhaps one in the other. */
const mostWrappers = 3

function read(text: string, projectId: string, firstLine: number, wrappers = 0): Parsed {
  const begin = skipThinking(text)
  const { cut, from } = cutAnswer(text, begin.at)
  const all = speakingTo(projectId, findControls(text, cut), cut.blocks)
  const template = templateBlocks(text, cut.blocks, all)
  const blocks = cut.blocks.filter(block => !template.has(block))
  const controls = realControls(all, blocks, template)
  const control = controls.at(-1)
  if (control === undefined) {
    const inner = wrappers < mostWrappers ? (unwrap(text, from) ?? unquote(text, from)) : undefined
    if (inner !== undefined) return read(inner.text, projectId, firstLine + inner.lines, wrappers + 1)
    return ignored(withoutControl(cut.blocks))
  }

  const { control: said } = control
  if (!controls.some(each => isOf(projectId, each))) {
    const uuid = judgeUuid(said.uuid)
    if (uuid.kind === 'template') return ignored({ kind: 'own-text' })
    return ignored({
      kind: 'other-project',
      projectId: said.projectId,
      uuid: uuid.kind === 'good' ? uuid.uuid : undefined,
    })
  }

  const lineOf = lineNumbers(text, firstLine)
  const others = blocks.filter(block => block !== control.block)
  const { files, problems: damage } = readFiles(text, others, { summary: said.summary, control }, lineOf)
  const reasoning = reasoningOf(text, from, [...files.map(file => file.block), ...template, ...controls.map(spanOf)])
  const uuid = judgeUuid(said.uuid)
  // Damage that has no path may be what is left of the instructions.
  const hasFiles = files.length > 0 || damage.some(({ path }) => path !== undefined)
  if (uuid.kind === 'template' && !hasFiles) return ignored({ kind: 'own-text' })

  const at = { line: lineOf(control.from), ...(control.block === undefined ? {} : { block: control.block.number }) }
  // A YAML file whose path stands above its block may look like a control block.
  const fileBlocks = new Set<Block | undefined>(files.map(file => file.block))
  const second = controls.find(each => !fileBlocks.has(each.block) && !isSame(each, control))
  const patch = assemble(files, lineOf)
  const ofTheWhole: Problem[] = [
    ...(second === undefined ? [] : [twoControls(lineOf(second.from), at)]),
    ...(uuid.kind === 'good' ? [] : [{ code: uuid.code, message: uuid.message, ...at }]),
    ...(said.contradiction === undefined ? [] : [{ ...twoValues(said.contradiction), ...at }]),
    ...(cut.strayStart === undefined ? [] : [lostFence(lineOf(cut.strayStart))]),
  ]
  const problems: Problem[] = [...ofTheWhole, ...damage, ...patch.problems]
  const fencedControls = all.filter(({ block }) => block !== undefined).length
  const [
    first = patch.operations.length === 0
      ? { ...noFiles(text, said.summary.promises.length, cut.count > fencedControls + template.size), ...at }
      : undefined,
    ...more
  ] = problems

  const known: Partial<Control> = {
    projectId,
    ...(uuid.kind === 'good' ? { uuid: uuid.uuid } : {}),
    changeSummary: said.summary.data,
    ...(said.promptSummary === undefined ? {} : { promptSummary: said.promptSummary }),
    ...(said.gitCommitMsg === undefined ? {} : { gitCommitMsg: said.gitCommitMsg }),
  }
  const whole: Patch = {
    control: { ...known, projectId, uuid: uuid.kind === 'good' ? uuid.uuid : '', changeSummary: said.summary.data },
    operations: patch.operations,
    reasoning,
    flags: patch.flags.concat(
      findFlags(text, patch.files, said, at.line, lineOf),
      earlyEnd(patch.files, cut.strayEnd, lineOf),
      earlyFence(patch.files, cut.strayFence, lineOf),
      oldAndNew(patch.files, cut, lineOf),
      lostLines(text, patch.files, control, lineOf),
      perhapsDraft(begin, lineOf(0)),
    ),
  }
  if (first === undefined) return { kind: 'patch', patch: whole }
  // Damage in a block speaks against its file alone; what is wrong with the whole speaks against every file.
  const sound = ofTheWhole.length === 0 ? withoutDamaged(whole, problems) : undefined
  return { kind: 'refused', problems: [first, ...more], sound, control: known, reasoning }
}

/** An END line out in the prose or in a quotation: the file above it may go on down to there, or its beginning was not copied. */
function earlyEnd(files: readonly FileBlock[], strayEnd: number | undefined, lineOf: LineOf): readonly Flag[] {
  if (strayEnd === undefined) return []
  const file = files
    .filter(({ block }) => block.after <= strayEnd)
    .sort((a, b) => a.block.after - b.block.after)
    .at(-1)
  if (file === undefined) {
    const lost = 'an END line stands above the first file: the beginning of the answer may not have been copied'
    return [{ flag: 'missing-end', line: lineOf(strayEnd), reason: lost }]
  }
  const reason = 'another END line stands below its block: the file may go on down to there'
  return [{ flag: 'missing-end', path: file.operation.path, line: lineOf(strayEnd), reason }]
}

/** A fence in the prose that may be the end of the unmarked file above it. */
function earlyFence(files: readonly FileBlock[], strayFence: number | undefined, lineOf: LineOf): readonly Flag[] {
  const file = strayFence === undefined ? undefined : files.findLast(({ block }) => block.after <= strayFence)
  if (strayFence === undefined || file === undefined || file.block.hasStart) return []
  const reason = 'the fences below its block do not come out even: the file may go on down to there'
  return [{ flag: 'missing-end', path: file.operation.path, line: lineOf(strayFence), reason }]
}

/** What stands below an unclosed section of thinking may be the answer, or what the model only considered. */
function perhapsDraft({ unclosed }: Begin, line: number): readonly Flag[] {
  if (unclosed === undefined) return []
  const reason = `the text begins with ${unclosed}, which is never closed: the files may be a draft from the model's thinking`
  return [{ flag: 'chat-artifact', line, reason }]
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

/** relay's own requests to a model carry this in their first line, so that copying one never triggers anything. */
function isFollowUp(text: string): boolean {
  const head = text.slice(0, 2000).trimStart()
  const end = head.indexOf('\n')
  return (end < 0 ? head : head.slice(0, end)).includes('# relay-followup')
}

function cutAnswer(text: string, begin: number): { readonly cut: Cut; readonly from: number } {
  const cut = withoutUnchanged(text, findBlocks(text, begin))
  const loose = looseEnd(text, begin)
  const isInside =
    loose !== undefined && cut.blocks.some(block => block.hasStart && block.start < loose && loose < block.after)
  return loose === undefined || isInside ? { cut, from: begin } : { cut: findBlocks(text, loose), from: loose }
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

function isOf(projectId: string, { control }: FoundControl): boolean {
  return control.readings.includes(projectId)
}

/** The control blocks of answers: ours, and those of other projects that are more than some YAML with the same keys. */
function speakingTo(
  projectId: string,
  controls: readonly FoundControl[],
  blocks: readonly Block[],
): readonly FoundControl[] {
  const hasOurs = controls.some(each => isOf(projectId, each))
  const hasFiles = blocks.some(block => block.path !== undefined && (block.hasStart || block.isDelete))
  return controls.filter(each => {
    if (isOf(projectId, each)) return true
    const uuid = judgeUuid(each.control.uuid)
    if (uuid.kind === 'bad' && each.control.uuid !== undefined) return false
    return each.control.hasSummary || (hasFiles && !hasOurs)
  })
}

/** The blocks of the instructions for the model, which may have been copied along with the answer, or said again in it. */
function templateBlocks(text: string, blocks: readonly Block[], controls: readonly FoundControl[]): ReadonlySet<Block> {
  const hasTemplate = controls.some(each => judgeUuid(each.control.uuid).kind === 'template')
  const isTemplate = (block: Block) => hasTemplate || block.isDelete || isTemplateContent(text, block)
  return new Set(blocks.filter(block => block.path === templatePath && isTemplate(block)))
}

/** Nothing but `{content}`. */
function isTemplateContent(text: string, { content }: Block): boolean {
  return /^\s*\{[\w ]{1,40}\}\s*$/.test(text.slice(content.from, Math.min(content.to, content.from + 200)))
}

/** The instructions' own control block does not count beside a real one, where it vouches for no file. */
function realControls(
  controls: readonly FoundControl[],
  blocks: readonly Block[],
  template: ReadonlySet<Block>,
): readonly FoundControl[] {
  const isTemplate = ({ control }: FoundControl) => judgeUuid(control.uuid).kind === 'template'
  const firstFile = template.size > 0 ? undefined : blocks.find(block => block.path !== undefined)
  const real = controls.filter(each => !isTemplate(each) || each.from > (firstFile?.start ?? Number.POSITIVE_INFINITY))
  return real.some(each => !isTemplate(each)) ? real : controls
}

function withoutControl(blocks: readonly Block[]): IgnoredWhy {
  const files = blocks.filter(block => block.path !== undefined && block.hasStart)
  const whole = files.filter(block => block.how === 'end')
  // The control block is the end of an answer: what has neither that nor its END was cut off before it.
  const cut = files.some(block => block.how !== 'end' && block.path !== templatePath) ? { isCut: true as const } : {}
  if (whole.some(block => block.path !== templatePath)) return { kind: 'no-control', ...cut }
  return whole.length > 0 ? { kind: 'own-text' } : { kind: 'no-patch', ...cut }
}

/** Printed twice, a control block is still one. */
function isSame(one: FoundControl, other: FoundControl): boolean {
  const key = ({ control }: FoundControl) =>
    JSON.stringify([control.projectId, control.uuid, control.summary.data, control.invalid !== undefined])
  return one === other || key(one) === key(other)
}

function spanOf(control: FoundControl): { readonly start: number; readonly after: number } {
  return { start: control.from, after: control.to }
}

function twoControls(line: number, at: { readonly line: number }): Problem {
  const [earlier, later] = line < at.line ? [line, at.line] : [at.line, line]
  return {
    code: 'two-controls',
    message: `Two different control blocks, at lines ${earlier} and ${later}: two answers were copied together, or one is an example in a file whose fences do not come out. Copy one answer alone.`,
    line: later,
  }
}

function twoValues(key: string): Problem {
  return {
    code: 'two-values',
    message: `The control block gives ${key} twice, with different values. Ask for the control block again.`,
  }
}

function lostFence(line: number): Problem {
  return {
    code: 'fences-lost',
    message:
      "A START line stands outside of any code block: the fences were lost in copying. Use the chat's copy button.",
    line,
  }
}

function noFiles(text: string, promised: number, hasBlocks: boolean): Problem {
  const announced =
    promised === 0 ? '' : `, although the change summary names ${promised === 1 ? 'a file' : `${promised} files`}`
  return { code: 'no-files', message: `A control block but no files${announced}. ${insteadOfFiles(text, hasBlocks)}` }
}

function insteadOfFiles(text: string, hasBlocks: boolean): string {
  const edit = findEditInstead(text)
  if (edit !== undefined) {
    return `The answer gives ${edit} instead: ask for the full source of each file, between START and END in a block with its path on the opening line.`
  }
  return hasBlocks
    ? 'No code block is a file: each needs its path as a comment on the opening line, and its whole text between START and END. Ask for the files once more.'
    : "If the files are in an artifact or a canvas, ask for them as code blocks in the answer; if they are on the screen, use the chat's copy button."
}

function ignored(why: IgnoredWhy): Parsed {
  return { kind: 'ignored', why }
}
