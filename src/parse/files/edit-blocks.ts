import type { Hunk, Operation, Problem } from '../../model/response.ts'
import type { Block } from '../blocks/find-blocks.ts'
import type { EditText } from '../edits/file-edit.ts'
import { type NamedEdit, readEdits } from '../edits/read-edits.ts'
import { type LineOf, linesBefore } from '../lines/lines.ts'
import { cleanPath, pathFromComment } from '../lines/path.ts'
import type { FileBlock } from './file-block.ts'
import { type EditFormat, findEditFormat } from './find-edit-format.ts'

/** The text of a block, and where it begins in the response. */
export interface BlockText {
  readonly content: string
  readonly from: number
  readonly block: Block
  /** That of the block; without one its text names the files. */
  readonly path: string | undefined
}

/**
 * Reads a block whose text is an edit: what it changes in each file, or why it cannot be applied. `undefined`: it is a whole
 * file. What is not understood whole is never taken for one.
 */
export function editsIn(text: BlockText, lineOf: LineOf): readonly FileBlock[] | Problem | undefined {
  const { content, from, block, path } = text
  const found = findEditFormat(content, path ?? '', block.info)
  if (found === undefined) return undefined
  const top = lineOf(from)
  // Between markers stands a file, unless it says something else.
  const read = found.isBare === true && block.hasStart ? undefined : readBelow(text, found.at)
  if (read === undefined) return instead(text, found, top)
  const { edits, skipped } = read
  const first = top + skipped
  if (edits.kind === 'edits') return edits.files.map(file => fileBlock(file, text, first))
  return refused(
    text,
    found.code,
    `${edits.why}. Ask for it again, or for the full source of the file.`,
    first + edits.line,
  )
}

/** Above an edit its path may stand once more. */
function readBelow({ content, path = '' }: BlockText, at: number) {
  const isPath = (line: string) =>
    line === '' || (line.includes(path) && (pathFromComment(line) ?? cleanPath(line)) === path)
  const isBelow =
    at > 0 &&
    content
      .slice(0, at)
      .split('\n')
      .every(line => isPath(line.trim()))
  const edits = readEdits(isBelow ? content.slice(at) : content, path === '' ? undefined : path)
  return edits && { edits, skipped: isBelow ? linesBefore(content, at) : 0 }
}

function instead(text: BlockText, { at, code, found }: EditFormat, top: number): Problem {
  const what = `holds ${found} where the whole file was announced. Ask for the full source of the file.`
  return refused(text, code, what, top + linesBefore(text.content, at))
}

function refused({ block, path }: BlockText, code: string, what: string, line: number): Problem {
  const message = `The block${path === undefined ? '' : ` for ${path}`} ${what.startsWith('holds') ? what : `holds an edit that is not understood: ${what}`}`
  return { code, message, line, block: block.number, ...(path === undefined ? {} : { path }) }
}

function fileBlock(file: NamedEdit, { block, from }: BlockText, top: number): FileBlock {
  return { operation: operationOf(file, block.number, top), block, contentFrom: from, flags: [] }
}

function operationOf(file: NamedEdit, block: number, top: number): Operation {
  const { hunks: asked = [] } = file
  const hunks = asked.map((hunk, at) => placedIn(hunk, block, top, asked.length > 1 ? at + 1 : undefined))
  if (file.op === 'delete') return { op: 'delete', path: file.path, ...(hunks.length > 0 && { text: hunks }) }
  const blocks = hunks.length === 0 ? [] : [hunks]
  const run = file.executable === undefined ? {} : { executable: file.executable }
  if (file.op === 'rename') return { op: 'rename', path: file.path, to: file.to, blocks, ...run }
  return { op: 'edit', path: file.path, blocks, ...run }
}

function placedIn(hunk: EditText, block: number, top: number, number: number | undefined): Hunk {
  return { block, ...hunk, line: top + hunk.line, ...(number === undefined ? {} : { number }) }
}
