/**
 * The hash of some bytes, or of texts in UTF-8, put behind each other; in hex.
 *
 * bun brings hashes of its own: there `node:crypto` is only a layer over them, and takes longer to load than the rest
 * of relay's hashing takes.
 */
export function digest(algorithm: 'sha1' | 'sha256', ...parts: readonly (Uint8Array | string)[]): string {
  // Not imported, for that would load it in both.
  const hash =
    bun === undefined ? process.getBuiltinModule('node:crypto').createHash(algorithm) : new bun.CryptoHasher(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

interface Hash {
  update(data: Uint8Array | string): void
  digest(encoding: 'hex'): string
}

const { Bun: bun } = globalThis as { readonly Bun?: { readonly CryptoHasher: new (algorithm: string) => Hash } }
