/** Ends as soon as it is so; looks often, and gives up after twenty seconds with what was awaited. */
export async function until(isSo: () => boolean, awaited: string): Promise<void> {
  const end = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`did not happen within 20 s: ${awaited}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
