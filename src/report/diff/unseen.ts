import { isSameContent } from '../../model/path-state.ts'
import { count } from '../text/count.ts'
import type { DiffLine } from './diff-lines.ts'
import type { FileDiff } from './file-diffs.ts'

/** What a shortened diff does not show of one file. */
export interface Unseen {
  readonly path: string
  /** Added and removed lines that are left out. */
  readonly lines: number
  /** Lines that are cut, and about how many characters of them cannot be seen. */
  readonly cut: number
  readonly characters: number
  /** Why nothing shows its content, the full diff neither. */
  readonly never: string | undefined
}

/**
 * All that a shortened diff does not show: how many lines of any kind are left out and how many cut, and of which files.
 *
 * @param shown the first of the lines, as far as there is room: how many characters of each cannot be seen
 */
export function unseenOf(lines: readonly DiffLine[], shown: readonly { readonly unseen: number }[]) {
  const files: { -readonly [Key in keyof Unseen]: Unseen[Key] }[] = []
  let hidden = 0
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'file') {
      files.push({ path: line.file.path, lines: 0, cut: 0, characters: 0, never: whyNever(line.file) })
    }
    // The first line of a diff is the head of a file.
    const file = files.at(-1) as (typeof files)[number]
    const characters = shown[index]?.unseen
    if (line.kind === 'left-out') {
      hidden += line.count
      file.lines += line.count
    } else if (characters === undefined) {
      hidden += 1
      if (line.kind === 'added' || line.kind === 'removed') file.lines += 1
    } else if (characters > 0) {
      file.cut += 1
      file.characters += characters
    }
  }
  const cut = files.reduce((sum, file) => sum + file.cut, 0)
  const unseen: readonly Unseen[] = files.filter(({ lines, cut, never }) => lines + cut > 0 || never !== undefined)
  return { hidden, cut, files: unseen }
}

/** Of what is deleted nothing stays that one would have to see. */
function whyNever({ before, after, compared: { lines, notes } }: FileDiff): string | undefined {
  if (lines !== undefined || after?.kind !== 'file') return undefined
  return isSameContent(before, after) ? undefined : notes.join(', ')
}

/** `4,600 changed lines, 48,000 characters of 1 long line`. */
export function unseenWords({ lines, cut, characters }: Unseen): string {
  return [
    ...(lines > 0 ? [count(lines, 'changed line')] : []),
    ...(cut > 0 ? [`${count(characters, 'character')} of ${count(cut, 'long line')}`] : []),
  ].join(', ')
}
