import type { FileState, PathState } from '../model.ts'
import { compareLines, type Difference, hasWord } from './compare-lines.ts'
import { describeSize } from './describe-size.ts'
import { type FileText, readText } from './file-text.ts'

/** How what stands at a path differs from what will: lines, and in words what lines do not show. */
export interface FileComparison {
  /** The lines of either side; `undefined` when one of the two is no text. */
  readonly lines: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined
  readonly differences: readonly Difference[]
  readonly added: number
  readonly removed: number
  readonly notes: readonly string[]
}

export function compareFiles(before: PathState, next: PathState): FileComparison {
  const linkNotes = [
    ...(before?.kind === 'link' ? [`was a link to ${before.to}`] : []),
    ...(next?.kind === 'link' ? [`a link to ${next.to}`] : []),
  ]
  const after = next?.kind === 'file' ? next : null
  const old = before?.kind === 'file' ? before : null
  const modes = modeNotes(old, after)
  const [oldText, newText] = [textOf(old), textOf(after)]
  if (oldText === undefined || newText === undefined) {
    return {
      lines: undefined,
      differences: [],
      added: 0,
      removed: 0,
      notes: [...linkNotes, `binary: ${sizes(old, after)}`, ...modes],
    }
  }
  const differences = compareLines(oldText.lines, newText.lines)
  return {
    lines: { before: oldText.lines, after: newText.lines },
    differences,
    added: differences.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: differences.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
    notes: [
      ...linkNotes,
      ...(old !== null && after !== null ? changeNotes(old, after, oldText, newText, differences) : []),
      ...(old === null && after !== null ? aloneNotes(newText) : []),
      ...(old !== null && after === null ? aloneNotes(oldText) : []),
      ...modes,
    ],
  }
}

const NOTHING: FileText = { lines: [], crlf: 0, byteOrderMark: false, finalNewline: false }

function textOf(file: FileState | null): FileText | undefined {
  return file === null ? NOTHING : readText(file.bytes)
}

/** About a file that is made or deleted. */
function aloneNotes(text: FileText): readonly string[] {
  if (text.lines.length === 0) return [text.byteOrderMark ? 'only a byte order mark' : 'empty file']
  return [
    ...(text.byteOrderMark ? ['byte order mark'] : []),
    ...(text.crlf > 0 ? [`line ends ${lineEnds(text)}`] : []),
    ...(text.finalNewline ? [] : ['no line end at the end of the file']),
  ]
}

function changeNotes(
  old: FileState,
  after: FileState,
  oldText: FileText,
  newText: FileText,
  differences: readonly Difference[],
): readonly string[] {
  const notes = textNotes(oldText, newText, differences)
  if (differences.length > 0 || notes.length > 0 || equal(old.bytes, after.bytes)) return notes
  return ['some line ends differ']
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function textNotes(before: FileText, after: FileText, differences: readonly Difference[]): readonly string[] {
  const notes: string[] = []
  if (rewritten(before, differences)) notes.push('rewritten: no line stays')
  if (before.lines.length > 0 && after.lines.length === 0) notes.push('emptied')
  if (differences.length > 0 && onlyBlanks(before, after)) notes.push('only blanks and indentation differ')
  const [oldEnds, newEnds] = [lineEnds(before), lineEnds(after)]
  if (before.lines.length > 1 && after.lines.length > 0 && oldEnds !== newEnds) {
    notes.push(`line ends ${oldEnds} -> ${newEnds}`)
  }
  if (before.byteOrderMark !== after.byteOrderMark) {
    notes.push(`byte order mark ${after.byteOrderMark ? 'added' : 'removed'}`)
  }
  if (before.lines.length > 0 && after.lines.length > 0 && before.finalNewline !== after.finalNewline) {
    notes.push(`line end at the end of the file ${after.finalNewline ? 'added' : 'removed'}`)
  }
  return notes
}

/** A handful of lines is no text that one could call rewritten. */
const FEW = 5

function rewritten(before: FileText, differences: readonly Difference[]): boolean {
  if (before.lines.length < FEW || differences.every(({ afterStart, afterEnd }) => afterStart === afterEnd))
    return false
  let start = 0
  for (const { beforeStart, beforeEnd } of differences) {
    if (before.lines.slice(start, beforeStart).some(hasWord)) return false
    start = beforeEnd
  }
  return !before.lines.slice(start).some(hasWord)
}

function onlyBlanks(before: FileText, after: FileText): boolean {
  return withoutBlanks(before) === withoutBlanks(after)
}

function withoutBlanks(text: FileText): string {
  return text.lines.join('').replace(/\s/g, '')
}

function lineEnds(text: FileText): 'LF' | 'CRLF' | 'mixed' {
  const ends = text.lines.length - (text.finalNewline ? 0 : 1)
  if (text.crlf === 0) return 'LF'
  return text.crlf === ends ? 'CRLF' : 'mixed'
}

function modeNotes(before: FileState | null, after: FileState | null): readonly string[] {
  if (after === null) return []
  if (before === null) return after.mode & 0o111 ? [`mode ${octal(after.mode)}, executable`] : []
  return before.mode === after.mode ? [] : [`mode ${octal(before.mode)} -> ${octal(after.mode)}`]
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

function sizes(before: FileState | null, after: FileState | null): string {
  return [before, after].flatMap(file => (file === null ? [] : [describeSize(file.bytes.length)])).join(' -> ')
}
