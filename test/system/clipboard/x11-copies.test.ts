import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Copies } from '../../../src/system/clipboard/x11/copies.ts'
import { Session } from '../../../src/system/clipboard/x11/session.ts'
import * as wire from '../../../src/system/clipboard/x11/wire.ts'
import { x11Clipboard } from '../../../src/system/clipboard/x11/x11-clipboard.ts'
import { canRunWith } from '../../support/has-program.ts'
import { until } from '../../support/until.ts'
import { startXDisplay, type XDisplay } from '../../support/x-display.ts'
import { ownXClipboard, startCopier } from '../../support/x-owner.ts'

/** Hears of copies, and reads them when it is told to. */
async function listen(env: NodeJS.ProcessEnv) {
  const writers = { lasting: undefined, otherwise: () => Promise.reject(new Error('no other way')) }
  const end = new AbortController()
  const clipboard = x11Clipboard(env, 'a test', writers)
  const told = clipboard.listen?.(end.signal)[Symbol.asyncIterator]()
  await told?.next()
  const next = async () => (await told?.next())?.value?.read() as Promise<string | null>
  return {
    next,
    write: clipboard.write,
    /** Everything up to this text. */
    async upTo(last: string) {
      const texts: (string | null)[] = []
      while (texts.at(-1) !== last) texts.push(await next())
      return texts
    },
    async stop() {
      end.abort()
      await told?.next()
    },
  }
}

type Listening = Awaited<ReturnType<typeof listen>>

/** A program that answers for its text when a test wants it to. */
async function startSlowOwner(env: NodeJS.ProcessEnv) {
  const requests: { request: wire.SelectionRequest; session: Session }[] = []
  const owner = await ownXClipboard(env, (request, session) => {
    // The kinds that it has are asked for only where the text was none.
    if (request.target === session.atoms.utf8) requests.push({ request, session })
  })
  return {
    asked: () => until(() => requests.length > 0, 'a look at the clipboard'),
    answer(text: string) {
      const { request, session } = requests.shift() ?? {}
      if (request === undefined || session === undefined) throw new Error('nobody asked')
      session.connection.send(
        wire.changeProperty(request.requestor, request.property, session.atoms.utf8, 8, Buffer.from(text)),
        wire.notifySelection(request, request.property),
      )
    },
    /** As when the same program copies something else; ends when that is done. */
    async copyAgain() {
      const { connection, window, atoms } = owner.session
      connection.send(wire.setSelectionOwner(window, atoms.clipboard))
      await connection.ask(wire.getSelectionOwner(atoms.clipboard))
    },
    waiting: () => requests.length,
    die: () => owner.die(),
  }
}

/** An owner that was asked and is slow, while what is copied after it is there at once; time is the test's. */
async function overtake(env: NodeJS.ProcessEnv) {
  const listening = await listen(env)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const owner = await startSlowOwner(env)
  await owner.asked()
  const copier = await startCopier(env)
  await copier.copy('next')
  await until(() => copier.reads() > 0, 'a look at the next')
  return { ...listening, owner, copier }
}

// In CI what cannot run is a failure.
describe.runIf(canRunWith('Xvfb', 'xclip'))('copies on X11', () => {
  let display: XDisplay
  beforeEach(async () => {
    display = await startXDisplay()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await display?.stop()
  })

  it('wait for who is busy, and are handed out in their order', async () => {
    const { env } = display
    const copier = await startCopier(env)
    const { next, stop } = await listen(env)
    for (const text of ['one', 'two', 'three']) {
      await copier.copy(text)
      await until(() => copier.reads() > 0, `a look at ${text}`)
    }
    expect([await next(), await next(), await next()]).toEqual(['one', 'two', 'three'])
    await stop()
    copier.end()
  })

  it('wait with their owners while those before them hold much, and are whole', async () => {
    const { env } = display
    const session = await Session.open(env)
    const end = new AbortController()
    const copies = new Copies(session, end.signal, 1_000_000)
    const texts = ['a', 'b', 'c'].map(sign => sign.repeat(3_000_000))
    const copiers = await Promise.all(texts.map(() => startCopier(env)))
    for (const [at, copier] of copiers.entries()) {
      await copier.copy(texts[at] ?? '')
      await until(() => copier.reads() > 0, 'a look at it')
    }
    const [first, second, third] = copiers
    // A quarter of a megabyte each, and one at either end.
    await until(() => (first?.pieces() ?? 0) > 12, 'the end of the first')
    for (const waiting of [second, third]) expect(waiting?.pieces()).toBeLessThan(6)
    for (const text of texts) expect(await (await copies.next())?.read()).toBe(text)
    end.abort()
    session.connection.close()
    for (const copier of copiers) copier.end()
  })

  it('arrive also when their owner is slow and the next one is there already', async () => {
    const { next, stop, owner, copier } = await overtake(display.env)
    await vi.advanceTimersByTimeAsync(1500)
    owner.answer('late')
    expect([await next(), await next()]).toEqual(['late', 'next'])
    await stop()
    owner.die()
    copier.end()
  })

  it('do not wait for an owner that has ended', async () => {
    const { next, stop, owner, copier } = await overtake(display.env)
    owner.die()
    await display.own('after it')
    const heard: (string | null)[] = []
    const hearing = next().then(text => heard.push(text))
    // Only a step in which nothing at all was heard of the owner asks whether it is still there.
    await until(() => {
      vi.advanceTimersByTime(250)
      return heard.length > 0
    }, 'the copy after the one whose owner has ended')
    await hearing
    expect([...heard, await next()]).toEqual(['next', 'after it'])
    await stop()
    copier.end()
  })

  it('count once when their owner answers the first look with what it copied after that', async () => {
    const { env } = display
    const { next, stop } = await listen(env)
    const owner = await startSlowOwner(env)
    await owner.asked()
    await owner.copyAgain()
    owner.answer('second')
    await owner.asked()
    owner.answer('second')
    await display.own('third')
    expect([await next(), await next()]).toEqual(['second', 'third'])
    await stop()
    owner.die()
  })

  it('are not given up because this process could not run', async () => {
    const { env } = display
    const { next, stop } = await listen(env)
    const owner = await startSlowOwner(env)
    await owner.asked()
    owner.answer('answered meanwhile')
    // It is on its way to the server, which passes it on while this process stands still.
    await new Promise<void>(resolve => process.nextTick(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100)
    expect(await next()).toBe('answered meanwhile')
    await stop()
    owner.die()
  })

  it.each([
    [
      'hears',
      async ({ write }: Listening, { connection, atoms }: Session) => {
        await write('of relay')
        return wire.readNumber(await connection.ask(wire.getSelectionOwner(atoms.clipboard)))
      },
    ],
    [
      'reads',
      async (_: Listening, session: Session) => {
        const asked = new Promise<number>(resolve => {
          session.own = { text: '', onRequest: ({ requestor }) => resolve(requestor), onProperty() {} }
        })
        session.connection.send(wire.setSelectionOwner(session.window, session.atoms.clipboard))
        return asked
      },
    ],
  ])(
    'are lost at once, not unheard for ever, when another program ends the window that %s them',
    async (_, windowOf) => {
      const listening = await listen(display.env)
      const other = await Session.open(display.env)
      const next = listening.next()
      other.connection.send(wire.destroyWindow(await windowOf(listening, other)))
      await expect(next).rejects.toThrow('Lost the clipboard: another program ended the window of relay')
      other.connection.close()
    },
  )

  it('of a program that never answers are asked for a few at a time, and hide no later one', async () => {
    const { env } = display
    const { next, stop } = await listen(env)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const owner = await startSlowOwner(env)
    for (let copies = 0; copies < 40; copies++) await owner.copyAgain()
    const copier = await startCopier(env)
    await copier.copy('the last')
    expect(owner.waiting()).toBeLessThanOrEqual(16)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await next()).toBe('the last')
    await stop()
    owner.die()
    copier.end()
  })

  it('can come by the thousands: none comes after a later one, and the last one arrives', async () => {
    const { env } = display
    const copier = await startCopier(env)
    const { upTo, stop } = await listen(env)
    const texts = Array.from({ length: 10_000 }, (_, number) => String(number))
    const seen = upTo('9999')
    // All at once keep the display itself from answering, on a busy machine for longer than it is waited for.
    for (let at = 0; at < texts.length; at += 1000) {
      await Promise.all(texts.slice(at, at + 1000).map(text => copier.copy(text)))
    }
    const numbers = (await seen).map(Number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    await stop()
    copier.end()
  })
})
