import { describe, expect, it } from 'vitest'
import { waitOut } from '../../src/system/time-limit.ts'

describe('the time limit of a command', () => {
  function clock(onSleep: (count: number) => unknown = () => {}) {
    const slept: number[] = []
    const sleep = async (ms: number) => void onSleep(slept.push(ms))
    return { slept, sleep }
  }
  const never = new AbortController().signal

  it('is counted in slices, so that a time in which all stood still counts as one at most', async () => {
    const fake = clock()
    await waitOut(2500, fake, never)
    expect(fake.slept).toEqual([1000, 1000, 500, 50])
  })

  it('is waited for no longer than the command runs', async () => {
    const settled = new AbortController()
    const fake = clock(count => count === 2 && settled.abort())
    await waitOut(86_400_000, fake, settled.signal)
    expect(fake.slept).toEqual([1000, 1000, 50])
  })
})
