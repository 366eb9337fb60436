/** What was typed at a list, understood. */
export type Choice =
  /** The files that it means, counted from 0. */
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'go-on' | 'leave' | 'help' }
  /** For people, without a period. */
  | { readonly kind: 'unclear'; readonly why: string }

/** Reads `2`, `1 4-6`, `*` for all, or a part of a path for every file that has it in its own; or a key. */
export function readChoice(typed: string, paths: readonly string[]): Choice {
  const text = typed.trim()
  if (text === 'y') return { kind: 'go-on' }
  if (text === 'n') return { kind: 'leave' }
  if (text === '' || text === '?') return { kind: 'help' }
  if (text === '*') return { kind: 'numbers', numbers: paths.map((_, index) => index) }
  const words = text.split(/[\s,]+/).filter(Boolean)
  if (words.every(word => /^\d{1,6}(-\d{1,6})?$/.test(word))) return readNumbers(words, paths.length)
  if (text.length === 1) return { kind: 'unclear', why: `type more of a path than "${text}"` }
  const numbers = paths.flatMap((path, index) => (path.includes(text) ? [index] : []))
  return numbers.length > 0
    ? { kind: 'numbers', numbers }
    : { kind: 'unclear', why: `none of these files has "${text}" in its path` }
}

function readNumbers(words: readonly string[], count: number): Choice {
  const numbers = new Set<number>()
  for (const word of words) {
    const [from = 0, to = from] = word.split('-').map(Number)
    if (from < 1 || to > count || from > to)
      return {
        kind: 'unclear',
        why: `there is no file ${word}: type ${count === 1 ? '1' : `a number from 1 to ${count}`}`,
      }
    for (let number = from; number <= to; number++) numbers.add(number - 1)
  }
  return { kind: 'numbers', numbers: [...numbers] }
}
