import { RelayError } from '../errors.ts'
import type { Response } from '../model.ts'
import type { System } from '../ports.ts'

/** A text that has come to the clipboard. */
export interface Copied {
  readonly response: Response
  /** It was there before watching began: nobody copied it for relay. */
  readonly initial: boolean
}

/** Whether the clipboard can be read; each change is told once. */
export type ClipboardState =
  | { readonly kind: 'lost'; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'back' }

const longestPauseMs = 30_000

/**
 * Each new text on the clipboard, until the interruption. A failing read is told once and tried again ever more
 * seldom; it never ends the watching.
 *
 * @param intervalMs answers the pause between two looks, asked anew each time
 */
export async function* pollClipboard(
  { clipboard, clock, interruption }: Pick<System, 'clipboard' | 'clock' | 'interruption'>,
  intervalMs: () => number,
  tell: (state: ClipboardState) => void,
): AsyncGenerator<Copied> {
  let last: string | null = null
  let initial = true
  let failures = 0
  while (!interruption.aborted) {
    const looked = await look(clipboard)
    if (interruption.aborted) return
    if (looked.kind === 'failed') {
      failures += 1
      if (failures === 1) tell({ kind: 'lost', message: looked.error.message, hint: looked.error.hint })
    } else {
      if (failures > 0) tell({ kind: 'back' })
      failures = 0
      if (looked.text !== null && looked.text !== '' && looked.text !== last) {
        last = looked.text
        yield { response: { text: looked.text, source: 'clipboard' }, initial }
      }
      initial = false
    }
    await clock.sleep(
      Math.min(intervalMs() * 2 ** Math.min(failures, 10), Math.max(intervalMs(), longestPauseMs)),
      interruption,
    )
  }
}

type Look =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'failed'; readonly error: RelayError }

async function look(clipboard: System['clipboard']): Promise<Look> {
  try {
    return { kind: 'text', text: await clipboard.read() }
  } catch (error) {
    if (error instanceof RelayError) return { kind: 'failed', error }
    return { kind: 'failed', error: new RelayError('environment', 'Cannot read the clipboard', { cause: error }) }
  }
}
