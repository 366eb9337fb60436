/** As many items as can stay in their order while their numbers rise: a longest increasing subsequence. */
export function longestRise<T>(items: readonly T[], by: (item: T) => number): readonly T[] {
  const heights = items.map(by)
  /** For each length, the item that ends the lowest row of that length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, height] of heights.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((heights[ends[middle] ?? 0] ?? 0) < height) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = index
  }
  const row: number[] = []
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) row.push(at)
  return row.reverse().flatMap(at => items.slice(at, at + 1))
}
