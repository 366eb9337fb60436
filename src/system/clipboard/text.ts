import { isUtf8 } from 'node:buffer'
import { bufferOf } from '../../ground/bytes.ts'

/** What is no UTF-8 becomes U+FFFD; the empty text is none. */
export function textOf(bytes: Uint8Array): string | null {
  return orNull(decode(bytes))
}

export function orNull(text: string): string | null {
  return text === '' ? null : text
}

/** The bytes may be a picture. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) || !isUtf8(bytes)
}

export function decode(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('utf8')
}
