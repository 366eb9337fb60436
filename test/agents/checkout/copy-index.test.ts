import { describe, expect, it } from 'vitest'
import { copyIndex } from '../../../src/agents/checkout/copy-index.ts'
import { fakeSystem } from '../../support/fake-system.ts'

describe('the copy of an index', () => {
  it('has its bytes, its mode and its time, over an older copy', async () => {
    const { system, disk } = fakeSystem()
    const { files } = system
    const [from, to] = [`${disk.root}/index`, `${disk.root}/copy`]
    await files.create(from, new Uint8Array([1, 255, 0]), { mode: 0o640 })
    await files.touch(from, 1234.75)
    await files.create(to, new Uint8Array([2]))
    await copyIndex(from, to, system)
    expect([...((await files.read(to)) ?? [])]).toEqual([1, 255, 0])
    // No part of a millisecond later: that would hide a file that was written in it.
    expect(await files.stat(to)).toMatchObject({ mode: 0o640, modifiedMs: 1234 })
  })
})
