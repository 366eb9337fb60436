import type { Flag, Operation, Problem } from '../../model/response.ts'
import { type LineOf, linesBefore } from '../lines/lines.ts'
import { findEditFormat } from './find-edit-format.ts'
import type { FileBlock } from './read-files.ts'

/** One operation for each path, and what speaks against them as a whole. */
export interface Assembled {
  readonly operations: readonly Operation[]
  /** The blocks that the operations were read from, in the order in which they stand. */
  readonly files: readonly FileBlock[]
  readonly flags: readonly Flag[]
  readonly problems: readonly Problem[]
}

/**
 * Puts the files together: a path that is given twice keeps its last content, flagged where the two differ. A whole marked
 * block goes before the unmarked ones below it: they quote from it.
 *
 * Contradictions are problems: write and delete of one path, an edit in place of a whole file or beside it.
 */
export function assemble(read: readonly FileBlock[], lineOf: LineOf): Assembled {
  const byPath = new Map<string, FileBlock>()
  const flags: Flag[] = []
  const problems: Problem[] = []

  for (const file of read) {
    const { path } = file.operation
    const earlier = byPath.get(path)
    const edit = editInstead(file, lineOf)
    problems.push(...edit)
    if (earlier !== undefined && edit.length === 0 && isQuotation(file, earlier)) {
      flags.push(givenTwice(file, `the marked one, block ${earlier.block.number}`, lineOf))
      continue
    }
    if (earlier !== undefined && earlier.operation.op !== file.operation.op) {
      problems.push(writeAndDelete(earlier, file, lineOf))
    } else if (earlier !== undefined && !isEqual(earlier, file)) {
      flags.push(givenTwice(file, `the last one, block ${file.block.number}`, lineOf))
    }
    // The last one's place counts.
    byPath.delete(path)
    byPath.set(path, file)
  }

  const files = [...byPath.values()]
  return {
    operations: files.map(file => file.operation),
    files,
    flags: flags.concat(files.flatMap(file => file.flags)),
    problems,
  }
}

/** A block without markers that shows some of what the whole marked one above it gives. */
function isQuotation(file: FileBlock, earlier: FileBlock): boolean {
  const isWholeAndMarked = earlier.block.hasStart && earlier.block.how === 'end'
  const isWrite = earlier.operation.op === 'write' && file.operation.op === 'write'
  return isWholeAndMarked && !file.block.hasStart && isWrite && !isEqual(earlier, file)
}

/** Tells whether two blocks of one path do the same to it. */
function isEqual({ operation: one }: FileBlock, { operation: other }: FileBlock): boolean {
  return one.op === 'write' && other.op === 'write' ? one.content === other.content : one.op === other.op
}

function givenTwice({ operation: { path }, block }: FileBlock, taken: string, lineOf: LineOf): Flag {
  const reason = `the file is given more than once with different content; ${taken}, is taken`
  return { flag: 'duplicate-path', path, line: lineOf(block.start), reason }
}

function writeAndDelete(earlier: FileBlock, { operation: { path }, block }: FileBlock, lineOf: LineOf): Problem {
  const message = `${path} is both written and deleted (blocks ${earlier.block.number} and ${block.number}). Ask which of the two is meant.`
  return { code: 'write-and-delete', message, line: lineOf(block.start), block: block.number, path }
}

/** What holds an edit in place of the whole file. */
function editInstead({ operation, block, contentFrom }: FileBlock, lineOf: LineOf): readonly Problem[] {
  if (operation.op !== 'write') return []
  const { path, content } = operation
  const edit = findEditFormat(content, path, block.info)
  if (edit === undefined) return []
  const message = `The block for ${path} holds ${edit.found} where the whole file was announced. Ask for the full source of the file.`
  const line = lineOf(contentFrom) + linesBefore(content, edit.at)
  return [{ code: edit.code, message, line, block: block.number, path }]
}
