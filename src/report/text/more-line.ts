import { count } from './count.ts'
import type { Style } from './style.ts'

/** The number of items that are not shown, on a line below the others; no line where all are shown. */
export function moreLine(hidden: number, noun: string, { paint, sign }: Style, indent = 4): readonly string[] {
  return hidden > 0 ? [paint.meta(`${' '.repeat(indent)}${sign.cut} and ${count(hidden, `more ${noun}`)}`)] : []
}

/** The first of a list in words, and the number of the others. */
export function firstOf<T>(
  items: readonly T[],
  most: number,
  noun: string,
  wordsOf: (item: T) => string,
): readonly string[] {
  const more = items.length - most
  return [...items.slice(0, most).map(wordsOf), ...(more > 0 ? [`and ${count(more, `more ${noun}`)}`] : [])]
}
