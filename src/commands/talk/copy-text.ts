import type { System } from '../../ports.ts'
import { type CopyEnd, copiedLines, type Done } from '../../report/screens/copied-lines.ts'
import { styleOf } from './style-of.ts'

/**
 * Puts a text on the clipboard, or sends it to that of the terminal where relay can reach none, and says what became of
 * it. That it cannot be copied is never a failure of relay's: it can be printed.
 */
export async function copyText(
  text: string,
  head: (done: Done) => readonly string[],
  otherwise: string,
  system: Pick<System, 'clipboard' | 'terminal'>,
): Promise<CopyEnd['kind']> {
  const { terminal } = system
  const copied = await put(text, system)
  for (const line of copiedLines(copied, head, otherwise, styleOf(terminal))) terminal.err(line)
  return copied.kind
}

async function put(text: string, { clipboard, terminal }: Pick<System, 'clipboard' | 'terminal'>): Promise<CopyEnd> {
  try {
    await clipboard.write(text)
    return { kind: 'copied' }
  } catch (error) {
    if (await terminal.copy(text)) return { kind: 'sent' }
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { kind: 'failed', why }
  }
}
