import { columnsOf, graphemesOf } from './columns-of.ts'
import { cutLine } from './cut-line.ts'

/**
 * Breaks a line at its blanks so that each part fits. A word that is too long is broken inside, so that nothing is
 * lost. After `most` parts the line is cut with a mark.
 *
 * Text to be copied stays whole: a command in backticks that fits on a line, and a path in relay's own folder even
 * where it does not fit, because a terminal that breaks it at its edge still knows that it is one.
 */
export function wrapLine(line: string, columns: number, mark = '…', most = 12): readonly string[] {
  const lines: string[] = []
  let current = ''
  for (const word of withWholeCommands(cutLine(line, columns * most, mark), columns)
    .split(' ')
    .flatMap(word => (word.startsWith('.relaycode/') ? [word] : broken(word, columns)))) {
    if (current !== '' && columnsOf(current) + 1 + columnsOf(word) > columns) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current].map(row => row.replaceAll(KEPT_BLANK, ' '))
}

/** A command includes a bracket before it, and all that follows it without a blank. */
function withWholeCommands(line: string, columns: number): string {
  return line.replaceAll(/[^ `]?`[^`]+`[^ `]*/g, command => {
    return columnsOf(command) <= columns ? command.replaceAll(' ', KEPT_BLANK) : command
  })
}

/** It stands for a blank for a moment: no visible text holds it. */
const KEPT_BLANK = '\0'

/** Breaks a text wherever a row of this many columns ends, blank or not. */
export function broken(text: string, columns: number): readonly string[] {
  if (columnsOf(text) <= columns) return [text]
  const found: string[] = []
  // A long line need not be measured sign by sign.
  if (ASCII.test(text)) {
    const step = Math.max(1, columns)
    for (let at = 0; at < text.length; at += step) found.push(text.slice(at, at + step))
    return found
  }
  let piece = ''
  let room = columns
  for (const grapheme of graphemesOf(text, columns)) {
    if (grapheme.columns > room && piece !== '') {
      found.push(piece)
      piece = ''
      room = columns
    }
    piece += grapheme.sign
    room -= grapheme.columns
  }
  return [...found, piece]
}

const ASCII = /^[\x20-\x7e]*$/
