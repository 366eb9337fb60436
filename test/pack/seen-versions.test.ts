import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { forgetOldSeen, readSeen, rememberSeen, sumOfOldSeen, versionBefore } from '../../src/pack/seen-versions.ts'
import { FakeDisk, Life } from '../support/fake-disk.ts'
import { atEach, stepsBetween } from '../support/steps.ts'

const folder = '/project/.relaycode/seen'
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

function place() {
  const disk = new FakeDisk()
  disk.folder('.relaycode', 0o700)
  const seen = { folder, files: disk.files(new Life()) }
  const give = (files: Readonly<Record<string, string | Uint8Array>>, at: Date) => {
    const given = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text as string) }))
    return rememberSeen(seen, given, at, `u${disk.serial++}`)
  }
  const known = async (path: string) => {
    const found = await (await readSeen(seen))(path)
    return found === undefined ? undefined : ([Buffer.from(found.bytes).toString(), found.at] as const)
  }
  const names = () =>
    Object.keys(disk.tree())
      .filter(path => path.startsWith('.relaycode/seen/'))
      .map(path => path.slice('.relaycode/seen/'.length))
  return { disk, seen, give, known, names }
}

describe('what a model was given', () => {
  it('is the newest version of each file, with its time', async () => {
    const { give, known, names } = place()
    await give({ 'a.ts': 'one', 'b.ts': 'same' }, day(1))
    await give({ 'a.ts': 'two', 'c.ts': 'same', constructor: 'p' }, day(2))
    expect(await known('a.ts')).toEqual(['two', day(2)])
    expect(await known(versionBefore('a.ts'))).toEqual(['one', day(1)])
    expect(await known('b.ts')).toEqual(['same', day(1)])
    expect(await known('c.ts')).toEqual(['same', day(2)])
    expect(await known('constructor')).toEqual(['p', day(2)])
    expect(await known('toString')).toBeUndefined()
    await give({ 'a.ts': 'two', 'b.ts': 'same' }, day(3))
    expect(await known('b.ts')).toEqual(['same', day(3)])
    expect(names()).toHaveLength(3)
  })

  it('is private', async () => {
    const { disk, give, names } = place()
    await give({ 'a.ts': 'one' }, day(1))
    const tree = disk.tree()
    const modes = names().map(name => tree[`.relaycode/seen/${name}`])
    expect(modes).toMatchObject([{ mode: '0600' }, { mode: '0600' }])
    expect(tree['.relaycode/seen']).toMatchObject({ mode: '0700' })
  })

  it('is at most 200 MB: the oldest goes', async () => {
    const { give, known, names } = place()
    for (const n of [1, 2, 3]) await give({ [`${n}.bin`]: Buffer.alloc(90_000_000, n) }, day(n))
    expect(await known('1.bin')).toBeUndefined()
    expect((await known('2.bin'))?.[1]).toEqual(day(2))
    expect(names()).toHaveLength(3)
  })

  it('goes by age and by size where that is wanted', async () => {
    const { seen, give, known, names } = place()
    for (const n of [1, 2, 3]) await give({ [`${n}.ts`]: `${n}`.repeat(10) }, day(n))
    expect(await sumOfOldSeen(seen, { before: day(2) })).toEqual({ files: 1, bytes: 10 })
    expect(await sumOfOldSeen(seen, { mostBytes: 10 })).toEqual({ files: 2, bytes: 20 })
    expect(await sumOfOldSeen(seen, {})).toEqual({ files: 0, bytes: 0 })
    await forgetOldSeen(seen, { before: day(2) }, 'u')
    expect(await known('1.ts')).toBeUndefined()
    expect(await known('2.ts')).toEqual(['2222222222', day(2)])
    expect(names()).toHaveLength(3)
  })

  it('is whole or none, whenever relay is killed while it writes it', async () => {
    const whole = place()
    await whole.give({ 'a.ts': 'one' }, day(1))
    const from = whole.disk.calls
    await whole.give({ 'a.ts': 'two' }, day(2))
    await atEach(stepsBetween(1, whole.disk.calls - from), async step => {
      const { disk, give, names } = place()
      await give({ 'a.ts': 'one' }, day(1))
      disk.crashAt(disk.calls + step)
      await give({ 'a.ts': 'two' }, day(2)).catch(() => undefined)
      disk.onCall = undefined
      const next = { folder, files: disk.files(new Life()) }
      const found = await (await readSeen(next))('a.ts')
      const text = found && Buffer.from(found.bytes).toString()
      expect(['one', 'two', undefined], `step ${step}`).toContain(text)
      await rememberSeen(next, [{ path: 'a.ts', bytes: Buffer.from('three') }], day(3), 'u9')
      expect(Buffer.from((await (await readSeen(next))('a.ts'))?.bytes ?? []).toString()).toBe('three')
      // The index, the last version, and the one before it.
      expect(names(), `step ${step}`).toHaveLength(3)
    })
  })

  it('is nothing that somebody else has written there', async () => {
    const { disk, give, known, names } = place()
    await give({ 'a.ts': 'one' }, day(1))
    const [name = ''] = names().filter(each => each !== 'index.json')
    disk.write(`.relaycode/seen/${name}`, 'other')
    expect(await known('a.ts')).toBeUndefined()
    const index = (hash: unknown, from = 0) =>
      JSON.stringify({ 'a.ts': { hash: name, in: hash, at: 0, from, bytes: 3 } })
    disk.write('secret', 'x')
    for (const text of [
      '',
      '[]',
      '{',
      'null',
      index('../../secret'),
      index(3),
      index(name, -1),
      index(name, 9),
      '{"a.ts":null}',
    ]) {
      disk.write('.relaycode/seen/index.json', text)
      expect(await known('a.ts'), text).toBeUndefined()
    }
    await give({ 'a.ts': 'one' }, day(2))
    expect(await known('a.ts')).toEqual(['one', day(2)])
  })
})
