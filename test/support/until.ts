/** Ends as soon as it is so; looks often, and gives up after fifty seconds with what was awaited. */
export async function until(isSo: () => boolean, awaited: string): Promise<void> {
  const end = performance.now() + 50_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`did not happen within 50 s: ${awaited}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
