import { indented, noteLines } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'

/** `sent`: to the terminal's clipboard. Nobody can tell whether it arrived there. */
export type CopyEnd = { readonly kind: Done } | { readonly kind: 'failed'; readonly why: string }

export type Done = 'copied' | 'sent'

/**
 * @param head says what was copied, or sent
 * @param otherwise where else the text is, as a sentence
 */
export function copiedLines(
  copied: CopyEnd,
  head: (done: Done) => readonly string[],
  otherwise: string,
  style: Style,
): readonly string[] {
  if (copied.kind === 'failed') return noteLines(`not copied: ${copied.why}. ${otherwise}`, style)
  if (copied.kind === 'copied') return head('copied')
  return [...head('sent'), ...indented(`To your terminal's clipboard. Nothing there? ${otherwise}`, style)]
}
