import type { Terminal } from '../../ports.ts'
import { nobodyAsked } from '../../report/nobody-asked.ts'

/** Why a question has no answer: there was nobody to ask, or the input ended (Ctrl+D) when it was asked. */
export function noAnswer({ canAsk, whyUnasked }: Pick<Terminal, 'canAsk' | 'whyUnasked'>): string {
  return canAsk ? 'the input was closed at the question' : nobodyAsked(whyUnasked)
}
