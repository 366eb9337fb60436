import type { Flag, Operation, Problem } from '../model.ts'
import { findEditFormat } from './find-edit-format.ts'
import { type LineOf, linesBefore } from './lines.ts'
import type { FileBlock } from './read-files.ts'

/** One operation for each path, and what speaks against them as a whole. */
export interface Assembled {
  readonly operations: readonly Operation[]
  /** The blocks that the operations were read from. */
  readonly files: readonly FileBlock[]
  readonly flags: readonly Flag[]
  readonly problems: readonly Problem[]
}

/**
 * Puts the files together: a path that is given twice keeps its last content, flagged where the two differ. A whole marked
 * block goes before the unmarked ones below it: they quote from it.
 *
 * Contradictions are problems: write and delete of one path, a file where another path needs a folder, an edit in place
 * of a whole file.
 */
export function assemble(read: readonly FileBlock[], lineOf: LineOf): Assembled {
  const byPath = new Map<string, FileBlock>()
  const flags: Flag[] = []
  const problems: Problem[] = []

  for (const file of read) {
    const { operation, block } = file
    const place = () => ({ line: lineOf(block.start), block: block.number, path: operation.path })
    const earlier = byPath.get(operation.path)
    if (earlier !== undefined && earlier.operation.op !== operation.op) {
      const message = `${operation.path} is both written and deleted (blocks ${earlier.block.number} and ${block.number}). Ask which of the two is meant.`
      problems.push({ code: 'write-and-delete', message, ...place() })
    } else if (earlier !== undefined && !isEqual(earlier.operation, operation)) {
      const isQuotation = isWholeAndMarked(earlier) && !block.hasStart
      const taken = isQuotation
        ? `the marked one, block ${earlier.block.number}`
        : `the last one, block ${block.number}`
      const reason = `the file is given more than once with different content; ${taken}, is taken`
      flags.push({ flag: 'duplicate-path', path: operation.path, line: lineOf(block.start), reason })
      if (isQuotation) continue
    }
    if (operation.op === 'write') {
      const edit = findEditFormat(operation.content, operation.path, block.info)
      if (edit !== undefined) {
        const message = `The block for ${operation.path} holds ${edit.found} where the whole file was announced. Ask for the full source of the file.`
        const line = lineOf(file.contentFrom) + linesBefore(operation.content, edit.at)
        problems.push({ code: edit.code, message, ...place(), line })
      }
    }
    // The last one's place counts.
    if (earlier !== undefined) byPath.delete(operation.path)
    byPath.set(operation.path, file)
  }

  const files = [...byPath.values()]
  return {
    operations: files.map(file => file.operation),
    files,
    flags: flags.concat(files.flatMap(file => file.flags)),
    problems: problems.concat(folderProblems(files, lineOf)),
  }
}

/** So many folders are looked at. What lies deeper is found when the patch meets the disk. */
const deepest = 64

/** A path that is a file for one operation and a folder for another. */
function folderProblems(files: readonly FileBlock[], lineOf: LineOf): readonly Problem[] {
  const paths = new Map(files.map(file => [file.operation.path, file.operation.op]))
  const problems: Problem[] = []
  let clear = ''
  for (const { operation, block } of files) {
    // A longer path is no path on any system, and is refused as such later.
    if (operation.path.length > 4096) continue
    const found = problems.length
    const parent = operation.path.slice(0, operation.path.lastIndexOf('/') + 1)
    if (parent === clear) continue
    let depth = 0
    for (
      let at = operation.path.indexOf('/');
      at >= 0 && depth < deepest;
      at = operation.path.indexOf('/', at + 1), depth++
    ) {
      const folder = operation.path.slice(0, at)
      const op = paths.get(folder)
      if (op === undefined) continue
      const makesWay = (op === 'delete') !== (operation.op === 'delete')
      const remedy = makesWay ? 'Ask for the deletion alone, and then for the new file.' : 'Ask for one of the two.'
      problems.push({
        code: 'file-and-folder',
        message: `${folder} is a file in one block and a folder in another (${operation.path}). ${remedy}`,
        line: lineOf(block.start),
        block: block.number,
        path: operation.path,
      })
    }
    if (problems.length === found) clear = parent
  }
  return problems
}

function isWholeAndMarked({ block }: FileBlock): boolean {
  return block.hasStart && block.how === 'end'
}

function isEqual(one: Operation, other: Operation): boolean {
  return one.op === 'write' && other.op === 'write' ? one.content === other.content : one.op === other.op
}
