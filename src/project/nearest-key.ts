/** The known key that somebody who wrote `written` most likely meant, if one is near enough. */
export function nearestKey(written: string, known: readonly string[]): string | undefined {
  // No key is that long, and the comparison takes time in the square of the length.
  if (written.length > 40) return undefined
  const near = known
    .map(key => ({ key, distance: farness(plain(written), plain(lastPart(key))) }))
    .filter(({ key, distance }) => distance <= Math.floor(lastPart(key).length / 3))
    .sort((a, b) => a.distance - b.distance || a.key.length - b.key.length)
  return near[0]?.key
}

/** `policy.ask` is also meant by whoever writes `ask` in the wrong place. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

/** `poll_interval`, `poll-interval` and `PollInterval` are one to people. */
function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** `timeout` is near to `commandTimeout`, whatever the number of letters. */
function farness(written: string, key: string): number {
  const letters = distance(written, key)
  return written.length >= 4 && key.includes(written) ? Math.min(letters, 1) : letters
}

/** How many letters must be added, left out, replaced or swapped with the next to get from one to the other. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped ? at(beforeLast, j - 2) + 1 : Infinity))
    }
    beforeLast = last
    last = row
  }
  return at(last, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
