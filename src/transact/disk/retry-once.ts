/**
 * For the steps of a rollback, which can be repeated: a trouble of a moment (a busy file, no handle left) is over at
 * the second try.
 */
export async function retryOnce<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch {
    return step()
  }
}
