/** The known key that somebody who wrote `written` most likely meant, if one is near enough. */
export function nearestKey(written: string, known: readonly string[]): string | undefined {
  // No key is that long, and the time of the comparison grows with the square of the length.
  if (written.length > 40) return undefined
  const near = known
    .map(key => ({ key, distance: farness(plain(written), plain(lastPart(key))) }))
    .filter(({ key, distance }) => distance <= Math.floor(lastPart(key).length / 3))
    .sort((a, b) => a.distance - b.distance || a.key.length - b.key.length)
  return near[0]?.key
}

/** A user who writes `ask` in the wrong place may mean `policy.ask`. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

/** To people `poll_interval`, `poll-interval` and `PollInterval` are the same. */
function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** `timeout` is near `commandTimeout`, however many letters differ. */
function farness(written: string, key: string): number {
  const letters = distance(written, key)
  return written.length >= 4 && key.includes(written) ? Math.min(letters, 1) : letters
}

/** How many letters must be added, left out or replaced to get from one to the other. */
function distance(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (const letter of from) {
    const row = [(last[0] ?? 0) + 1]
    for (let j = 1; j <= to.length; j++) {
      const [above = 0, before = 0, left = 0] = [last[j], last[j - 1], row[j - 1]]
      row.push(Math.min(above + 1, left + 1, before + (letter === to[j - 1] ? 0 : 1)))
    }
    last = row
  }
  return last[to.length] ?? 0
}
