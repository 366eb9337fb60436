import { count } from './count.ts'

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
