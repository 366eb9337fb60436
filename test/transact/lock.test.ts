import { describe, expect, it } from 'vitest'
import { layoutOf } from '../../src/transact/layout.ts'
import { withLock } from '../../src/transact/lock.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeTalk } from '../support/fake-project.ts'
import { type FakeSystem, fakeSystem } from '../support/fake-system.ts'

const layout = layoutOf('/project')

function start(disk: FakeDisk, autoAdvance = true): FakeSystem {
  return fakeSystem({ disk, autoAdvance })
}

function newDisk(): FakeDisk {
  const disk = new FakeDisk()
  disk.folder('.relaycode', 0o700)
  return disk
}

function locks(disk: FakeDisk): string[] {
  return Object.keys(disk.text()).filter(path => path.startsWith('.relaycode/lock/'))
}

describe('the lock', () => {
  it('is there during the work and gone after it, whatever the work did', async () => {
    const disk = newDisk()
    const { system } = start(disk)
    await withLock(layout, system, fakeTalk(), async () => expect(locks(disk)).toHaveLength(1))
    await expect(withLock(layout, system, fakeTalk(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(locks(disk)).toEqual([])
  })

  it('lets twenty relays work one at a time', async () => {
    const disk = newDisk()
    let working = 0
    let most = 0
    let done = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { system } = start(disk)
        await withLock(layout, system, fakeTalk(), async () => {
          working += 1
          most = Math.max(most, working)
          await system.clock.sleep(1)
          working -= 1
          done += 1
        })
      }),
    )
    expect({ most, done }).toEqual({ most: 1, done: 20 })
  })

  it('says who holds it, and gives up after a minute', async () => {
    const disk = newDisk()
    const holder = start(disk)
    const other = start(disk)
    const talk = fakeTalk()
    await withLock(layout, holder.system, fakeTalk(), async () => {
      const waiting = withLock(layout, other.system, talk, async () => 'never')
      await expect(waiting).rejects.toMatchObject({
        kind: 'environment',
        message: expect.stringContaining('process 1001'),
      })
    })
    expect(talk.told).toEqual([{ kind: 'waiting', owner: 'process 1001' }])
  })

  it('does not wait for an owner that was killed', async () => {
    const disk = newDisk()
    const dead = start(disk)
    const working = withLock(layout, dead.system, fakeTalk(), async () => {
      dead.kill()
    })
    await working
    expect(locks(disk)).toHaveLength(1)
    const { system, clock } = start(disk)
    await withLock(layout, system, fakeTalk(), async () => undefined)
    expect(clock.monotonic()).toBe(0)
    expect(locks(disk)).toEqual([])
  })

  it('does not wait for a file of its own that it could not remove', async () => {
    const disk = newDisk()
    const { system, clock } = start(disk)
    disk.onCall = (name, path) => {
      if (name === 'remove' && path.includes('/lock/')) throw Object.assign(new Error('no'), { code: 'EIO' })
    }
    await withLock(layout, system, fakeTalk(), async () => undefined)
    expect(locks(disk)).toHaveLength(1)
    disk.onCall = undefined
    await withLock(layout, system, fakeTalk(), async () => undefined)
    expect(clock.monotonic()).toBe(0)
    expect(locks(disk)).toEqual([])
  })

  it('minds no file that is not a lock', async () => {
    const disk = newDisk()
    disk.write('.relaycode/lock/.DS_Store', '')
    disk.write('.relaycode/lock/1001.%zz.boot.x', '')
    const { system } = start(disk)
    expect(await withLock(layout, system, fakeTalk(), async () => 'done')).toBe('done')
  })
})
