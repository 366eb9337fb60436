import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipboardBackEnd, ReadableText } from '../../../src/ports.ts'

/** A back end with the desktop around it: other programs that copy, hang and end, and a display that goes away. */
export interface ClipboardSubject {
  readonly backEnd: ClipboardBackEnd
  /** Makes it as it is when nothing was ever copied. */
  clear(): Promise<void>
  /** Another program copies, and stays. */
  copy(content: string | Uint8Array, type?: string): Promise<void>
  /** The program that copied last does not answer any more, or goes away without a word. */
  owner(fate: 'hangs' | 'dies'): void
  /** Another program begins to hand out its text and dies before its end. */
  dieMidway?(): Promise<void>
  /** The display goes away, or comes back with nothing copied. */
  display?(is: 'gone' | 'back'): Promise<void>
  stop(): Promise<void>
}

/** What every way to a clipboard must keep. */
export function clipboardContract(name: string, make: () => Promise<ClipboardSubject>, options: ContractOptions = {}) {
  // A display's own server and programs stumble now and then; what fails twice has failed.
  const retry = options.hasDisplay && process.env['CI'] !== undefined ? 1 : 0
  describe(`${name} clipboard`, { retry }, () => {
    let subject: ClipboardSubject
    beforeAll(async () => {
      subject = await make()
    })
    afterAll(() => subject?.stop())
    const look = () => subject.backEnd.read()
    /** On a busy machine an answer may take longer than is waited for: then there is another look. */
    const read = async (): Promise<string | null> => {
      for (;;) {
        try {
          return await look()
        } catch (error) {
          if (!(error as Error).message.includes('no answer within 2 s')) throw error
        }
      }
    }

    it('has a name and a reason', () => {
      expect(subject.backEnd.name).toMatch(/^\w/)
      expect(subject.backEnd.why).toMatch(/\w/)
    })

    it('holds nothing at first', async () => {
      await subject.clear()
      expect(await read()).toBeNull()
    })

    it.each([
      ['one line without an end', 'one line'],
      ['line ends of both kinds', 'a\r\nb\nc\n\n'],
      ['blanks around', '  \t x \n '],
      ['all of Unicode', 'wörld ✅ 👩‍👩‍👧 \u202e \u0000 after NUL'],
      ['a byte order mark', '\ufefftext'],
      ['a megabyte', 'line of text ✅\n'.repeat(60_000)],
    ])('gives back %s, written by us and copied by others', async (_what, text) => {
      await subject.backEnd.write(text)
      expect((await read()) === text).toBe(true)
      await subject.copy(`${text}.`)
      expect((await read()) === `${text}.`).toBe(true)
    })

    it.each([5, 20])('gives the whole of a text of %d MB', async megabytes => {
      const text = 'wörld\n'.repeat((megabytes * 1024 * 1024) / 7)
      await subject.copy(text)
      expect((await read()) === text).toBe(true)
    })

    it('takes the empty text for none', async () => {
      await subject.backEnd.write('')
      expect(await read()).toBeNull()
    })

    it('takes a picture for no text', async () => {
      await subject.copy(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png')
      expect(await read()).toBeNull()
    })

    it('replaces what is no UTF-8', async () => {
      await subject.copy(Uint8Array.from([0x61, 0xff, 0x62]))
      expect(await read()).toBe('a\ufffdb')
    })

    it('refuses what is too large to be a response', async () => {
      await subject.copy(Buffer.alloc(65 * 1024 * 1024, 'x'))
      await expect(read()).rejects.toMatchObject({
        kind: 'environment',
        message: 'Cannot read the clipboard: it holds more than 64 MB',
      })
    })

    it('gives up after two seconds on a program that does not answer, and works again after that', async () => {
      await subject.copy('never told')
      subject.owner('hangs')
      await expect(look()).rejects.toMatchObject({
        kind: 'environment',
        message: 'Cannot read the clipboard: no answer within 2 s',
      })
      subject.owner('dies')
      await subject.copy('told')
      expect(await read()).toBe('told')
    })

    it('holds nothing when the program that copied has died', async () => {
      await subject.copy('gone with its owner')
      expect(await read()).toBe('gone with its owner')
      subject.owner('dies')
      await expect.poll(read).toBeNull()
    })

    it.runIf(options.diesMidway)('takes the half of a text for nothing, and works again after that', async () => {
      await subject.dieMidway?.()
      expect(await look().catch(error => error.kind)).toBeOneOf([null, 'environment'])
      await subject.copy('whole')
      expect(await read()).toBe('whole')
    })

    it.runIf(options.listens)('tells when it listens, of each copy, and of nothing after the end', async () => {
      await subject.copy('before')
      const end = new AbortController()
      const listening = subject.backEnd.listen?.(end.signal)[Symbol.asyncIterator]()
      expect(await listening?.next()).toMatchObject({ done: false })
      for (const text of ['one', 'two', 'two', '3'.repeat(1_000_000), 'four']) {
        const told = untilRead(listening, read, text)
        // When the copy fails that is what the test says.
        told.catch(() => undefined)
        await subject.copy(text)
        await told
      }
      end.abort()
      await expect.poll(async () => (await listening?.next())?.done).toBe(true)
    })

    it.runIf(options.listens)('tells of a text that it can read while a program asks it for its own', async () => {
      const end = new AbortController()
      const listening = subject.backEnd.listen?.(end.signal)[Symbol.asyncIterator]()
      await listening?.next()
      await subject.backEnd.write('ours')
      expect(await read()).toBe('ours')
      const told = untilRead(listening, read, 'theirs')
      told.catch(() => undefined)
      await subject.copy('theirs')
      await told
      end.abort()
      await expect.poll(async () => (await listening?.next())?.done).toBe(true)
    })

    it.runIf(options.hasDisplay)('says that the display is gone, and works again when it is back', async () => {
      const end = new AbortController()
      const { listen } = subject.backEnd
      const cutOff = listen === undefined ? undefined : listenToTheEnd(listen(end.signal))
      await cutOff?.begun
      await subject.display?.('gone')
      if (cutOff !== undefined) await expect(cutOff.end).rejects.toMatchObject({ kind: 'environment' })
      await expect(look()).rejects.toMatchObject({ kind: 'environment' })
      if (listen !== undefined) {
        await expect(listenToTheEnd(listen(end.signal)).end).rejects.toMatchObject({ kind: 'environment' })
      }
      await subject.display?.('back')
      expect(await read()).toBeNull()
      await subject.copy('back')
      expect(await read()).toBe('back')
    })
  })
}

/** Listens until there is nothing more to hear. */
function listenToTheEnd(told: AsyncIterable<ReadableText>) {
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const end = (async () => {
    for await (const _ of told) begin()
  })()
  end.catch(begin)
  return { begun, end }
}

export interface ContractOptions {
  readonly listens?: boolean
  readonly diesMidway?: boolean
  readonly hasDisplay?: boolean
}

/** Programs may say more than once that they have copied, and a busy machine may be too slow for a look: the last counts. */
async function untilRead(
  listening: AsyncIterator<ReadableText> | undefined,
  read: () => Promise<string | null>,
  expected: string,
): Promise<void> {
  if ((await listening?.next())?.done !== false) throw new Error('ended early')
  await expect.poll(async () => (await read().catch(() => null)) === expected).toBe(true)
}
