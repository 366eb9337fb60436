import type { Change, PathState } from '../../model/plan.ts'
import { visible, visibleLine } from '../text/visible.ts'
import type { FileComparison } from './compare-files.ts'
import { type FileDiff, fileDiffs, type Moves } from './file-diffs.ts'
import { hunkRange, hunksOf, linesOfHunk, SIGN } from './hunks.ts'
import { quoteGitPath } from './quote-git-path.ts'

/**
 * The diff as `git diff` prints it, for pagers that are made for that (`delta`). It is for reading: signs that would
 * steer the terminal are made visible, and a content that is too large, or no text, is only named. `unifiedPatch`
 * makes a patch that can be applied.
 */
export function renderGitDiff(
  changes: readonly Change[],
  look: { readonly colour: boolean },
  moves: Moves = 'followed',
): string {
  const paint = painter(look.colour)
  const files = fileDiffs(changes, moves).filter(({ effect }) => effect !== 'none')
  const notes = files.flatMap(({ path, compared }) => compared.notes.map(note => visibleLine(`${path}: ${note}`)))
  const head = notes.length === 0 ? [] : [...notes, '']
  return `${[...head, ...files.flatMap(file => fileLines(file, paint))].join('\n')}\n`
}

type Painter = (kind: 'head' | 'range' | 'same' | 'removed' | 'added', text: string) => string

/** Git's own colours, because programs that read its diffs know them. */
function painter(colour: boolean): Painter {
  const codes = { head: '\x1b[1m', range: '\x1b[36m', same: '', removed: '\x1b[31m', added: '\x1b[32m' }
  return (kind, text) => (colour ? `${codes[kind]}${text}\x1b[m` : text)
}

function fileLines(file: FileDiff, paint: Painter): readonly string[] {
  const { path, from = path, before, after, compared } = file
  const names = { old: nameOf(`a/${from}`), new: nameOf(`b/${path}`) }
  const head = [`diff --git ${names.old} ${names.new}`, ...modeLines(before, after)]
  if (from !== path) head.push(similarity(compared), `rename from ${nameOf(from)}`, `rename to ${nameOf(path)}`)
  const isCounted = compared.added + compared.removed > 0
  if (isCounted && compared.lines !== undefined) {
    head.push(`--- ${before === null ? '/dev/null' : names.old}`, `+++ ${after === null ? '/dev/null' : names.new}`)
  }
  const painted = head.map(line => paint('head', line))
  if (compared.lines === undefined) painted.push(`Binary files ${names.old} and ${names.new} differ`)
  return [...painted, ...hunkLines(file, paint)]
}

/** How much of the larger side stays. For other programs this line is the sign of a rename. */
function similarity({ lines, added }: FileComparison): string {
  const most = Math.max(lines?.before.length ?? 0, lines?.after.length ?? 0)
  const same = (lines?.after.length ?? 0) - added
  return `similarity index ${most === 0 ? 100 : Math.floor((100 * same) / most)}%`
}

/** Quoted only where it has to be: readers can read a name in any script. */
function nameOf(path: string): string {
  return visibleLine(path) === path && !/["\\]/.test(path) ? path : quoteGitPath(path)
}

function modeLines(before: PathState, after: PathState): readonly string[] {
  const [old, now] = [modeOf(before), modeOf(after)]
  if (old === now) return []
  if (old === undefined) return [`new file mode ${now}`]
  return now === undefined ? [`deleted file mode ${old}`] : [`old mode ${old}`, `new mode ${now}`]
}

function modeOf(state: PathState): string | undefined {
  if (state === null) return undefined
  if (state.kind === 'link') return '120000'
  return `100${(state.mode & 0o777).toString(8).padStart(3, '0')}`
}

function hunkLines({ compared }: FileDiff, paint: Painter): readonly string[] {
  if (compared.lines === undefined) return []
  const { before, after } = compared.lines
  const lines: string[] = []
  for (const hunk of hunksOf(compared.differences, after.length)) {
    lines.push(paint('range', hunkRange(hunk)))
    for (const { kind, text } of linesOfHunk(hunk, before, after)) {
      // In two parts, as git does it: some programs look for the sign alone.
      if (kind === 'added') lines.push(paint(kind, SIGN[kind]) + paint(kind, visible(text)))
      else lines.push(paint(kind, SIGN[kind] + visible(text)))
    }
  }
  return lines
}
