import type { Edits, Flag, Operation, Problem } from '../../model/response.ts'
import type { LineOf } from '../lines/lines.ts'
import type { FileBlock } from './file-block.ts'

/** One operation for each path, and what speaks against them as a whole. */
export interface Assembled {
  readonly operations: readonly Operation[]
  /** The blocks that the operations were read from, in the order in which they stand. */
  readonly files: readonly FileBlock[]
  readonly flags: readonly Flag[]
  readonly problems: readonly Problem[]
}

/**
 * Puts the files together. A path that is given twice keeps its last content, flagged where the two differ; a whole marked
 * block goes before the unmarked ones below it: they quote from it. Edits follow each other, and the whole text above them.
 *
 * Contradictions are problems: write and delete of one path, what comes for a file that has another name by then.
 */
export function assemble(read: readonly FileBlock[], lineOf: LineOf): Assembled {
  const byPath = new Map<string, FileBlock>()
  /** The new names of files, and the old ones. */
  const renamed = new Map<string, string>()
  const flags: Flag[] = []
  const problems: Problem[] = []

  for (const file of read) {
    const { path } = file.operation
    const key = renamed.get(path) ?? path
    const earlier = byPath.get(key)
    const joined = earlier === undefined ? { kind: 'file' as const, file } : join(earlier, file, lineOf)
    if (joined.kind === 'problem') {
      problems.push(joined.problem)
      continue
    }
    if (joined.flag !== undefined) flags.push(joined.flag)
    // The last one's place counts.
    byPath.delete(key)
    byPath.set(key, joined.file)
    if (file.operation.op === 'rename') renamed.set(file.operation.to, key)
  }

  const files = [...byPath.values()]
  return {
    operations: files.map(file => file.operation),
    files,
    flags: flags.concat(files.flatMap(file => file.flags)),
    problems,
  }
}

type Joined =
  | { readonly kind: 'file'; readonly file: FileBlock; readonly flag?: Flag }
  | { readonly kind: 'problem'; readonly problem: Problem }

/** What two blocks come to that are about one file. */
function join(earlier: FileBlock, file: FileBlock, lineOf: LineOf): Joined {
  const [one, other] = [earlier.operation, file.operation]
  const problem = contradictionOf(one, other)
  if (problem !== undefined) return { kind: 'problem', problem: contradiction(earlier, file, problem, lineOf) }
  if (one.op === 'delete' || other.op === 'delete') return { kind: 'file', file }
  if (other.op === 'write') return withWhole(earlier, file, lineOf)
  return { kind: 'file', file: { ...file, operation: edited(one, other), flags: [...earlier.flags, ...file.flags] } }
}

/** What a path cannot be both. */
function contradictionOf(one: Operation, other: Operation): string | undefined {
  if ((one.op === 'delete') !== (other.op === 'delete')) return 'written and deleted'
  if (one.op === 'rename') return other.op === 'edit' && other.path !== one.path ? undefined : 'renamed and given again'
  return one.op === 'write' && other.op === 'rename' ? 'given whole and renamed' : undefined
}

/** The last whole text counts, but for a quotation. */
function withWhole(earlier: FileBlock, file: FileBlock, lineOf: LineOf): Joined {
  if (isQuotation(earlier, file)) {
    const flag = givenTwice(file, `the marked one, block ${earlier.block.number}`, lineOf)
    return { kind: 'file', file: earlier, flag }
  }
  const [one, other] = [earlier.operation, file.operation]
  const isTold = one.op === 'edit' && other.op === 'write' && tellsNews(one, earlier, other.content)
  const isSame = one.op === 'write' && other.op === 'write' && one.content === other.content
  if (isTold || isSame) return { kind: 'file', file }
  return { kind: 'file', file, flag: givenTwice(file, `the last one, block ${file.block.number}`, lineOf) }
}

/** Whether an edit only tells what is new in the whole text below it: that has what it brings, or its block is a bare diff. */
function tellsNews({ blocks }: Edits, { block }: FileBlock, content: string): boolean {
  if (block.path === undefined && block.namesFiles && !block.hasStart) return true
  const lines = new Set(content.split('\n'))
  return blocks.flat().every(hunk => hunk.lines.every(line => !line.startsWith('+') || lines.has(line.slice(1))))
}

/** A block without markers that shows some of what the whole marked one above it gives. */
function isQuotation(earlier: FileBlock, file: FileBlock): boolean {
  const isWholeAndMarked = earlier.block.hasStart && earlier.block.how === 'end'
  const [one, other] = [earlier.operation, file.operation]
  return (
    isWholeAndMarked &&
    !file.block.hasStart &&
    one.op === 'write' &&
    other.op === 'write' &&
    one.content !== other.content
  )
}

/** One operation and the edits that follow it. */
function edited(one: Operation, other: Edits & Operation): Operation {
  if (one.op === 'delete') return other
  if (one.op === 'write') return { ...other, op: 'edit', path: one.path, content: one.content }
  const blocks = joinBlocks(one, other)
  const executable = other.executable ?? one.executable
  const run = executable === undefined ? {} : { executable }
  if (other.op === 'rename') return { op: 'rename', path: one.path, to: other.to, blocks, ...run }
  return { ...one, blocks, ...run }
}

/** The edits of one block stand side by side; those of the next are placed in what these leave. */
function joinBlocks(one: Edits, other: Edits): Edits['blocks'] {
  const [last, first] = [one.blocks.at(-1), other.blocks[0]]
  const isOne = last?.[0] !== undefined && last[0].block === first?.[0]?.block
  if (!isOne || last === undefined || first === undefined) return [...one.blocks, ...other.blocks]
  return [...one.blocks.slice(0, -1), [...last, ...first], ...other.blocks.slice(1)]
}

function givenTwice({ operation: { path }, block }: FileBlock, taken: string, lineOf: LineOf): Flag {
  const reason = `the file is given more than once with different content; ${taken}, is taken`
  return { flag: 'duplicate-path', path, line: lineOf(block.start), reason }
}

function contradiction(
  earlier: FileBlock,
  { operation: { path }, block }: FileBlock,
  what: string,
  lineOf: LineOf,
): Problem {
  const message = `${path} is both ${what} (blocks ${earlier.block.number} and ${block.number}). Ask which of the two is meant.`
  return { code: 'write-and-delete', message, line: lineOf(block.start), block: block.number, path }
}
