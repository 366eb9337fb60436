import type { Terminal } from '../ports.ts'

/** Why a question has no answer: there was nobody to ask, or the input ended (Ctrl+D) when it was asked. */
export function noAnswer({ canAsk }: Pick<Terminal, 'canAsk'>): string {
  return canAsk ? 'the input was closed at the question' : 'nobody could be asked'
}
