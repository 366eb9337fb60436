import { describe, expect, it } from 'vitest'
import { withLock } from '../../../src/transact/lock/lock.ts'
import { diskError, FakeDisk } from '../../support/fake-disk.ts'
import { fakeTalk } from '../../support/fake-project.ts'
import { type FakeSystem, fakeSystem } from '../../support/fake-system.ts'

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
    const { system, layout } = start(disk)
    await withLock(layout, system, fakeTalk(), async () => expect(locks(disk)).toHaveLength(1))
    await expect(withLock(layout, system, fakeTalk(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(locks(disk)).toEqual([])
  })

  it('names its folder and the process where it cannot be made, not all that its name holds', async () => {
    const disk = newDisk()
    disk.onCall = (name, path) => {
      if (name === 'create' && path.includes('/lock/')) throw diskError('EROFS')
    }
    const { system, layout } = start(disk)
    const { pid } = await system.shell.self()
    await expect(withLock(layout, system, fakeTalk(), async () => undefined)).rejects.toThrow(
      `Cannot write .relaycode/lock/${pid}: the file system is read-only`,
    )
  })

  it('is no empty file, which a command may clear away, but where the disk is full', async () => {
    for (const isFull of [false, true]) {
      const disk = newDisk()
      let hasRoom = !isFull
      disk.onCall = (name, path) => {
        if (hasRoom || name !== 'create.write' || !path.includes('/lock/')) return
        // For a name without a text there is.
        hasRoom = true
        throw diskError('ENOSPC')
      }
      const { system, layout } = start(disk)
      const texts = await withLock(layout, system, fakeTalk(), async () => locks(disk).map(path => disk.readText(path)))
      expect(texts).toEqual([isFull ? '' : expect.stringMatching(/./)])
    }
  })

  it('lets twenty relays work one at a time', async () => {
    const disk = newDisk()
    let working = 0
    let most = 0
    let done = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { system, layout } = start(disk)
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
    await withLock(holder.layout, holder.system, fakeTalk(), async () => {
      const waiting = withLock(other.layout, other.system, talk, async () => 'never')
      await expect(waiting).rejects.toMatchObject({
        kind: 'environment',
        message: expect.stringContaining('process 1001'),
      })
    })
    expect(talk.told).toEqual([{ kind: 'waiting', owner: 'process 1001' }])
  })

  it('does not wait for a relay that has started this one in a command, and itself waits for its end', async () => {
    const disk = newDisk()
    const holder = start(disk)
    const { system, layout, shell, clock } = start(disk)
    shell.parent = holder.shell.mark
    await withLock(holder.layout, holder.system, fakeTalk(), async () => {
      await expect(withLock(layout, system, fakeTalk(), async () => 'never')).rejects.toMatchObject({
        kind: 'environment',
        message: 'The relay that works in this project (process 1001) started this one, and waits for it to end',
      })
    })
    expect(clock.monotonic()).toBe(0)
  })

  it('does not wait for an owner that was killed', async () => {
    const disk = newDisk()
    const dead = start(disk)
    const working = withLock(dead.layout, dead.system, fakeTalk(), async () => {
      dead.kill()
    })
    await working
    expect(locks(disk)).toHaveLength(1)
    const { system, layout, clock } = start(disk)
    await withLock(layout, system, fakeTalk(), async () => undefined)
    expect(clock.monotonic()).toBe(0)
    expect(locks(disk)).toEqual([])
  })

  it('does not wait for a file of its own that it could not remove', async () => {
    const disk = newDisk()
    const { system, layout, clock } = start(disk)
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

  it.each([
    ['in another container', { space: '2' }],
    ['on another machine', { machine: 'laptop-2' }],
  ])('waits for an owner that it cannot see, %s, and says how to go on without it', async (_name, elsewhere) => {
    const disk = newDisk()
    const { pid, startedAt, machine, boot, space } = { ...start(disk).shell.mark, ...elsewhere }
    const file = [pid, startedAt, machine, boot, space, 'x'].join('.')
    disk.write(`.relaycode/lock/${file}`, '')
    const { system, layout } = start(disk)
    const talk = fakeTalk()
    const name = `process ${pid} on ${machine.slice(0, -2)}`
    await expect(withLock(layout, system, talk, async () => 'never')).rejects.toMatchObject({
      kind: 'environment',
      message: `A relay in another container or on another machine (${name}) works in this project, or was stopped there`,
      hint: `Wait until it is done. If you know that it no longer runs, remove its lock: \`rm .relaycode/lock/${file}\``,
    })
    expect(talk.told).toEqual([{ kind: 'waiting', owner: name }])
    disk.remove(`.relaycode/lock/${file}`)
    expect(await withLock(layout, system, fakeTalk(), async () => 'done')).toBe('done')
  })

  it('does not wait for an owner from before the machine was started anew, whatever container it was in', async () => {
    const disk = newDisk()
    disk.write('.relaycode/lock/1.1.desk-1.an-earlier-boot.77.x', '')
    const { system, layout, clock } = start(disk)
    await withLock(layout, system, fakeTalk(), async () => undefined)
    expect(clock.monotonic()).toBe(0)
    expect(locks(disk)).toEqual([])
  })

  it('minds no file that is not a lock', async () => {
    const disk = newDisk()
    disk.write('.relaycode/lock/.DS_Store', '')
    disk.write('.relaycode/lock/1001.%zz.desk-1.boot.1.x', '')
    disk.write('.relaycode/lock/1001.1.elsewhere-1.boot.1.$(rm x)', '')
    const { system, layout } = start(disk)
    expect(await withLock(layout, system, fakeTalk(), async () => 'done')).toBe('done')
  })
})
