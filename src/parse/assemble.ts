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
 * Contradictions are problems: write and delete of one path, an edit in place of a whole file.
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
    problems,
  }
}

function isWholeAndMarked({ block }: FileBlock): boolean {
  return block.hasStart && block.how === 'end'
}

function isEqual(one: Operation, other: Operation): boolean {
  return one.op === 'write' && other.op === 'write' ? one.content === other.content : one.op === other.op
}
