import { bareText } from '../bare-text.ts'
import { bufferOf } from '../buffer-of.ts'

/** Whether two contents are the same, or differ by nothing but what a formatter changes: blanks, quotes, signs. */
export function isSameOrReformatted(one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) return true
  if (one.includes(0) || other.includes(0)) return false
  const [text, otherText] = [one, other].map(bytes => bareText(bufferOf(bytes).toString('utf8')))
  return text !== '' && text === otherText
}
