import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clipboard } from '../../src/ports.ts'

export interface ClipboardSubject {
  readonly clipboard: Clipboard
  /** Makes it as it is when nothing was ever copied. */
  clear(): Promise<void>
  stop(): Promise<void>
}

/** What every clipboard behind the port must keep. */
export function clipboardContract(name: string, make: () => Promise<ClipboardSubject>) {
  describe(`${name} clipboard`, () => {
    let subject: ClipboardSubject
    beforeAll(async () => {
      subject = await make()
    })
    afterAll(() => subject?.stop())

    it('has a name', () => {
      expect(subject.clipboard.name).toMatch(/^\w/)
    })

    it('holds nothing at first', async () => {
      await subject.clear()
      expect(await subject.clipboard.read()).toBeNull()
    })

    it.each([
      ['one line without an end', 'one line'],
      ['line ends of both kinds', 'a\r\nb\nc\n\n'],
      ['blanks around', '  \t x \n '],
      ['all of Unicode', 'wörld ✅ 👩‍👩‍👧 \u202e \u0000 after NUL'],
      ['a byte order mark', '\ufefftext'],
      ['a megabyte', 'line of text ✅\n'.repeat(60_000)],
    ])('gives back %s', async (_what, text) => {
      await subject.clipboard.write(text)
      expect((await subject.clipboard.read()) === text).toBe(true)
    })

    it('takes the empty text for none', async () => {
      await subject.clipboard.write('')
      expect(await subject.clipboard.read()).toBeNull()
    })
  })
}
