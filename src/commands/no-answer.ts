import type { Terminal } from '../ports.ts'

/** Why a question has no answer: there was nobody to ask, or the input ended (Ctrl+D) when it was asked. */
export function noAnswer({ canAsk, whyUnasked }: Pick<Terminal, 'canAsk' | 'whyUnasked'>): string {
  if (canAsk) return 'the input was closed at the question'
  return whyUnasked === undefined ? 'nobody could be asked' : `nobody could be asked (${whyUnasked})`
}
