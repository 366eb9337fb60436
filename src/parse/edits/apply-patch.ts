import { type Damage, damaged, type EditText, type FileEdit, HunkReader, linesOf, type ReadEdits } from './file-edit.ts'

/**
 * Reads the envelope of codex' `apply_patch`: `*** Begin Patch`, sections that add, delete, update and move files, and
 * `*** End Patch`. `undefined`: there is none.
 *
 * A here-document around it is known damage; one that begins and does not end was cut off. The grammar: codex-rs/apply-patch.
 */
export function readApplyPatch(content: string): ReadEdits | undefined {
  const lines = linesOf(content)
  const first = lines.findIndex(line => line.trim() !== '')
  const isWrapped = hereDocument.test(lines[first] ?? '')
  const begin = isWrapped ? first + 1 : first
  if (!isMarker(lines[begin], 'Begin Patch') && (isWrapped || !section.test(lines[begin] ?? ''))) return undefined

  const files: FileEdit[] = []
  for (let at = begin; at < lines.length; ) {
    if (isAround(lines, at, isWrapped)) {
      at++
      continue
    }
    const read = readSection(lines, at)
    if ('kind' in read) return read
    files.push(read.file)
    at = read.after
  }
  if (files.length === 0) return damaged(begin, 'the patch has no section')
  const last = lines.findLast(line => isMarker(line, 'Begin Patch') || isMarker(line, 'End Patch'))
  if (isMarker(last, 'Begin Patch')) return damaged(lines.length - 1, 'the patch does not end with *** End Patch')
  return { kind: 'edits', files }
}

/** Blank lines, the markers, and the word that ends a here-document. */
function isAround(lines: readonly string[], at: number, isWrapped: boolean): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '' || isMarker(line, 'Begin Patch') || isMarker(line, 'End Patch')) return true
  return isWrapped && isMarker(lines[at - 1], 'End Patch') && /^['"]?\w{2,20}['"]?\)?$/.test(line)
}

const hereDocument = /^(?:\$ )?(?:apply_patch|cat|%%bash|bash)\b.*<<-?[ \t]*['"]?\w+['"]?/
const section = /^\*\*\* (Add|Delete|Update) File: (.+?)[ \t]*$/

function isMarker(line: string | undefined, words: string): boolean {
  return line !== undefined && line.trim().replace(/ \*{3}$/, '') === `*** ${words}`
}

interface Section {
  readonly file: FileEdit
  readonly after: number
}

function readSection(lines: readonly string[], start: number): Section | Damage {
  const [, kind, path = ''] = section.exec(lines[start] ?? '') ?? []
  let at = start + 1
  switch (kind) {
    case 'Delete':
      return { file: { op: 'delete', path }, after: at }
    case 'Add':
      return readAdded(lines, at, path)
    case 'Update': {
      const to = /^\*\*\* Move to: (.+?)[ \t]*$/.exec(lines[at] ?? '')?.[1]
      if (to !== undefined) at++
      return readUpdate(lines, at, { path, to })
    }
    default:
      return damaged(start, `"${(lines[start] ?? '').slice(0, 60)}" is not a line of a patch`)
  }
}

function readAdded(lines: readonly string[], start: number, path: string): Section | Damage {
  const reader = new HunkReader(start)
  let at = start
  for (; at < lines.length && !isHead(lines[at]); at++) {
    if (!reader.take(lines[at] ?? '') || !reader.onlyAdds) return damaged(at, 'a line of a new file lacks its +')
  }
  return { file: { op: 'edit', path, hunks: [reader.whole()] }, after: at }
}

function readUpdate(
  lines: readonly string[],
  start: number,
  { path, to }: { readonly path: string; readonly to: string | undefined },
): Section | Damage {
  const hunks: EditText[] = []
  let at = start
  while (at < lines.length && !isHead(lines[at])) {
    const read = readHunk(lines, at)
    if ('kind' in read) return read
    if (read.hunk !== undefined) hunks.push(read.hunk)
    at = read.after
  }
  if (to !== undefined) return { file: { op: 'rename', path, to, hunks }, after: at }
  if (hunks.length === 0) return damaged(Math.min(start, lines.length - 1), `the section for ${path} changes nothing`)
  return { file: { op: 'edit', path, hunks }, after: at }
}

/** Reads one edit; none where its lines change nothing. */
function readHunk(
  lines: readonly string[],
  start: number,
): { readonly hunk: EditText | undefined; readonly after: number } | Damage {
  const below: string[] = []
  let at = start
  for (; lines[at]?.startsWith('@@'); at++) below.push(...headingOf(lines[at] ?? ''))
  const reader = new HunkReader(start, below)
  for (; at < lines.length && !endsHunk(lines[at]); at++) {
    if (!reader.take(lines[at] ?? '')) return damaged(at, noSign)
  }
  const atEnd = isMarker(lines[at], 'End of File')
  const hunk = reader.changes ? reader.hunk(atEnd ? { atEnd } : {}) : undefined
  return { hunk, after: atEnd ? at + 1 : at }
}

function endsHunk(line: string | undefined): boolean {
  return isHead(line) || line?.startsWith('@@') === true || isMarker(line, 'End of File')
}

/** Every line of an edit has a sign. */
export const noSign = 'a line of the edit has none of the signs blank, + and - in front'

function isHead(line: string | undefined): boolean {
  return section.test(line ?? '') || isMarker(line, 'End Patch') || isMarker(line, 'Begin Patch')
}

/** The line that stands above the place; numbers and dots in its stead say nothing. */
export function headingOf(line: string): readonly string[] {
  const text = line
    .replace(/^@@ ?/, '')
    .replace(/^-\d*(?:,\d*)? \+\d*(?:,\d*)? ?@@ ?/, '')
    .replace(/^(?:\.\.\.|…) ?@@ ?/, '')
    .replace(/ @@$/, '')
    .trim()
  return /^[-+,.…@\d\s]*$/.test(text) ? [] : [text]
}
