import type { Problem } from '../../model/response.ts'
import type { Summary } from '../control/read-summary.ts'
import type { LineOf } from '../lines/lines.ts'
import { cleanPath } from '../lines/path.ts'
import type { FileBlock } from './file-block.ts'

/** The lines by which a patch or a diff names its file. */
const heads = /^[ \t]*(?:\*\*\* (?:Update|Add|Delete) File:|\+\+\+ (?:b\/)?)([^\t\n]{1,1024})/gm

/**
 * Finds the edits that stand outside of any file's block and name a file themselves, where the summary says that it changes:
 * taken for prose, they would go lost beside the other files. A diff of a file that is there as a whole only explains it.
 */
export function editsBeside(
  text: string,
  from: number,
  files: readonly FileBlock[],
  summary: Summary,
  lineOf: LineOf,
): readonly Problem[] {
  const whole = new Set(files.map(({ operation }) => operation.path))
  const isMeant = (path: string, isPatch: boolean) =>
    isPatch ? summary.names(path) || summary.promises.length === 0 : summary.names(path) && !whole.has(path)
  const problems = new Map<string, Problem>()
  let next = 0
  for (const { index, 0: head, 1: said = '' } of files.length === 0 ? [] : text.matchAll(heads)) {
    while ((files[next]?.block.after ?? text.length) <= index) next++
    const isInFile = (files[next]?.block.start ?? text.length) < index
    const path = cleanPath(said)
    if (index < from || isInFile || !isMeant(path, head.includes('***'))) continue
    const message = `A diff outside of any file's block changes ${path}. Ask for the full source of the file, in a block with its path on the opening line.`
    problems.set(path, problems.get(path) ?? { code: 'diff', message, line: lineOf(index), path })
  }
  return [...problems.values()]
}
