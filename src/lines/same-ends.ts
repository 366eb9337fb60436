/** How many signs of two lines, or lines of two texts, are the same at their beginning. */
export function sameStart(one: ArrayLike<string>, other: ArrayLike<string>): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same < most && one[same] === other[same]) same++
  return same
}

/** How many are the same at their end, without the first `start` of either. */
export function sameEnd(one: ArrayLike<string>, other: ArrayLike<string>, start: number): number {
  const most = Math.min(one.length, other.length) - start
  let same = 0
  while (same < most && one[one.length - 1 - same] === other[other.length - 1 - same]) same++
  return same
}
