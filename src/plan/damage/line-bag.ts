/** Lines with how often each is there; blanks around a line do not count, and blank lines are left out. */
export type LineBag = Map<string, number>

/** @param trim what of a line counts; all but the blanks around it where nothing else is said */
export function lineBag(text: string, trim = (line: string) => line.trim()): LineBag {
  const bag: LineBag = new Map()
  for (const line of text.split('\n')) {
    const trimmed = trim(line)
    if (trimmed !== '') bag.set(trimmed, (bag.get(trimmed) ?? 0) + 1)
  }
  return bag
}

/** Takes one line out of the bag; `false` when it is not, or no longer, there. */
export function takeLine(bag: LineBag, line: string): boolean {
  const count = bag.get(line) ?? 0
  if (count === 0) return false
  bag.set(line, count - 1)
  return true
}

/** What is in a bag beyond what is in another one. */
export function difference(bag: LineBag, without: LineBag): LineBag {
  const rest: LineBag = new Map()
  for (const [line, count] of bag) {
    const more = count - (without.get(line) ?? 0)
    if (more > 0) rest.set(line, more)
  }
  return rest
}
