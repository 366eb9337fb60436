import { describe, expect, it } from 'vitest'
import { RelayError } from '../../src/errors.ts'
import type { ClipboardBackEnd } from '../../src/ports.ts'
import { type ClipboardState, type Copied, watchClipboard } from '../../src/source/watch-clipboard.ts'
import { type FakeSystem, fakeSystem } from '../support/fake-system.ts'

type Look = string | null | Error

/** What every back end here has. */
const anyBackEnd = { kind: 'events', name: 'fake', why: '', write: async () => undefined } as const

function watch(backEnd: ClipboardBackEnd, { system }: FakeSystem, told: ClipboardState[] = []) {
  return watchClipboard(
    backEnd,
    system,
    () => 2000,
    state => told.push(state),
  )
}

const lost = new RelayError('environment', 'No display', { hint: 'Use a file.' })

/** Watches a clipboard that shows one thing after the other, until there is nothing more to show. */
async function poll(looks: readonly Look[], listen?: ClipboardBackEnd['listen']) {
  const world = fakeSystem({ autoAdvance: true })
  const left = [...looks]
  const times: number[] = []
  const backEnd: ClipboardBackEnd = {
    ...anyBackEnd,
    kind: 'looks',
    read: async () => {
      times.push(world.clock.monotonic())
      const next = left.shift()
      if (left.length === 0) world.interrupt()
      if (next instanceof Error) throw next
      return next ?? null
    },
    ...(listen === undefined ? {} : { listen }),
  }
  const copied: Copied[] = []
  const told: ClipboardState[] = []
  for await (const each of watch(backEnd, world, told)) copied.push(each)
  return {
    copied: copied.map(({ response, initial }) => [response.text, initial]),
    told: told.filter(({ kind }) => kind !== 'watching'),
    pauses: times.slice(1).map((time, index) => time - (times[index] ?? 0)),
  }
}

describe('polling the clipboard', () => {
  it('hands out each new text once, and knows what was there before', async () => {
    const { copied, pauses } = await poll(['old', 'old', 'a', 'a', 'b', null, 'b', 'a', 'end'])
    expect(copied).toEqual([['old', true], ['a', false], ['b', false], ['a', false]]) // biome-ignore format: one line
    expect(new Set(pauses)).toEqual(new Set([2000]))
  })

  it('does not look again once it is interrupted', async () => {
    expect(await poll([lost])).toEqual({ copied: [], told: [], pauses: [] })
  })

  it('takes the first copy to an empty clipboard for a new one', async () => {
    expect((await poll([null, '', 'a', 'end'])).copied).toEqual([['a', false]])
  })

  it('says once that it cannot read, looks ever more seldom, and says when it can again', async () => {
    const { copied, told, pauses } = await poll([lost, lost, lost, lost, lost, lost, lost, lost, 'a', 'end'])
    expect(told).toEqual([{ kind: 'lost', message: 'No display', hint: 'Use a file.' }, { kind: 'back' }])
    expect(copied).toEqual([['a', true]])
    // The second look comes at once; the clock that jumps counts its whole time.
    expect(pauses).toEqual([0, 5000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 2000])
  })

  it('says once more why it cannot read where that is for another reason after half a minute', async () => {
    const refused = new RelayError('environment', 'Not let in')
    const { told } = await poll([lost, lost, refused, lost, refused, refused, refused, lost, 'a', 'end'])
    expect(told).toMatchObject([
      { kind: 'lost', message: 'No display' },
      { kind: 'lost', message: 'Not let in' },
      { kind: 'back' },
    ])
  })

  it('says so however much later that is: who logs in again after an hour', async () => {
    const refused = new RelayError('environment', 'Not let in')
    const { told } = await poll([...Array(12).fill(lost), refused, lost, refused, refused, refused, 'a', 'end'])
    expect(told).toMatchObject([{ message: 'No display' }, { message: 'Not let in' }, { kind: 'back' }])
  })

  it('goes on after a failure that nobody foresaw', async () => {
    const { told } = await poll([new Error('boom'), new Error('boom'), 'a', 'end'])
    expect(told).toMatchObject([{ kind: 'lost', message: 'Cannot read the clipboard' }, { kind: 'back' }])
  })

  it('looks once more before it complains', async () => {
    const { copied, told } = await poll(['old', lost, 'a', 'end'])
    expect({ copied, told }).toEqual({ copied: [['old', true], ['a', false]], told: [] }) // biome-ignore format: one line
  })

  it('is what is left when nothing is told here', async () => {
    const { copied, told, pauses } = await poll(['old', 'a', 'end'], async function* () {})
    expect(told).toEqual([{ kind: 'deaf', everyMs: 2000 }])
    expect(copied).toEqual([['old', true], ['a', false]]) // biome-ignore format: one line
    expect(pauses).toEqual([2000, 2000])
  })

  it('goes on trying to listen to a desktop that is not there yet', async () => {
    let tries = 0
    const { told } = await poll(['old', 'end'], async function* () {
      if (++tries < 6) throw lost
      yield { read: async () => 'old' }
    })
    expect(told).toEqual([{ kind: 'lost', message: 'No display', hint: 'Use a file.' }, { kind: 'back' }])
    expect(tries).toBe(6)
  })
})

/** Watches the fake clipboard with a clock that is moved by hand. */
function hear(text: string | null = null) {
  const world = fakeSystem({ clipboard: text })
  world.clipboard.tells = true
  const copied: (readonly [string, boolean])[] = []
  const told: ClipboardState[] = []
  const end = (async () => {
    for await (const { response, initial } of watch(world.clipboard, world, told)) copied.push([response.text, initial])
  })()
  const settle = () => world.clock.advance(0)
  return {
    ...world,
    copied,
    told,
    settle,
    copy: async (next: string | null) => {
      world.clipboard.copy(next)
      await settle()
    },
    stop: () => {
      world.interrupt()
      return end
    },
  }
}

describe('hearing of copies', () => {
  it('looks when it is told, and not before', async () => {
    const { clipboard, clock, copied, copy, settle, stop, told } = hear('old')
    await settle()
    expect(told).toEqual([{ kind: 'watching' }])
    await clock.advance(299_000)
    expect(clipboard.reads).toBe(1)
    await copy('a')
    await copy('b')
    expect(copied).toEqual([['old', true], ['a', false], ['b', false]]) // biome-ignore format: one line
    expect(clipboard.reads).toBe(3)
    await stop()
    expect(clock.sleeping).toBe(0)
  })

  it('complains a second late at most where the second look gets no answer either', async () => {
    const { clipboard, clock, settle, stop, told } = hear('old')
    await settle()
    clipboard.copy('a')
    const { read } = clipboard
    let looks = 0
    clipboard.read = () => (looks++ === 0 ? Promise.reject(lost) : new Promise(() => {}))
    await settle()
    await clock.advance(999)
    expect(told).toEqual([{ kind: 'watching' }])
    await clock.advance(1)
    expect(told).toMatchObject([{ kind: 'watching' }, { kind: 'lost', message: 'No display' }])
    clipboard.read = read
    await clock.advance(1000)
    expect(told.at(-1)).toEqual({ kind: 'back' })
    await stop()
  })

  it('looks every five minutes for what was not told', async () => {
    const { clipboard, clock, copied, settle, stop } = hear()
    await settle()
    clipboard.text = 'untold'
    await clock.advance(299_000)
    expect(clipboard.reads).toBe(1)
    await clock.advance(1000)
    expect(copied).toEqual([['untold', false]])
    await clock.advance(20 * 60_000)
    expect(clipboard.reads).toBe(6)
    expect(copied).toHaveLength(1)
    await stop()
  })

  it('takes the same text for a copy of its own after two seconds, and not before', async () => {
    const { clock, copied, copy, settle, stop } = hear()
    await settle()
    await clock.advance(3000)
    await copy('a')
    // A clipboard manager takes over, and again when the owner has gone.
    await copy('a')
    await clock.advance(1000)
    await copy(null)
    await copy('a')
    expect(copied).toHaveLength(1)
    await clock.advance(2000)
    await copy('a')
    expect(copied).toEqual([['a', false], ['a', false]]) // biome-ignore format: one line
    await stop()
  })

  it('does not take late word of what was there for a copy', async () => {
    const { copied, copy, settle, stop } = hear('old')
    await settle()
    await copy('old')
    expect(copied).toEqual([['old', true]])
    await stop()
  })

  it('knows what was copied from what was there, also when the first look failed', async () => {
    const { clipboard, copied, copy, settle, stop, told } = hear('old')
    clipboard.failure = lost
    await settle()
    expect(told).toMatchObject([{ kind: 'lost' }, { kind: 'watching' }])
    clipboard.failure = undefined
    await copy('new')
    expect(copied).toEqual([['new', false]])
    await stop()
  })

  it('tries a look that failed again by itself', async () => {
    const { clipboard, clock, copied, settle, stop, told } = hear()
    await settle()
    clipboard.copy('a')
    clipboard.failure = lost
    await settle()
    clipboard.failure = undefined
    await clock.advance(1000)
    expect(copied).toEqual([['a', false]])
    expect(told).toMatchObject([{ kind: 'watching' }, { kind: 'lost' }, { kind: 'back' }])
    await stop()
  })

  it('takes the same text for a copy of its own also when the first look at it failed', async () => {
    const { clipboard, clock, copied, copy, settle, stop } = hear()
    await settle()
    await copy('a')
    await clock.advance(3000)
    clipboard.copy('a')
    clipboard.failure = lost
    await settle()
    clipboard.failure = undefined
    await clock.advance(1000)
    expect(copied).toEqual([['a', false], ['a', false]]) // biome-ignore format: one line
    await stop()
  })

  it('reads each copy as it was told, however many have come while nobody waited', async () => {
    const world = fakeSystem()
    const backEnd: ClipboardBackEnd = {
      ...anyBackEnd,
      read: async () => 'c',
      async *listen() {
        for (const text of ['c', 'a', 'b', 'c']) yield { read: async () => text }
        world.interrupt()
      },
    }
    const texts: string[] = []
    for await (const { response } of watch(backEnd, world)) texts.push(response.text)
    expect(texts).toEqual(['c', 'a', 'b', 'c'])
  })

  it('says once that the desktop is gone and once that it is back, and misses nothing in between', async () => {
    const { clipboard, clock, copied, copy, settle, stop, told } = hear()
    await settle()
    clipboard.lose(lost)
    await settle()
    await clock.advance(5 * 60_000)
    expect(clipboard.listens).toBe(14)
    clipboard.lose(undefined)
    clipboard.text = 'meanwhile'
    await clock.advance(30_000)
    await copy('after')
    expect(told).toMatchObject([{ kind: 'watching' }, { kind: 'lost', message: 'No display' }, { kind: 'back' }])
    expect(copied).toEqual([['meanwhile', false], ['after', false]]) // biome-ignore format: one line
    await stop()
  })

  it('does not spin when listening ends as soon as it has begun', async () => {
    const { clipboard, clock, settle, stop } = hear()
    clipboard.cutsOff = lost
    await settle()
    await clock.advance(10 * 60_000)
    expect(clipboard.listens).toBeLessThan(30)
    await stop()
  })

  it('ends at once when it is interrupted during a look that brings no answer, and leaves nothing open', async () => {
    const world = fakeSystem()
    let isOpen = false
    let given: AbortSignal | undefined
    const backEnd: ClipboardBackEnd = {
      ...anyBackEnd,
      read: signal => {
        given = signal
        setImmediate(() => world.interrupt())
        return new Promise(() => {})
      },
      async *listen() {
        isOpen = true
        try {
          yield backEnd
        } finally {
          isOpen = false
        }
      },
    }
    expect(await watch(backEnd, world).next()).toEqual({ done: true, value: undefined })
    await new Promise(resolve => setImmediate(resolve))
    expect([isOpen, given?.aborted]).toEqual([false, true])
  })
})
