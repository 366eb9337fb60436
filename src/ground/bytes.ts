import { createHash } from 'node:crypto'

/** The same bytes as a Buffer, without a copy. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The start of a text in at most this many bytes of UTF-8, without half a character. */
export function cutBytes(text: string, most: number): string {
  // A code unit makes at most three bytes.
  if (text.length * 3 <= most) return text
  const bytes = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, most)))
  return text.slice(0, bytes.read)
}

/** The same for the end of a text. */
export function cutBytesBefore(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= most) return text
  let from = bytes.length - Math.max(0, most)
  // 10xxxxxx continues a character.
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from))
}

/** The hash in hex of these parts in a row, texts in UTF-8. */
export function digest(algorithm: 'sha1' | 'sha256', ...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
