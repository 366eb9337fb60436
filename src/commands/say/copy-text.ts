import type { System } from '../../ports.ts'
import type { Copied } from '../../report/copied-lines.ts'

/**
 * Puts a text on the clipboard, or sends it to that of the terminal where relay can reach none. That it cannot be copied
 * is never a failure of relay's: it can be printed.
 */
export async function copyText(text: string, system: Pick<System, 'clipboard' | 'terminal'>): Promise<Copied> {
  try {
    await system.clipboard.write(text)
    return { kind: 'copied' }
  } catch (error) {
    if (await system.terminal.copy(text)) return { kind: 'sent' }
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { kind: 'failed', why }
  }
}
