import { fstatSync } from 'node:fs'
import { RelayError } from '../../errors.ts'

/** `/dev/null` holds no data, and a terminal holds a person. */
export function stdinHoldsData(): boolean {
  try {
    const stats = fstatSync(0)
    return stats.isFIFO() || stats.isFile() || stats.isSocket()
  } catch {
    return false
  }
}

/** Larger than any limit that a project can set for a response. */
const largest = 512 * 1024 * 1024 - 1

/** Reads stdin to its end, or a little past `most` bytes. */
export async function readStdin(interruption: AbortSignal, most = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const { stdin } = process
  const stop = () => stdin.destroy(new Error('interrupted'))
  interruption.addEventListener('abort', stop)
  if (interruption.aborted) stop()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stdin) {
      chunks.push(chunk)
      size += chunk.length
      if (size > most) break
      if (size > largest) throw new RelayError('usage', 'Cannot read stdin: it is larger than 512 MB')
    }
  } catch (cause) {
    if (cause instanceof RelayError) throw cause
    // Half a response must not pass for a whole one.
    throw new RelayError('failed', `Cannot read stdin: ${(cause as Error).message}`, { cause })
  } finally {
    interruption.removeEventListener('abort', stop)
  }
  return Buffer.concat(chunks)
}
