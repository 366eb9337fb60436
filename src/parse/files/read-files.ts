import type { Flag, Problem } from '../../model/response.ts'
import { type Block, mayHoldBareFence } from '../blocks/find-blocks.ts'
import type { FoundControl } from '../control/find-control.ts'
import type { LineOf, Span } from '../lines/lines.ts'
import { looksLikePath, templatePath } from '../lines/path.ts'
import { type AboveStart, aboveStart } from './above-start.ts'
import { bestGuess, pathOf } from './block-path.ts'
import { editsIn } from './edit-blocks.ts'
import type { FileBlock } from './file-block.ts'
import { contentOf } from './file-content.ts'
import { flagsOf, holdsEnd } from './file-doubts.ts'
import { findEditFormat, opensAsEdit } from './find-edit-format.ts'
import { isQuotation, type Meant, meantFor, type Others, type Placed } from './meant-block.ts'

/**
 * Decides which blocks are files, and reads them.
 *
 * A block with a path and START is one, and so is a delete. Without START it is one only where the change summary names
 * its path; else it is a quotation. A block that began as a file and is damaged is a problem, never left out in silence.
 */
export function readFiles(
  text: string,
  blocks: readonly Block[],
  control: FoundControl,
  lineOf: LineOf,
): { readonly files: readonly FileBlock[]; readonly problems: readonly Problem[] } {
  const files: FileBlock[] = []
  const problems: Problem[] = []
  const named = blocks.map(block => pathOf(block, control.control.summary))
  const others: Others = { marked: new Map(), deleted: new Set() }
  for (const [at, block] of blocks.entries()) {
    const path = named[at]
    if (path === undefined) continue
    if (block.hasStart) others.marked.set(path, block)
    if (block.isDelete) others.deleted.add(path)
  }

  for (const [at, block] of blocks.entries()) {
    const read = readFile(text, block, named[at], control, others, lineOf)
    if (read === undefined) continue
    if (isList(read)) files.push(...read)
    else problems.push(read)
  }
  return { files, problems }
}

function readFile(
  text: string,
  block: Block,
  named: string | undefined,
  control: FoundControl,
  others: Others,
  lineOf: LineOf,
): readonly FileBlock[] | Problem | undefined {
  const line = lineOf(block.start)
  const { summary } = control.control
  if (block.path === templatePath) {
    return problem(
      { block, line },
      'no-path',
      'The block still says {filePath} where its path should be. Ask for the block again with its path.',
    )
  }
  // Beside the whole file, signs alone explain what changed, unless the block says by itself which file it is.
  const isEdit = (path: string) => {
    const content = text.slice(block.body.from, block.body.to)
    return (named === undefined ? opensAsEdit(content, path) : findEditFormat(content, path, block.info)) !== undefined
  }
  const guess = named === undefined ? bestGuess(block, summary, control, others.marked, isEdit) : undefined
  const path = named ?? guess?.path
  const own = block.namesFiles && named === undefined ? ownEdits(text, block, path, control, lineOf) : undefined
  if (own !== undefined) return own
  if (path === undefined) return block.hasStart ? withoutPath(block, line) : undefined

  const meant = meantFor(path, guess, text, { block, line }, summary, others)
  if (isQuotation(meant, summary, others, isEdit) && !(named !== undefined && isEdit(path))) return undefined
  const damage = damageOf(text, meant, control)
  if (damage !== undefined) return damage
  if (meant.isDelete) return [{ operation: { op: 'delete', path }, block, contentFrom: meant.span.from, flags: [] }]
  return fileOf(text, meant, lineOf)
}

function problem({ block, line, path }: Placed & { readonly path?: string }, code: string, message: string): Problem {
  return path === undefined
    ? { code, message, line, block: block.number }
    : { code, message, line, block: block.number, path }
}

function withoutPath(block: Block, line: number): Problem {
  const near = block.guesses.find(guess => looksLikePath(guess.path))
  const hint =
    near === undefined ? '' : ` ("${near.path.slice(0, 80)}" is near it, but the change summary does not name it)`
  return problem(
    { block, line },
    'no-path',
    `The block has START but no path on its opening line${hint}. Ask for it again with the path: \`\`\`lang // path/to/file`,
  )
}

/** Why a block that is meant as a file cannot be taken as one: nothing vouches for what stands below the control block. */
function damageOf(text: string, meant: Meant, control: Span): Problem | undefined {
  const { block, path, isDelete, isNearlyDelete } = meant
  if (path.length <= 4096 && namesTwo(path)) {
    return problem(
      meant,
      'no-path',
      `The block gives more than one path, ${path}. Ask for a block for each file; for a rename, for the new file and a delete of the old one.`,
    )
  }
  if (block.how === 'open') {
    const expected = block.hasStart ? 'END and a closing fence' : 'a closing fence'
    return problem(
      meant,
      'open-block',
      `The block for ${path} never ends: expected ${expected}. The answer may be cut off, or fences within the file hide its end. Copy all of it with the chat's copy button, or ask for this file again in a longer fence.`,
    )
  }
  const isVouchedFor = block.start < control.from
  const isWhole =
    (block.how === 'end' && !block.unsure) || isDelete || isVouchedFor || (!block.hasStart && !mayBeCut(text, block))
  if (!isWhole) {
    return problem(
      meant,
      'open-block',
      `The block for ${path} has no certain END and no YAML block below it, so it may be cut off. Copy the whole answer, or ask for this file again.`,
    )
  }
  if (!isNearlyDelete) return undefined
  return problem(
    meant,
    'unclear-delete',
    `The block for ${path} mentions deleting the file, but not in the required words. To delete it, the block's only line must be //TODO: delete this file`,
  )
}

/** `src/a.ts → src/b.ts`, `src/a.ts and src/b.ts`, but neither `docs/salt and pepper.md` nor `docs/Node.js to Deno.md`. */
function namesTwo(path: string): boolean {
  const [first = '', ...more] = path.split(joint).map(each => each.replace(/^[`"*]+|[`"*]+$/g, ''))
  const ending = endingOf(first)
  const isPath = (each: string) =>
    endingOf(each) !== '' && !each.includes(' ') && (endingOf(each) === ending || /\//.test(each) || !/\//.test(first))
  return ending !== '' && more.length > 0 && more.every(isPath)
}

const joint =
  / ?(?:[-=]{1,3}>|[\u2192\u27f6\u279c\u21d2\u27a1\u2794]\ufe0f?) ?|, ?(?:and )?| (?:(?:(?:renamed|moved) )?to|and|or|&|\+|\|) /

function endingOf(path: string): string {
  return /(?<=^|[^\s.])\.[A-Za-z]\w*$/.exec(path.slice(-40))?.[0] ?? ''
}

/** The edits of a block that names its files itself, where no other path contradicts them. */
function ownEdits(
  text: string,
  block: Block,
  path: string | undefined,
  control: Span,
  lineOf: LineOf,
): readonly FileBlock[] | Problem | undefined {
  const placed = { block, line: lineOf(block.start) }
  const isVouchedFor = block.start < control.from
  if (block.how === 'open' || (!isVouchedFor && block.how !== 'end')) {
    return problem(
      placed,
      'open-block',
      'The block with a diff has no certain end, so it may be cut off. Copy the whole answer.',
    )
  }
  const span = { from: block.contentFrom, to: Math.max(block.contentFrom, block.body.to) }
  const markers = { start: block.hasStart, end: block.how === 'end', above: [] }
  const { content, from } = contentOf(text, span, block, markers)
  const read = (of: string | undefined) => editsIn({ content, from, block, path: of }, lineOf)
  const named = path === undefined ? undefined : read(path)
  return named !== undefined && isList(named) ? named : read(undefined)
}

function fileOf(text: string, meant: Meant, lineOf: LineOf): readonly FileBlock[] | Problem | undefined {
  const { block, path, span, loneEnd, nearly, nearEnd } = meant
  const above = linesAboveStart(text, meant)
  const end = loneEnd ?? nearEnd
  const { content, from, columns } = contentOf(
    text,
    nearly ?? { from: above?.below ?? span.from, to: end?.start ?? span.to },
    block,
    {
      start: block.hasStart || nearly !== undefined || above !== undefined,
      end: block.how === 'end' || end !== undefined || nearly !== undefined,
      above: above?.lines ?? [],
    },
  )
  if (!block.hasStart && content.trim() === '') return withoutContent(meant)
  const flags = flagsOf(text, meant, above, content === '' ? 0 : columns)
  const edits = editsIn({ content, from, block, path }, lineOf)
  if (edits !== undefined) return withDoubts(edits, flags)
  return [{ operation: { op: 'write', path, content }, block, contentFrom: from, flags }]
}

/** What stands above START. In a part of a file, and in an edit that may hold it, a START below is a line of the text. */
function linesAboveStart(text: string, { block, path, span, loneEnd, nearly }: Meant): AboveStart | undefined {
  const found = nearly === undefined ? aboveStart(text, block.body, path) : undefined
  if (found === undefined) return undefined
  const isPart = !block.hasStart && loneEnd === undefined && holdsEnd(text, { from: found.below, to: span.to })
  const edit = opensAsEdit(text.slice(block.body.from, block.body.to), path)
  // In a diff a line that stays has a blank in front.
  const isSigned = text[text.lastIndexOf('\n', found.below - 2) + 1] === ' '
  const isOfEdit = edit !== undefined && (edit.code === 'edit-markers' || isSigned)
  return isPart || isOfEdit ? undefined : found
}

/** What speaks against the ends of a block speaks against its edits; that they are a part of the file is no doubt. */
function withDoubts(edits: readonly FileBlock[] | Problem, flags: readonly Flag[]): readonly FileBlock[] | Problem {
  if (!isList(edits)) return edits
  const doubts = flags.filter(({ flag }) => flag === 'missing-end')
  return edits.map(each => ({ ...each, flags: doubts }))
}

function isList(read: readonly FileBlock[] | Problem): read is readonly FileBlock[] {
  return Array.isArray(read)
}

/** Only its path stands in it: where that is above the block, it is announced here and given elsewhere. */
function withoutContent(meant: Meant): Problem | undefined {
  if (meant.block.path === undefined) return undefined
  return problem(
    meant,
    'empty-block',
    `The block for ${meant.path} is empty. An empty file needs START and END, a delete needs //TODO: delete this file`,
  )
}

/**
 * Nothing follows the block that would tell that the answer went on behind it: no more than a few words that are no sentence,
 * where its fence may have been the file's own, which opened a block with these words.
 */
function mayBeCut(text: string, block: Block): boolean {
  const below = text.slice(block.after).trim()
  if (below === '' || /```|~~~/.test(below) || !mayHoldBareFence(text, block)) return below === ''
  return !/[.!?:…。！？\p{Extended_Pictographic}]$/u.test(below)
}
