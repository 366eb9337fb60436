import { describe, expect, it } from 'vitest'
import { RelayError } from '../../src/errors.ts'
import type { Clipboard } from '../../src/ports.ts'
import { type ClipboardState, type Copied, pollClipboard } from '../../src/source/poll-clipboard.ts'
import { fakeSystem } from '../support/fake-system.ts'

type Look = string | null | Error

/** Polls a clipboard that shows one thing after the other, until there is nothing more to show. */
async function poll(looks: readonly Look[]) {
  const world = fakeSystem({ autoAdvance: true })
  const left = [...looks]
  const times: number[] = []
  const clipboard: Clipboard = {
    name: 'fake',
    read: async () => {
      times.push(world.clock.monotonic())
      const next = left.shift()
      if (left.length === 0) world.interrupt()
      if (next instanceof Error) throw next
      return next ?? null
    },
    write: async () => undefined,
  }
  const copied: Copied[] = []
  const told: ClipboardState[] = []
  for await (const each of pollClipboard(
    { ...world.system, clipboard },
    () => 2000,
    state => told.push(state),
  ))
    copied.push(each)
  return { copied: copied.map(({ response, initial }) => [response.text, initial]), told, times }
}

describe('polling the clipboard', () => {
  it('hands out each new text once, and knows what was there before', async () => {
    const { copied, times } = await poll(['old', 'old', 'a', 'a', 'b', null, 'b', 'a', 'end'])
    expect(copied).toEqual([['old', true], ['a', false], ['b', false], ['a', false]]) // biome-ignore format: one line
    expect(times.slice(0, 3)).toEqual([0, 2000, 4000])
  })

  it('takes the first copy to an empty clipboard for a new one', async () => {
    expect((await poll([null, '', 'a', 'end'])).copied).toEqual([['a', false]])
  })

  it('says once that it cannot read, looks ever more seldom, and says when it can again', async () => {
    const lost = new RelayError('environment', 'No display', { hint: 'Use a file.' })
    const { copied, told, times } = await poll([lost, lost, lost, lost, lost, lost, lost, 'a', 'end'])
    expect(told).toEqual([{ kind: 'lost', message: 'No display', hint: 'Use a file.' }, { kind: 'back' }])
    expect(copied).toEqual([['a', true]])
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(pauses).toEqual([4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 2000])
  })

  it('goes on after a failure that nobody foresaw', async () => {
    const { told } = await poll([new Error('boom'), 'a', 'end'])
    expect(told).toMatchObject([{ kind: 'lost', message: 'Cannot read the clipboard' }, { kind: 'back' }])
  })
})
