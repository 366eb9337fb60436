interface Taken {
  readonly start: number
  readonly after: number
}

/**
 * The prose between the files, in order.
 *
 * Quotations belong to it, as fenced text: they explain the change and would else be lost.
 */
export function reasoningOf(text: string, from: number, taken: readonly Taken[]): readonly string[] {
  const reasoning: string[] = []
  let at = from
  const add = (to: number) => {
    const words = text.slice(at, to).trim()
    if (words !== '' && !isFence(words)) reasoning.push(words)
  }
  for (const { start, after } of taken.toSorted((one, other) => one.start - other.start)) {
    if (start > at) add(start)
    at = Math.max(at, after)
  }
  add(text.length)
  return reasoning
}

/** A fence alone is what is left of a block around the whole answer. */
function isFence(words: string): boolean {
  return /^(?:`{3,}|~{3,})[a-z]{0,20}$/i.test(words)
}
