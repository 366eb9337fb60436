import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/clock.ts'
import { FakeClock } from '../support/fake-clock.ts'

describe.each([
  ['real', systemClock],
  ['fake', new FakeClock({ auto: true })],
])('the %s clock', (_name, clock) => {
  it('lets time pass in a sleep', async () => {
    const [before, date] = [clock.monotonic(), clock.now()]
    await clock.sleep(30)
    expect(clock.monotonic() - before).toBeGreaterThanOrEqual(29)
    expect(clock.now().getTime()).toBeGreaterThan(date.getTime())
  })

  it('does not sleep when it was told to stop before', async () => {
    const before = clock.monotonic()
    await clock.sleep(60_000, AbortSignal.abort())
    expect(clock.monotonic() - before).toBeLessThan(60_000)
  })
})

describe.each([
  ['real', systemClock],
  ['fake', new FakeClock()],
])('the %s clock', (_name, clock) => {
  it('wakes a sleeper that is told to stop, without an error', async () => {
    const stop = new AbortController()
    const sleep = clock.sleep(60_000, stop.signal)
    stop.abort()
    await expect(sleep).resolves.toBeUndefined()
  })
})

describe('the fake clock', () => {
  it('wakes sleepers in order, and lets them sleep again within the same time', async () => {
    const clock = new FakeClock()
    const woken: string[] = []
    const twice = async () => {
      await clock.sleep(100)
      woken.push(`first at ${clock.monotonic()}`)
      await clock.sleep(100)
      woken.push(`again at ${clock.monotonic()}`)
    }
    const other = clock.sleep(150).then(() => woken.push(`other at ${clock.monotonic()}`))
    const both = twice()
    await clock.advance(250)
    await Promise.all([other, both])
    expect(woken).toEqual(['first at 100', 'other at 150', 'again at 200'])
    expect(clock.monotonic()).toBe(250)
  })
})
