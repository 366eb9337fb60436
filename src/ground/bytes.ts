import { createHash } from 'node:crypto'

/** The same bytes, not a copy of them, as what can be made a text. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** As much of a text's start as has at most so many bytes in UTF-8, and no half of a character. */
export function cutBytes(text: string, most: number): string {
  // A code unit makes at most three bytes.
  if (text.length * 3 <= most) return text
  const bytes = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, most)))
  return text.slice(0, bytes.read)
}

/** The same of its end. */
export function cutBytesBefore(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= most) return text
  let from = bytes.length - Math.max(0, most)
  // 10xxxxxx goes on with a character.
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from))
}

/** The hash of some bytes, or of texts in UTF-8, put behind each other; in hex. */
export function digest(algorithm: 'sha1' | 'sha256', ...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
