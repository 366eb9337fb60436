/** Enough files at once to keep a disk busy, and too few to run out of handles. */
const atOnce = 64

/**
 * Works on many items at once and waits for all that were begun, also after a failure: nobody may start to roll back
 * while a write is still under way. After the first failure no further item is begun, and that failure is thrown. No
 * further item is begun after `signal` aborts either; the caller has to check for that, since some items then have no
 * result.
 */
export async function inFlight<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  let failure: { readonly error: unknown } | undefined
  const results: R[] = []
  const left = items.entries()
  const worker = async () => {
    for (const [index, item] of left) {
      if (failure !== undefined || signal?.aborted === true) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failure !== undefined) throw failure.error
  return results
}
