import type { Flag } from '../../model/response.ts'
import type { Cut } from '../blocks/find-blocks.ts'
import type { Begin } from '../blocks/skip-thinking.ts'
import type { FoundControl } from '../control/find-control.ts'
import type { FileBlock } from '../files/file-block.ts'
import type { LineOf } from '../lines/lines.ts'
import { lostLines } from './lost-layout.ts'

/** Doubts that the answer as a whole raises about its files, which stand in the order of their blocks. */
export function answerDoubts(
  text: string,
  files: readonly FileBlock[],
  control: FoundControl,
  { cut, begin }: { readonly cut: Cut; readonly begin: Begin },
  lineOf: LineOf,
): readonly Flag[] {
  return [
    ...earlyEnd(files, cut, lineOf),
    ...earlyFence(files, cut, lineOf),
    ...oldAndNew(files, cut, lineOf),
    ...lostLines(text, files, control, lineOf),
    ...perhapsDraft(begin, lineOf(0)),
  ]
}

/** An END line out in the prose or in a quotation: the file above it may go on down to there, or its beginning was not copied. */
function earlyEnd(files: readonly FileBlock[], { strayEnd }: Cut, lineOf: LineOf): readonly Flag[] {
  if (strayEnd === undefined) return []
  const line = lineOf(strayEnd)
  const path = fileAbove(files, strayEnd)?.operation.path
  if (path === undefined) {
    const lost = 'an END line comes before the first file: the beginning of the answer may be missing'
    return [{ flag: 'missing-end', line, reason: lost }]
  }
  const reason = 'another END line follows its block: the file may go on to there'
  return [{ flag: 'missing-end', path, line, reason }]
}

/** A fence in the prose that may be the end of the unmarked file above it. */
function earlyFence(files: readonly FileBlock[], { strayFence }: Cut, lineOf: LineOf): readonly Flag[] {
  const file = strayFence === undefined ? undefined : fileAbove(files, strayFence)
  if (strayFence === undefined || file === undefined || file.block.hasStart) return []
  const reason = 'the fences below its block do not match: the file may go on to there'
  return [{ flag: 'missing-end', path: file.operation.path, line: lineOf(strayFence), reason }]
}

function fileAbove(files: readonly FileBlock[], at: number): FileBlock | undefined {
  return files.findLast(({ block }) => block.after <= at)
}

/** How much prose may stand between the old and the new: "becomes", "with this:". */
const farthest = 300

/**
 * Files without markers below which a nameless block of the same language stands: `src/a.ts`, then "becomes", then the new
 * text. What has the path may be the old one.
 */
function oldAndNew(files: readonly FileBlock[], { unnamed }: Cut, lineOf: LineOf): readonly Flag[] {
  const taken = new Set(files.map(({ block }) => block.start))
  const quoted = unnamed.filter(({ start }) => !taken.has(start))
  const reason = 'a block in the same language, without a path, follows: one of the two may be the old text'
  let at = 0
  return files.flatMap(({ operation: { op, path }, block }) => {
    while ((quoted[at]?.start ?? Number.POSITIVE_INFINITY) < block.after) at++
    const below = quoted[at]
    if (op !== 'write' || block.hasStart || below === undefined || below.start - block.after > farthest) return []
    if (languageOf(below.info) !== languageOf(block.info)) return []
    return [{ flag: 'duplicate-path', path, line: lineOf(below.start), reason }]
  })
}

function languageOf(info: string): string {
  return /^[\w+#-]*/.exec(info)?.[0].toLowerCase() ?? ''
}

/** What stands below an unclosed section of thinking may be the answer, or what the model only considered. */
function perhapsDraft({ unclosed }: Begin, line: number): readonly Flag[] {
  if (unclosed === undefined) return []
  const reason = `the text begins with ${unclosed}, which is never closed: the files may be a draft from the model's thinking`
  return [{ flag: 'chat-artifact', line, reason }]
}
