import type { Flag } from '../model.ts'
import type { Cut } from './find-blocks.ts'
import type { LineOf } from './lines.ts'
import type { FileBlock } from './read-files.ts'
import type { Begin } from './skip-thinking.ts'

/** An END line out in the prose or in a quotation: the file above it may go on down to there, or its beginning was not copied. */
export function earlyEnd(files: readonly FileBlock[], { strayEnd }: Cut, lineOf: LineOf): readonly Flag[] {
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
export function earlyFence(files: readonly FileBlock[], { strayFence }: Cut, lineOf: LineOf): readonly Flag[] {
  const file = strayFence === undefined ? undefined : files.findLast(({ block }) => block.after <= strayFence)
  if (strayFence === undefined || file === undefined || file.block.hasStart) return []
  const reason = 'the fences below its block do not come out even: the file may go on down to there'
  return [{ flag: 'missing-end', path: file.operation.path, line: lineOf(strayFence), reason }]
}

/** What stands below an unclosed section of thinking may be the answer, or what the model only considered. */
export function perhapsDraft({ unclosed }: Begin, line: number): readonly Flag[] {
  if (unclosed === undefined) return []
  const reason = `the text begins with ${unclosed}, which is never closed: the files may be a draft from the model's thinking`
  return [{ flag: 'chat-artifact', line, reason }]
}
