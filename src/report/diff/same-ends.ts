/** How many code units are the same at the beginning of two lines. */
export function sameStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same++
  return same
}

/** How many are the same at their end, without the first `start` of either. */
export function sameEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start
  let same = 0
  while (same < most && one.charCodeAt(one.length - 1 - same) === other.charCodeAt(other.length - 1 - same)) same++
  return same
}
