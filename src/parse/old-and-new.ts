import type { Flag } from '../model.ts'
import type { Cut } from './find-blocks.ts'
import type { LineOf } from './lines.ts'
import type { FileBlock } from './read-files.ts'

/** How much prose may stand between the two: "becomes", "with this:". */
const farthest = 300

/**
 * Doubts about files without markers below which a nameless block of the same language stands: `src/a.ts`, then "becomes",
 * then the new text. What has the path may be the old one.
 */
export function oldAndNew(files: readonly FileBlock[], { unnamed }: Cut, lineOf: LineOf): readonly Flag[] {
  const taken = new Set(files.map(({ block }) => block.start))
  const quoted = unnamed.filter(({ start }) => !taken.has(start))
  if (quoted.length === 0) return []
  const reason = 'a block of the same language without a path stands right below: one of the two may be the old text'
  let at = 0
  return [...files]
    .sort((one, other) => one.block.start - other.block.start)
    .flatMap(({ operation: { op, path }, block }) => {
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
