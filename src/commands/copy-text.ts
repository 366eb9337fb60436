import type { System } from '../ports.ts'

/** Puts a text on the clipboard; answers in one line why it is not there. That is never a failure: it can be printed. */
export async function copyText(text: string, { clipboard }: Pick<System, 'clipboard'>): Promise<string | undefined> {
  try {
    await clipboard.write(text)
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return why.split('\n')[0]
  }
}
