import { columnsOf, graphemesOf } from './columns-of.ts'

/** Cuts a line to so many columns, with a visible mark where something is missing. The line holds no colours yet. */
export function cutLine(line: string, columns: number, mark = '…'): string {
  // A sign of text takes at most a few code units; this keeps a line of a million out of the slow way.
  if (line.length <= columns * 2 && columnsOf(line) <= columns) return line
  let kept = ''
  let room = Math.max(0, columns - columnsOf(mark))
  for (const grapheme of graphemesOf(line.slice(0, columns * 16))) {
    room -= grapheme.columns
    if (room < 0) break
    kept += grapheme.sign
  }
  return kept + mark
}

/** Cuts a path to so many columns; its end, the file's name, is what stays. */
export function cutPath(path: string, columns: number, mark = '…'): string {
  if (columnsOf(path) <= columns) return path
  let room = Math.max(0, columns - columnsOf(mark))
  const kept: string[] = []
  for (const grapheme of [...graphemesOf(path.slice(-columns * 16))].reverse()) {
    room -= grapheme.columns
    if (room < 0) break
    kept.unshift(grapheme.sign)
  }
  return mark + kept.join('')
}

/** Fills a line up with blanks at its end. */
export function padLine(line: string, columns: number): string {
  return line + ' '.repeat(Math.max(0, columns - columnsOf(line)))
}
