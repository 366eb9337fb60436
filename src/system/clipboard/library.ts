import type { ClipboardBackEnd } from '../../ports.ts'
import { orNull } from './text.ts'
import { within } from './trouble.ts'

/** The library's way: macOS, Windows, and `xsel`. Its reads know no time limit, so only one is ever under way. */
export function byLibrary(name: string, why: string): ClipboardBackEnd {
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
      return orNull(await within(reading, 'read'))
    },

    async write(text) {
      const { default: clipboard } = await import('clipboardy')
      await within(clipboard.write(text), 'write')
    },
  }
}

async function libraryRead(): Promise<string> {
  const { default: clipboard } = await import('clipboardy')
  return clipboard.read()
}
