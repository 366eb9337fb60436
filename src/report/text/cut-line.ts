import { columnsOf, graphemesOf } from './columns-of.ts'
import { visibleLine } from './visible.ts'

/** Cuts a line to this many columns, with a mark where something is missing. The line holds no colours yet. */
export function cutLine(line: string, columns: number, mark = '…'): string {
  if (fits(line, columns)) return line
  let kept = ''
  let room = Math.max(0, columns - columnsOf(mark))
  for (const grapheme of graphemesOf(line.slice(0, columns * UNITS), room)) {
    room -= grapheme.columns
    if (room < 0) break
    kept += grapheme.sign
  }
  return kept + mark
}

/** A title as a part of a sentence. */
export function cutTitle(title: string): string {
  return cutLine(visibleLine(title), 60)
}

/** Cuts a path to this many columns at its beginning: its end is the file's name. */
export function cutPath(path: string, columns: number, mark = '…'): string {
  if (fits(path, columns)) return path
  let room = Math.max(0, columns - columnsOf(mark))
  const kept: string[] = []
  for (const grapheme of [...graphemesOf(path.slice(-columns * UNITS), room)].reverse()) {
    room -= grapheme.columns
    if (room < 0) break
    kept.unshift(grapheme.sign)
  }
  const tail = kept.join('')
  // The rest of an escape would read as a part of the name: `u200d`.
  const begun = /\\[^\\]{0,9}$/.exec(path.slice(0, path.length - tail.length))?.[0] ?? ''
  const torn = begun === '' ? '' : (ESCAPE.exec(begun + tail)?.[0] ?? '')
  return mark + tail.slice(Math.max(0, torn.length - begun.length))
}

/** The escapes that `visible` writes. */
const ESCAPE = /^\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\})/

export function padLine(line: string, columns: number): string {
  return line + ' '.repeat(Math.max(0, columns - columnsOf(line)))
}

/**
 * Honest text has at most this many code units for each sign. A part of the text beyond that is cut first, so that a
 * line of a million is quick.
 */
const UNITS = 16

function fits(line: string, columns: number): boolean {
  return line.length <= columns * UNITS && columnsOf(line) <= columns
}
