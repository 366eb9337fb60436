import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'

/**
 * The next text that is pasted into the window; `undefined` where nobody can paste.
 *
 * A terminal that is read like a file cuts long lines, and has no key left for a question once it has ended.
 */
export function readPaste({ terminal, interruption }: System): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      interruption.removeEventListener('abort', stop)
      leave?.()
      settle()
    }
    const stop = () => end(() => reject(new RelayError('usage', 'Nothing was pasted')))
    const leave = terminal.listen({
      pasted: text => end(() => resolve(text)),
      unmarked: () => end(() => reject(new RelayError('usage', ...UNMARKED))),
      pressed: () => {},
    })
    if (leave === undefined) return resolve(undefined)
    terminal.err('Paste the answer here; Ctrl+C ends.')
    interruption.addEventListener('abort', stop)
    if (interruption.aborted) stop()
  })
}

const UNMARKED = [
  'This terminal does not tell a paste from typing',
  { hint: 'Save the answer, and run `relay apply <file>`.' },
] as const
