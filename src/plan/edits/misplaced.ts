import type { Hunk, Problem } from '../../model/response.ts'
import type { Placing } from './place-hunk.ts'

/** Why an edit cannot be placed; lines are 0-based. */
export type Misplacing =
  | Exclude<Placing, { readonly kind: 'placed' | 'already' }>
  | { readonly kind: 'absent' | 'exists' | 'binary' | 'encoding' }
  | { readonly kind: 'overlap'; readonly at: number }

/** Says which edit cannot be placed and why, and shows what the file has around the nearest place. */
export function misplaced(path: string, hunk: Hunk, why: Misplacing, lines: readonly string[]): Problem {
  const { code, says, near, differs } = reasonFor(hunk, why, lines)
  return {
    code,
    message: `${hunk.number === undefined ? 'The edit' : `Edit ${hunk.number}`} of ${path} ${says}`,
    line: hunk.line,
    block: hunk.block,
    path,
    ...(differs === undefined ? {} : { differs }),
    ...(near === undefined ? {} : { around: around(near, hunk, lines) }),
  }
}

interface Reason {
  readonly code: string
  readonly says: string
  readonly near?: number | undefined
  readonly differs?: Problem['differs']
}

const more = 'Ask for it again with more of the lines around it.'

function reasonFor(hunk: Hunk, why: Misplacing, lines: readonly string[]): Reason {
  switch (why.kind) {
    case 'absent':
      return { code: 'edit-without-file', says: 'is for a file that does not exist. Ask for the whole file.' }
    case 'exists':
      return {
        code: 'edit-new-exists',
        says: 'makes a new file, but there is one with another text. Ask for an edit of it, or for the whole file.',
      }
    case 'binary':
      return { code: 'edit-binary', says: 'is meant for a text, but the file is binary. Change it by hand.' }
    case 'encoding':
      return {
        code: 'edit-encoding',
        says: 'has characters that the file cannot hold, since it is not UTF-8. Change it by hand, or convert the file first.',
      }
    case 'placeless':
      return {
        code: 'edit-placeless',
        says: `names no line that is in the file, so relay does not know its place. ${more}`,
      }
    case 'overlap':
      return {
        code: 'edit-overlap',
        says: `changes a line that another edit needs, line ${why.at + 1}. Ask for one edit of that place.`,
        near: why.at,
      }
    case 'several':
      return { code: 'edit-ambiguous', says: `fits at ${placesOf(why.at)}. ${more}`, near: why.at[0] }
    case 'nowhere':
      return nowhere(hunk, why.nearest, lines)
  }
}

/** So many places are named. */
const mostNamed = 5

function placesOf(at: readonly number[]): string {
  const named = at.slice(0, mostNamed).map(line => String(line + 1))
  const others = at.length - named.length
  const last = others > 0 ? `${others} more` : (named.pop() ?? '')
  return `lines ${named.join(', ')} and ${last}: relay cannot know which one is meant`
}

function nowhere(hunk: Hunk, nearest: number | undefined, lines: readonly string[]): Reason {
  const old = oldLines(hunk)
  const isThere = (words: string) => lines.some(line => line.trim() === words)
  if (old.some(line => elision.test(line.trim()) && !isThere(line.trim()))) {
    return {
      code: 'edit-elided',
      says: `leaves lines out (\`...\`), so relay does not know its place. ${more}`,
      near: nearest,
    }
  }
  if (nearest === undefined) {
    return {
      code: 'edit-not-found',
      says: 'changes lines that are not in the file, nor any like them. Ask for the whole file.',
    }
  }
  const first = Math.max(
    0,
    old.findIndex((line, index) => line.trimEnd() !== (lines[nearest + index] ?? '\n').trimEnd()),
  )
  const at = nearest + first
  return {
    code: 'edit-not-found',
    says: `changes lines that are not in the file. The nearest place is line ${Math.max(1, nearest + 1)}; line ${Math.max(1, at + 1)} differs. Ask for it again with the present text.`,
    near: nearest,
    differs: { line: Math.max(1, at + 1), file: cut(lines[at] ?? ''), edit: cut(old[first] ?? '') },
  }
}

/** Dots in place of lines, alone, before words, or in a comment; without a blank they spread a value (`...rest`). */
const elision = /^(?:(?:\/\/|#|--|\/\*|<!--|;|%) ?(?:\.{3}|…)[^"'`]{0,60}|(?:\.{3}|…)(?: [^"'`]{0,60})?)$/

function oldLines({ lines }: Hunk): readonly string[] {
  return lines.flatMap(line => (line.startsWith('+') ? [] : [line.slice(1)]))
}

/** So much of a line is shown. */
const longest = 200

function cut(line: string): string {
  const text = line.trimEnd()
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** So many lines are shown above and below the place, and in all. */
const margin = 5
const mostShown = 80

function around(near: number, hunk: Hunk, lines: readonly string[]): NonNullable<Problem['around']> {
  const from = Math.max(0, near - margin)
  const to = Math.min(lines.length, near + oldLines(hunk).length + margin, from + mostShown)
  return { from: from + 1, lines: lines.slice(from, to) }
}
