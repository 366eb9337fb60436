import { createHash } from 'node:crypto'

/** The hash of some bytes, or of texts in UTF-8, put behind each other; in hex. */
export function digest(algorithm: 'sha1' | 'sha256', ...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
