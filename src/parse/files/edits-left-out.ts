import type { Flag } from '../../model/response.ts'
import type { Block } from '../blocks/find-blocks.ts'
import type { LineOf, Span } from '../lines/lines.ts'
import type { FileBlock } from './file-block.ts'
import { isEditAlone } from './find-edit-format.ts'

/**
 * Doubts an answer that gives edits for the edits in it that were taken for quotations: they have no path, or one that the
 * summary does not name. What only shows an applied one once more is none.
 */
export function editsLeftOut(
  text: string,
  from: number,
  blocks: readonly Block[],
  files: readonly FileBlock[],
  control: Span,
  lineOf: LineOf,
): readonly Flag[] {
  if (!files.some(isEdited)) return []
  const taken = new Set(files.map(({ block }) => block.start))
  const textOf = ({ body }: Block) => text.slice(body.from, body.to)
  const applied = files.map(({ block }) => textOf(block)).join('\n')
  const quoted = blocks
    .filter(block => block.start >= from && !taken.has(block.start) && isEditAlone(textOf(block), block.info))
    .map(({ start, body }) => ({ at: start, said: text.slice(body.from, body.to) }))
  const spans = [...blocks.map(({ start, after }) => ({ from: start, to: after })), control]
  const found = [...quoted, ...editsBetween(text, from, spans)].slice(0, most)
  return found.flatMap(({ at, said }): Flag[] => {
    if (applied.includes(said.trim())) return []
    const line = lineOf(at)
    const reason = `the edit at line ${line} of the answer is left out: it has no path, or one that the change summary does not name`
    return [{ flag: 'summary-mismatch', line, reason }]
  })
}

/** So many are told of; from there on one more is enough to know. */
const most = 100

/** Lines with which an edit begins in a text: nothing else is meant by them. */
const begins =
  /^[ \t]*(?:[^\p{L}\p{N}\s]{3,} ?SEARCH[^\p{L}\p{N}\n]*$|\*{3} (?:Begin Patch|(?:Add|Update|Delete) File:)|--- \S.*\n[ \t]*\+{3} \S|@@ -\d|(?:```|~~~)[`~]* ?(?:diff|patch|udiff)\b.*\n(?:[ \t].*\n)*[-+@])/gmu

const ends = /\n[ \t]*(?:\n|```|~~~)/g

/** The edits between these pieces of a text, each down to the next blank line or fence. */
function* editsBetween(text: string, from: number, pieces: readonly Span[]) {
  const sorted = pieces.toSorted((a, b) => a.from - b.from)
  let next = 0
  let done = from
  for (const { index } of text.matchAll(begins)) {
    while ((sorted[next]?.to ?? text.length) <= index) next++
    if (index < done || (sorted[next]?.from ?? text.length) <= index) continue
    const below = /^[ \t]*[`~]{3}/.test(text.slice(index, index + 40)) ? text.indexOf('\n', index) + 1 : index
    ends.lastIndex = below
    done = ends.exec(text)?.index ?? text.length
    yield { at: index, said: text.slice(below, done) }
  }
}

function isEdited({ operation }: FileBlock): boolean {
  return (
    operation.op === 'edit' || operation.op === 'rename' || (operation.op === 'delete' && operation.text !== undefined)
  )
}
