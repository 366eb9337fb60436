import type { Problem } from '../../model/response.ts'
import type { Block, Cut } from '../blocks/find-blocks.ts'
import type { Ours } from '../control/choose-control.ts'
import type { FoundControl } from '../control/find-control.ts'
import type { FileBlock } from '../files/file-block.ts'
import { findEditInstead } from '../files/find-edit-format.ts'
import type { LineOf } from '../lines/lines.ts'

/** What is wrong with the answer as a whole, and so speaks against each of its files. */
export function answerProblems(ours: Ours, files: readonly FileBlock[], cut: Cut, lineOf: LineOf): readonly Problem[] {
  const { control, controls, uuid } = ours
  const at = placeOf(control, lineOf)
  // A YAML file whose path stands above its block may look like a control block.
  const fileBlocks = new Set<Block | undefined>(files.map(file => file.block))
  const second = controls.find(each => !fileBlocks.has(each.block) && !isSame(each, control))
  const problems: Problem[] = []
  if (second !== undefined) problems.push(twoControls(lineOf(second.from), at))
  if (uuid.kind !== 'good') problems.push({ code: uuid.code, message: uuid.message, ...at })
  if (control.control.contradiction !== undefined) {
    problems.push({ ...twoValues(control.control.contradiction), ...at })
  }
  if (cut.strayStart !== undefined) problems.push(lostFence(lineOf(cut.strayStart)))
  return problems
}

export function placeOf(
  { from, block }: FoundControl,
  lineOf: LineOf,
): { readonly line: number; readonly block?: number } {
  return { line: lineOf(from), ...(block === undefined ? {} : { block: block.number }) }
}

/** Printed twice, a control block is still one. */
function isSame(one: FoundControl, other: FoundControl): boolean {
  const key = ({ control }: FoundControl) =>
    JSON.stringify([control.projectId, control.uuid, control.summary.data, control.invalid !== undefined])
  return one === other || key(one) === key(other)
}

function twoControls(line: number, at: { readonly line: number }): Problem {
  const [earlier, later] = line < at.line ? [line, at.line] : [at.line, line]
  return {
    code: 'two-controls',
    message: `Two different YAML blocks, at lines ${earlier} and ${later}: two answers were copied together, or one is an example in a file whose fences do not match. Copy one answer alone.`,
    line: later,
  }
}

function twoValues(key: string): Problem {
  return {
    code: 'two-values',
    message: `The YAML block gives ${key} twice, with different values. Ask for the YAML block again.`,
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

/** The problem of a control block to which there are no files, and what to do about it. */
export function noFiles(text: string, { control, hasBlocks }: Ours, lineOf: LineOf): Problem {
  const promised = control.control.summary.promises.length
  const announced =
    promised === 0 ? '' : `, although the change summary names ${promised === 1 ? 'a file' : `${promised} files`}`
  const message = `A YAML block but no files${announced}. ${insteadOfFiles(text, hasBlocks)}`
  return { code: 'no-files', message, ...placeOf(control, lineOf) }
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
