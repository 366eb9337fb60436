import { formOf } from '../../ground/bare-text.ts'
import { bufferOf } from '../../ground/buffer-of.ts'
import type { PathState } from '../../model.ts'
import { isSameContent } from '../../path-state.ts'

/**
 * Whether two states of a file are the same, or two texts that differ by nothing but what a formatter changes. An operator is
 * the user's.
 */
export function isSameOrReformatted(path: string, one: PathState, other: PathState): boolean {
  if (one?.kind === 'link' && other?.kind === 'link') return one.to === other.to
  if (one?.kind !== 'file' || other?.kind !== 'file') return one === other
  if (isSameContent(one, other)) return true
  if (one.bytes.includes(0) || other.bytes.includes(0)) return false
  const form = formOf(path)
  const [text, otherText] = [one, other].map(({ bytes }) => form(bufferOf(bytes).toString('utf8')))
  return text !== '' && text === otherText
}
