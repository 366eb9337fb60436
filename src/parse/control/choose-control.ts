import type { IgnoredWhy } from '../../model/response.ts'
import type { Block, Cut } from '../blocks/find-blocks.ts'
import { templatePath } from '../lines/path.ts'
import { type FoundControl, findControls } from './find-control.ts'
import { type JudgedUuid, judgeUuid } from './uuid.ts'

/** What the control blocks of a response say about whom it speaks to. */
export type Chosen =
  | { readonly kind: 'none' }
  | { readonly kind: 'not-ours'; readonly why: IgnoredWhy }
  | ({ readonly kind: 'ours' } & Ours)

export interface Ours {
  /** The last one, which counts. */
  readonly control: FoundControl
  readonly uuid: JudgedUuid
  /** All that may be meant. */
  readonly controls: readonly FoundControl[]
  /** The instructions' own blocks, and what is left without them and the control block. */
  readonly template: ReadonlySet<Block>
  readonly blocks: readonly Block[]
  /** There are other code blocks, whatever they are. */
  readonly hasBlocks: boolean
}

/** Chooses the control block of a response; those of other projects and of copied instructions count where no other does. */
export function chooseControl(text: string, cut: Cut, projectId: string): Chosen {
  const all = speakingTo(projectId, findControls(text, cut), cut.blocks)
  const template = templateBlocks(text, cut.blocks, all)
  const blocks = cut.blocks.filter(block => !template.has(block))
  const controls = realControls(all, blocks, template.size > 0)
  const control = controls.at(-1)
  if (control === undefined) return { kind: 'none' }

  const uuid = judgeUuid(control.control.uuid)
  if (!controls.some(each => isOf(projectId, each))) return { kind: 'not-ours', why: ofAnother(control, uuid) }
  return {
    kind: 'ours',
    control,
    uuid,
    controls,
    template,
    blocks: blocks.filter(block => block !== control.block),
    hasBlocks: cut.count > all.filter(({ block }) => block !== undefined).length + template.size,
  }
}

function ofAnother({ control }: FoundControl, uuid: JudgedUuid): IgnoredWhy {
  if (uuid.kind === 'template') return { kind: 'own-text' }
  const id = uuid.kind === 'good' ? uuid.uuid : undefined
  return { kind: 'other-project', projectId: control.projectId, uuid: id }
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
    const { uuid, hasSummary } = each.control
    if (uuid !== undefined && judgeUuid(uuid).kind === 'bad') return false
    return hasSummary || (hasFiles && !hasOurs)
  })
}

function isOf(projectId: string, { control }: FoundControl): boolean {
  return control.readings.includes(projectId)
}

function isTemplate({ control }: FoundControl): boolean {
  return judgeUuid(control.uuid).kind === 'template'
}

/** The blocks of the instructions for the model, which may have been copied along with the answer, or said again in it. */
function templateBlocks(text: string, blocks: readonly Block[], controls: readonly FoundControl[]): ReadonlySet<Block> {
  const hasTemplate = controls.some(isTemplate)
  const isOne = (block: Block) => hasTemplate || block.isDelete || isTemplateContent(text, block)
  return new Set(blocks.filter(block => block.path === templatePath && isOne(block)))
}

/** Nothing but `{content}`. */
function isTemplateContent(text: string, { contentFrom, body }: Block): boolean {
  return /^\s*\{[\w ]{1,40}\}\s*$/.test(text.slice(contentFrom, Math.min(body.to, contentFrom + 200)))
}

/** The instructions' own control block does not count beside a real one, where it vouches for no file. */
function realControls(
  controls: readonly FoundControl[],
  blocks: readonly Block[],
  hasTemplateBlocks: boolean,
): readonly FoundControl[] {
  const firstFile = hasTemplateBlocks ? undefined : blocks.find(block => block.path !== undefined)
  const real = controls.filter(each => !isTemplate(each) || each.from > (firstFile?.start ?? Number.POSITIVE_INFINITY))
  return real.some(each => !isTemplate(each)) ? real : controls
}
