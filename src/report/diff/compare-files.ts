import { remembered } from '../../ground/collections.ts'
import { hasWord } from '../../lines/bare-text.ts'
import { compareLines, type Difference } from '../../lines/compare-lines.ts'
import { type FileText, isTooLarge, linesIn, readText } from '../../lines/file-text.ts'
import { isSameContent, NEW_FILE_MODE } from '../../model/path-state.ts'
import type { FileState, LinkState, PathState } from '../../model/plan.ts'
import { count, describeSize } from '../text/count.ts'

/** The difference between the present and the later state of a path: lines, and in words what lines do not show. */
export interface FileComparison {
  /** The lines of either side; `undefined` when a side is no text, or too large to be read as one. */
  readonly lines: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined
  readonly differences: readonly Difference[]
  readonly added: number
  readonly removed: number
  /** `added` and `removed` tell the change. `false`: a side is no text, or has too many lines to compare. */
  readonly counted: boolean
  readonly notes: readonly string[]
}

/** Compares two states once: a list, a diff and a longer diff all need the same comparison. */
export function compareFiles(before: PathState, after: PathState): FileComparison {
  return comparisonsWith(before ?? ABSENT)(after ?? ABSENT)
}

const ABSENT = { kind: 'absent' } as const
type Side = NonNullable<PathState> | typeof ABSENT

const comparisonsWith = remembered((before: Side) => {
  return remembered((after: Side) => compare(before, after), new WeakMap<Side, FileComparison>())
}, new WeakMap<Side, (after: Side) => FileComparison>())

function compare(before: Side, after: Side): FileComparison {
  const [old, now] = [fileOf(before), fileOf(after)]
  const links = linkNotes(linkOf(before), linkOf(after))
  const modes = modeNotes(old, now)
  const notes = (own: readonly string[]) => [...links, ...own, ...modes]
  if (isTooLarge(old) || isTooLarge(now)) return unread(old, now, notes)
  const [oldText, newText] = [textOf(old), textOf(now)]
  if (oldText === undefined || newText === undefined) {
    // The new content is text, and a reviewer should be able to read it.
    if (newText !== undefined && now !== null) {
      return { ...oneSided(NOTHING, newText, notes([`binary before: ${sizes(old, now)}`])), counted: false }
    }
    const binary = isSameContent(old, now) ? [] : [`binary: ${sizes(old, now)}`]
    return { ...NO_LINES, counted: binary.length === 0, notes: notes(binary) }
  }
  if (now === null) return oneSided(oldText, NOTHING, notes(old === null ? [] : aloneNotes(oldText)))
  if (old === null) return oneSided(NOTHING, newText, notes(aloneNotes(newText)))
  const differences = compareLines(oldText.lines, newText.lines)
  return {
    lines: { before: oldText.lines, after: newText.lines },
    differences,
    added: differences.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: differences.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
    counted: true,
    notes: notes(changeNotes(old, now, oldText, newText, differences)),
  }
}

/** For a file that is made or deleted. All its lines differ, and they are read only when needed. */
function oneSided(before: FileText, after: FileText, notes: readonly string[]): FileComparison {
  return {
    get lines() {
      return { before: before.lines, after: after.lines }
    },
    get differences() {
      return compareLines(before.lines, after.lines)
    },
    added: after.lineCount,
    removed: before.lineCount,
    counted: true,
    notes,
  }
}

const NO_LINES = { lines: undefined, differences: [], added: 0, removed: 0 }
const NOTHING: FileText = { lines: [], lineCount: 0, crlf: 0, byteOrderMark: false, finalNewline: false }

function fileOf(side: Side): FileState | null {
  return side.kind === 'file' ? side : null
}

function linkOf(side: Side): LinkState | null {
  return side.kind === 'link' ? side : null
}

function textOf(file: FileState | null): FileText | undefined {
  return file === null ? NOTHING : readText(file.bytes)
}

/** The lines of a file that is only made or deleted can be counted without reading them. */
function unread(
  old: FileState | null,
  now: FileState | null,
  notes: (own: readonly string[]) => readonly string[],
): FileComparison {
  const isBinary = [old, now].some(file => file?.bytes.includes(0))
  const what = isBinary ? 'binary' : 'too large to show'
  const isAlone = !isBinary && (old === null || now === null)
  return {
    ...NO_LINES,
    added: isAlone && now !== null ? linesIn(now.bytes) : 0,
    removed: isAlone && old !== null ? linesIn(old.bytes) : 0,
    counted: isAlone || isSameContent(old, now),
    notes: notes(isSameContent(old, now) ? [] : [`${what}: ${sizes(old, now)}`]),
  }
}

function linkNotes(old: LinkState | null, now: LinkState | null): readonly string[] {
  return [
    ...(old === null ? [] : [`was a link to ${old.to}`]),
    ...(now === null ? [] : [`${old === null ? '' : 'now '}a link to ${now.to}`]),
  ]
}

/** For a file that is made or deleted. */
function aloneNotes(text: FileText): readonly string[] {
  if (text.lineCount === 0) return [text.byteOrderMark ? 'only a byte order mark' : 'empty file']
  return [
    ...(text.byteOrderMark ? ['byte order mark'] : []),
    ...(text.crlf > 0 ? [`line ends ${lineEnds(text)}`] : []),
    ...(text.finalNewline ? [] : ['no line end at the end of the file']),
  ]
}

function changeNotes(
  old: FileState,
  now: FileState,
  oldText: FileText,
  newText: FileText,
  differences: readonly Difference[],
): readonly string[] {
  const notes = textNotes(oldText, newText, differences)
  if (differences.length > 0 || notes.length > 0 || isSameContent(old, now)) return notes
  return ['some line ends differ']
}

function textNotes(before: FileText, after: FileText, differences: readonly Difference[]): readonly string[] {
  const notes: string[] = [...rewrittenNotes(before, differences)]
  if (before.lines.length > 0 && after.lines.length === 0) notes.push('emptied')
  if (differences.length > 0 && differInBlanksAlone(before.lines, after.lines, differences)) {
    notes.push('only blanks and indentation differ')
  }
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

function differInBlanksAlone(before: readonly string[], after: readonly string[], differences: readonly Difference[]) {
  const bare = (lines: readonly string[]) => lines.join('').replaceAll(/\s+/g, '')
  return differences.every(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    return bare(before.slice(beforeStart, beforeEnd)) === bare(after.slice(afterStart, afterEnd))
  })
}

/** A shorter text is never called rewritten. */
const FEW = 5
/** The part of a text that may stay in one that is called rewritten. */
const STAYS = 0.1

/** Blank lines and lone brackets stay in any text, so they do not count. */
function rewrittenNotes({ lines }: FileText, differences: readonly Difference[]): readonly string[] {
  if (lines.length < FEW || differences.every(({ afterStart, afterEnd }) => afterStart === afterEnd)) return []
  const most = Math.floor(lines.length * STAYS)
  let stays = 0
  for (const line of staying(lines, differences)) {
    if (hasWord(line)) stays++
    if (stays > most) return []
  }
  if (stays === 0) return ['rewritten: no line stays']
  return [`rewritten: ${stays} of ${count(lines.length, 'line')} ${stays === 1 ? 'stays' : 'stay'}`]
}

function* staying(lines: readonly string[], differences: readonly Difference[]): Generator<string> {
  let at = 0
  for (const { beforeStart, beforeEnd } of differences) {
    yield* lines.slice(at, beforeStart)
    at = beforeEnd
  }
  yield* lines.slice(at)
}

function lineEnds(text: FileText): 'LF' | 'CRLF' | 'mixed' {
  const ends = text.lines.length - (text.finalNewline ? 0 : 1)
  if (text.crlf === 0) return 'LF'
  return text.crlf === ends ? 'CRLF' : 'mixed'
}

function modeNotes(before: FileState | null, after: FileState | null): readonly string[] {
  if (after === null) return []
  if (before === null) return after.mode & 0o111 ? [`mode ${octal(after.mode)}, executable`] : []
  // The file is made new, maybe under another name. The umask's effect is unknown beforehand, but it will not be
  // executable.
  if (after.mode === NEW_FILE_MODE) return before.mode & 0o111 ? ['no longer executable'] : []
  return before.mode === after.mode ? [] : [`mode ${octal(before.mode)} -> ${octal(after.mode)}`]
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

function sizes(before: FileState | null, after: FileState | null): string {
  return [before, after].flatMap(file => (file === null ? [] : [describeSize(file.bytes.length)])).join(' -> ')
}

/** How many lines a change adds and removes; `null` where a side is no text, or too large to compare. */
export function lineCounts(
  before: PathState,
  after: PathState,
): { readonly added: number | null; readonly removed: number | null } {
  const { added, removed, counted } = compareFiles(before, after)
  return counted ? { added, removed } : { added: null, removed: null }
}
