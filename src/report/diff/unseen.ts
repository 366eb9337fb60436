import { isSameContent } from '../../path-state.ts'
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

/** Adds up what each file's lines have left out, in the order in which the lines come. */
export class UnseenParts {
  readonly #parts: { -readonly [Key in keyof Unseen]: Unseen[Key] }[] = []

  /** From here on the lines are this file's. */
  begin(file: FileDiff): void {
    this.#parts.push({ path: file.path, lines: 0, cut: 0, characters: 0, never: whyNever(file) })
  }

  leaveOut(line: DiffLine): void {
    const part = this.#parts.at(-1)
    if (part === undefined) return
    if (line.kind === 'left-out') part.lines += line.count
    else if (line.kind === 'added' || line.kind === 'removed') part.lines += 1
  }

  cut(characters: number): void {
    const part = this.#parts.at(-1)
    if (part === undefined || characters === 0) return
    part.cut += 1
    part.characters += characters
  }

  /** The files of which something cannot be seen. */
  all(): readonly Unseen[] {
    return this.#parts.filter(({ lines, cut, never }) => lines + cut > 0 || never !== undefined)
  }
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
