/**
 * For steps of going back, each of which looks first: what was only a moment's trouble (a busy file, no handle left)
 * is over at the second try.
 */
export async function retryOnce<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch {
    return step()
  }
}
