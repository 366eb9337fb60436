import { describe, expect, it } from 'vitest'
import { findUnfinished } from '../../../src/transact/journal/unfinished.ts'
import { layoutOf } from '../../../src/transact/layout/layout.ts'
import { diskError, type FakeDisk } from '../../support/fake-disk.ts'
import { fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { respond } from '../../support/respond.ts'
import { take } from '../../support/take.ts'

const note = '.relaycode/all-ended'
const left = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
let turns = 0

/** Applies a patch; each call changes the same file. */
async function patch(disk: FakeDisk, answer: 'yes' | 'no' | 'hold' = 'yes', settings = {}): Promise<void> {
  const { system } = fakeSystem({ disk })
  turns += 1
  const uuid = `${String(turns).padStart(8, '0')}-7d5e-4f5c-9a0e-2b9a5a6f3a11`
  const text = respond({ 'a.ts': `${turns}\n` }, { uuid })
  await take(system, text, settings, fakeTalk([answer, answer]))
}

/** A project in which one patch was kept. */
async function atRest(): Promise<FakeDisk> {
  const { disk } = fakeSystem({ files: { 'a.ts': 'a\n' } })
  await patch(disk)
  return disk
}

async function listings(disk: FakeDisk, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  disk.onCall = (name, path) => {
    if (name === 'list' && path === `${disk.root}/.relaycode`) count += 1
  }
  await work()
  disk.onCall = undefined
  return count
}

describe('what is unfinished', () => {
  it('is looked for in the folder as long as nobody has noted anything', async () => {
    const { disk } = fakeSystem({ files: { 'a.ts': 'a\n' } })
    disk.folder(`.relaycode/${left}.stage`, 0o700)
    expect(await listings(disk, () => findUnfinished(layoutOf(disk.root, disk.files())))).toBe(1)
    expect(await findUnfinished(layoutOf(disk.root, disk.files()))).toEqual([{ uuid: left, pending: false }])
  })

  it('is known to be nothing after a transaction that was kept, or taken back', async () => {
    const disk = await atRest()
    expect(await listings(disk, () => patch(disk))).toBe(0)
    await patch(disk, 'no', { approval: 'no' })
    expect(await listings(disk, () => patch(disk))).toBe(0)
    expect(disk.exists(note)).toBe(true)
  })

  it.each([`${left}.stage`, `${left}.pending.yml`])('is found when %s came after the note', async name => {
    const disk = await atRest()
    if (name.endsWith('.stage')) disk.folder(`.relaycode/${name}`, 0o700)
    else disk.write(`.relaycode/${name}`, '')
    expect(await findUnfinished(layoutOf(disk.root, disk.files()))).toMatchObject([{ uuid: left }])
  })

  it('is found when the note is no file', async () => {
    const disk = await atRest()
    disk.remove(note)
    disk.folder(`.relaycode/${left}.stage`, 0o700)
    disk.symlink('../a.ts', note)
    expect(await findUnfinished(layoutOf(disk.root, disk.files()))).toMatchObject([{ uuid: left }])
  })

  it('is looked for whatever the note says by who asks for that', async () => {
    const disk = await atRest()
    expect(await listings(disk, () => findUnfinished(layoutOf(disk.root, disk.files()), { thorough: true }))).toBe(1)
  })

  it('is not noted as nothing while a question was left open', async () => {
    const disk = await atRest()
    await patch(disk, 'hold', { approval: 'no' })
    expect(disk.exists(note)).toBe(false)
    expect(await findUnfinished(layoutOf(disk.root, disk.files()))).toMatchObject([{ pending: true }])
  })

  it('is not noted as nothing where clearing up failed', async () => {
    const disk = await atRest()
    disk.onCall = (name, path) => {
      if (name.startsWith('append') && path.endsWith('.relaycode/history.jsonl'))
        throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    await patch(disk)
    disk.onCall = undefined
    expect(disk.exists(note)).toBe(false)
    expect(await findUnfinished(layoutOf(disk.root, disk.files()))).toMatchObject([{ pending: false }])
  })

  it('keeps no transaction from its end where that cannot be noted', async () => {
    const disk = await atRest()
    disk.onCall = (name, path) => {
      if (name.startsWith('create') && path.endsWith(note)) throw diskError('ENOSPC')
    }
    await patch(disk)
    disk.onCall = undefined
    expect(disk.exists(note)).toBe(false)
    expect(disk.readText('a.ts')).toBe(`${turns}\n`)
  })

  it('is no longer said to be nothing before the first trace of a transaction is there', async () => {
    const disk = await atRest()
    const seen: boolean[] = []
    disk.onCall = (name, path) => {
      if (name.startsWith('makeFolder') && path.endsWith('.stage')) seen.push(disk.exists(note))
    }
    await patch(disk)
    expect(seen).toEqual([false])
  })
})
