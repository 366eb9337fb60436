import { count } from './count.ts'
import type { Style } from './style.ts'

/** How many of a list are not shown, below those that are; nothing where all are. */
export function moreLine(hidden: number, noun: string, { paint, sign }: Style, indent = 4): readonly string[] {
  return hidden > 0 ? [paint.meta(`${' '.repeat(indent)}${sign.cut} and ${count(hidden, `more ${noun}`)}`)] : []
}

/** The first of a list, each in words, and how many more there are. */
export function firstOf<T>(
  items: readonly T[],
  most: number,
  noun: string,
  wordsOf: (item: T) => string,
): readonly string[] {
  const more = items.length - most
  return [...items.slice(0, most).map(wordsOf), ...(more > 0 ? [`and ${count(more, `more ${noun}`)}`] : [])]
}
