/** Lets a fixed number of works run at a time; the others wait their turn, first come, first served. */
export function turnstile(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places
  const waiting: (() => void)[] = []

  return async work => {
    if (free > 0) free--
    else await new Promise<void>(go => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
