import { digest } from '../../ground/bytes.ts'
import { readOwn } from '../disk/read-own.ts'
import type { Layout } from '../layout/layout.ts'

/**
 * Remembers a text on the clipboard of which the user wants nothing: the newest alone, for only what stands there still
 * would be offered again. It is no transaction and has no number, and `relay apply` takes it as any other.
 *
 * Where it cannot be remembered it is offered again.
 */
export async function rememberDeclinedOffer(text: string, { declinedOffer, files }: Layout): Promise<void> {
  try {
    await files.remove(declinedOffer)
    await files.create(declinedOffer, Buffer.from(markOf(text)), { mode: 0o600, sync: false })
  } catch {
    // See above.
  }
}

export async function isDeclinedOffer(text: string, { declinedOffer, files }: Layout): Promise<boolean> {
  return (await readOwn(declinedOffer, files).catch(() => undefined)) === markOf(text)
}

/** Each way to the clipboard has its own blank lines around a text. */
function markOf(text: string): string {
  return `${digest('sha256', text.trim())}\n`
}
