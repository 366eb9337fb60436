import type { ClipboardBackEnd } from '../../ports.ts'
import { withoutProjects } from '../find-program.ts'
import { orNull } from './text.ts'
import { within } from './trouble.ts'

/** The library's way: macOS, Windows, and Android. Its reads know no time limit, so only one is ever under way. */
export function byLibrary(name: string, why: string, limitMs?: number): ClipboardBackEnd {
  let reading: Promise<string> | undefined
  return {
    kind: 'looks',
    name,
    why,

    async read() {
      reading ??= libraryRead().finally(() => {
        reading = undefined
      })
      // Whoever comes first is answered by this one; a late failure of it has been told already.
      reading.catch(() => {})
      return orNull(await within(reading, 'read', limitMs))
    },

    async write(text) {
      const { default: clipboard } = await import('clipboardy')
      await within(
        inNoProject(() => clipboard.write(text)),
        'write',
        limitMs,
      )
    },
  }
}

async function libraryRead(): Promise<string> {
  const { default: clipboard } = await import('clipboardy')
  return inNoProject(() => clipboard.read())
}

/** The library takes no environment: it looks for its program by this process's PATH, and at once. */
function inNoProject<T>(start: () => Promise<T>): Promise<T> {
  const { PATH } = process.env
  if (PATH === undefined) return start()
  process.env['PATH'] = withoutProjects(process.env)['PATH']
  try {
    return start()
  } finally {
    process.env['PATH'] = PATH
  }
}
