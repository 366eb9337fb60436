import type { Block } from '../blocks/find-blocks.ts'
import { dedent, indentOf } from '../lines/dedent.ts'
import { afterLine, lineEnd, nextFilledLine, type Span } from '../lines/lines.ts'

/** The lines of a block as they go to the file: without the fence's indentation and the blank line beside each marker. */
export function contentOf(
  text: string,
  span: Span,
  block: Block,
  markers: { readonly start: boolean; readonly end: boolean; readonly above: readonly Span[] },
): { readonly content: string; readonly from: number; readonly columns: number } {
  const raw = text.slice(span.from, span.to)
  const columns = ownIndent(text, block, raw)
  const lines = dedent(raw, columns)
  // Some models put blanks on the template's lines, too.
  const from = markers.start ? (/^[ \t]*\n/.exec(lines)?.[0].length ?? 0) : 0
  const rest = lines.slice(from)
  const last = rest.slice(0, -1).lastIndexOf('\n') + 1
  const content = markers.end && /^[ \t]*\n$/.test(rest.slice(last)) ? rest.slice(0, last) : rest
  const first = from === 0 ? span.from : afterLine(text, lineEnd(text, span.from))
  const above = markers.above.map(({ from, to }) => dedent(text.slice(from, to), columns)).join('')
  return { content: above + closed(content), from: linesAbove(text, first, above.split('\n').length - 1), columns }
}

/** Where the line begins that stands so many lines above the one that begins at `start`. */
function linesAbove(text: string, start: number, count: number): number {
  let at = start
  for (let line = 0; line < count; line++) at = text.lastIndexOf('\n', at - 2) + 1
  return at
}

/**
 * How far the block's own lines are indented: a chat, or the model, may indent the fences alone, or with the markers, or
 * all but the fences.
 */
function ownIndent(text: string, block: Block, raw: string): number {
  const first = block.hasStart ? nextFilledLine(text, block.body.from, block.body.to) : undefined
  const start = first === undefined ? block.indent : indentOf(text.slice(first.start, first.start + 100))
  const most = Math.max(start, block.indent)
  const inside = nextFilledLine(raw, 0, raw.length)
  const begin = inside === undefined ? start : indentOf(raw.slice(inside.start, inside.start + 100), start)
  if (block.hasStart && start <= block.indent && begin === start) return start
  let least = most
  for (const line of raw.split('\n')) if (line.trim() !== '') least = Math.min(least, indentOf(line, most))
  return least === most ? most : Math.min(least, block.indent)
}

/** Every line ends in LF, the last one too; nothing at all stays nothing. */
function closed(lines: string): string {
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}
