import { afterEach, expect, it, vi } from 'vitest'
import { LiveLine } from '../../../src/system/terminal/live-line.ts'

afterEach(() => {
  vi.doUnmock('ora')
  vi.restoreAllMocks()
})

it('goes without a spinner where that cannot be loaded: relay was updated while it watched', async () => {
  vi.doMock('ora', () => {
    throw new Error("Cannot find module './ora.cjs'")
  })
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

it('takes nothing off the screen where it was over before its spinner was loaded: a question may stand there', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const line = new LiveLine({ colour: false, unicode: false })
  line.show('write')
  line.show(undefined)
  await vi.dynamicImportSettled()
  await new Promise(resolve => setImmediate(resolve))
  expect(written).not.toHaveBeenCalled()
})
