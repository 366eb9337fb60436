import { expect, it, vi } from 'vitest'
import { LiveLine } from '../../../src/system/terminal/live-line.ts'

vi.mock('ora', () => {
  throw new Error("Cannot find module './ora.cjs'")
})

it('goes without a spinner where that cannot be loaded: relay was updated while it watched', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const line = new LiveLine({ colour: false, unicode: false })
    line.show('lint')
    await vi.dynamicImportSettled()
    line.show(undefined)
    await new Promise(resolve => setImmediate(resolve))
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
