import { describe, expect, it } from 'vitest'
import { dropKept, keepWork, listKept, oldKept, pruneKept, readKept } from '../../../src/agents/work/kept-work.ts'
import { digest } from '../../../src/ground/bytes.ts'
import type { AgentChange } from '../../../src/model/agent-changes.ts'
import { diskError, FakeDisk } from '../../support/fake-disk.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { change, linkTo, program } from '../../support/made.ts'
import { atEach, stepsBetween } from '../../support/steps.ts'

const root = '/project'
const place = `/home/me/.local/state/relaycode/kept/${digest('sha256', root)}`
const about = {
  agent: 'claude',
  book: 'RAF/001-app',
  task: '02',
  title: 'Add a switch',
  why: 'the checks failed',
  reasoning: 'Done.',
}
const made: readonly AgentChange[] = [
  change('src/a.ts', 'one\n', 'two\n'),
  change('logo.png', null, Uint8Array.of(0, 255)),
  change('run.sh', program('echo\n'), null),
  change('link.ts', linkTo('a.ts'), linkTo('b.ts')),
]

function world(disk = new FakeDisk()) {
  return fakeSystem({ disk })
}

describe('kept work', () => {
  it('comes back byte for byte, in a later relay', async () => {
    const { disk, system } = world()
    expect(await keepWork(root, about, made, system)).toBe(1)
    const later = world(disk)
    const { note, changes } = await readKept(root, 1, later.system)
    expect(changes.map(plain)).toEqual(made.map(plain))
    const paths = made.map(({ path }) => path)
    expect(note).toEqual({ ...about, number: 1, at: system.clock.now(), bytes: 15, paths })
    expect(await listKept(root, later.system)).toEqual([note])
    expect(await listKept('/elsewhere', later.system)).toEqual([])
  })

  it('lies in a private folder outside of the project', async () => {
    const { disk, system } = world()
    const before = disk.tree()
    await keepWork(root, about, made, system)
    expect(disk.tree()).toEqual(before)
    expect((await system.files.stat(`${place}/1`))?.mode).toBe(0o700)
    for (const name of ['kept.json', '0.base', '0.made', '2.base']) {
      expect((await system.files.stat(`${place}/1/${name}`))?.mode).toBe(0o600)
    }
  })

  it('is none where nothing was changed', async () => {
    const { system } = world()
    expect(await keepWork(root, about, [], system)).toBeUndefined()
    expect(await system.files.list(place)).toBeNull()
  })

  it('never gives a number again', async () => {
    const { system } = world()
    await keepWork(root, about, made, system)
    await dropKept(root, 1, system)
    expect(await listKept(root, system)).toEqual([])
    const both = await Promise.all([keepWork(root, about, made, system), keepWork(root, about, made, system)])
    expect(both.sort()).toEqual([2, 3])
    await dropKept(root, 2, system)
    expect((await listKept(root, system)).map(({ number }) => number)).toEqual([3])
  })

  it('cuts what the agent said', async () => {
    const { system } = world()
    await keepWork(root, { ...about, reasoning: 'a'.repeat(30_000) }, made, system)
    expect((await readKept(root, 1, system)).note.reasoning).toBe(`${'a'.repeat(20_000)}…`)
  })

  it('says which numbers there are', async () => {
    const { system } = world()
    await expect(readKept(root, 7, system)).rejects.toMatchObject({
      kind: 'usage',
      message: 'No kept work 7',
      hint: 'No agent has left work here.',
    })
    await keepWork(root, about, made, system)
    await keepWork(root, about, made, system)
    await expect(readKept(root, 7, system)).rejects.toMatchObject({ kind: 'usage', hint: 'There is: 2, 1.' })
  })

  it.each([
    ['a note that is no JSON', 'kept.json', '{'],
    ['a note that names a file elsewhere', 'kept.json', undefined],
    ['a content that is another', '0.base', ''],
  ])('refuses to land %s', async (_name, name, text) => {
    const { disk, system } = world()
    await keepWork(root, about, made, system)
    const path = `${place}/1/${name}`
    const before = Buffer.from((await system.files.read(path)) ?? '').toString('utf8')
    disk.write(path, text ?? before.replace('0.base', '../../../../../etc/passwd'))
    await expect(readKept(root, 1, system)).rejects.toMatchObject({
      kind: 'failed',
      message: 'Kept work 1 is damaged, and cannot be landed',
    })
  })

  it('refuses to land work of which a file is gone', async () => {
    const { system } = world()
    await keepWork(root, about, made, system)
    await system.files.remove(`${place}/1/0.made`)
    await expect(readKept(root, 1, system)).rejects.toMatchObject({ kind: 'failed' })
  })

  it('lists what can be read where one cannot', async () => {
    const { disk, system } = world()
    await keepWork(root, about, made, system)
    await keepWork(root, about, made, system)
    disk.write(`${place}/1/kept.json`, 'damaged')
    expect((await listKept(root, system)).map(({ number }) => number)).toEqual([2])
  })

  it('is whole or not there, wherever relay is killed', async () => {
    const whole = world()
    await keepWork(root, about, made, whole.system)
    await atEach(stepsBetween(1, whole.disk.calls), async step => {
      const disk = new FakeDisk()
      disk.crashAt(step)
      await keepWork(root, about, made, world(disk).system).catch(() => undefined)
      disk.onCall = undefined
      const { system, clock } = world(disk)
      const [note] = await listKept(root, system)
      if (note !== undefined) expect((await readKept(root, note.number, system)).changes).toHaveLength(4)
      // The next one clears up behind it, once nobody can still be at it.
      await clock.advance(3 * 3_600_000)
      const next = await keepWork(root, about, made, system)
      const folders = (await system.files.listKinds(place))?.folders.map(Number).sort()
      expect(folders, `step ${step}`).toEqual(note === undefined ? [next] : [1, 2])
    })
  })

  it('says that it could not be kept where the disk is full, and leaves nothing behind', async () => {
    const whole = world()
    await keepWork(root, about, made, whole.system)
    await atEach(stepsBetween(1, whole.disk.calls), async step => {
      const disk = new FakeDisk()
      const { system } = world(disk)
      let isFull = true
      disk.onCall = (name, _path, at) => {
        if (isFull && at >= step && !name.startsWith('remove')) throw diskError('ENOSPC')
      }
      const end = await keepWork(root, about, made, system).catch(error => error)
      isFull = false
      if (end === 1) return
      expect(end).toMatchObject({ name: 'RelayError', kind: 'environment' })
      expect(end.message).toMatch(/^The work on "Add a switch" could not be kept: /)
      expect(await listKept(root, system)).toEqual([])
    })
  })

  it('is kept of the newest fifty', async () => {
    const { system, clock } = world()
    const [small] = made
    for (let at = 1; at <= 52; at += 1) {
      await clock.advance(1000)
      await keepWork(root, about, small === undefined ? [] : [small], system)
    }
    const numbers = (await listKept(root, system)).map(({ number }) => number)
    expect([numbers.length, numbers.at(0), numbers.at(-1)]).toEqual([50, 52, 3])
    expect((await system.files.listKinds(place))?.folders).toHaveLength(50)
  })

  it('makes room in all projects, the oldest first, and keeps the newest however large it is', async () => {
    const { disk, system, clock } = world()
    const large = async (of: string, bytes: number) => {
      await clock.advance(1000)
      const number = await keepWork(of, about, made, system)
      const path = `/home/me/.local/state/relaycode/kept/${digest('sha256', of)}/${number}/kept.json`
      const note = JSON.parse(Buffer.from((await system.files.read(path)) ?? '').toString('utf8'))
      disk.write(path, JSON.stringify({ ...note, bytes }))
    }
    await large('/other', 700_000_000)
    await large(root, 600_000_000)
    await keepWork(root, about, made, system)
    expect(await listKept('/other', system)).toEqual([])
    expect((await listKept(root, system)).map(({ number }) => number)).toEqual([2, 1])
  })

  it('goes by the rules of relay prune', async () => {
    const { system, clock } = world()
    await keepWork(root, about, made, system)
    await clock.advance(3_600_000)
    await keepWork(root, about, made, system)
    const numbers = async (rules: Parameters<typeof oldKept>[1]) => {
      return (await oldKept(root, rules, system)).map(({ number }) => number)
    }
    expect(await numbers({})).toEqual([])
    expect(await numbers({ before: new Date(system.clock.now().getTime() - 1000) })).toEqual([1])
    expect(await numbers({ mostBytes: 20 })).toEqual([1])
    await pruneKept(root, { mostBytes: 0 }, system)
    expect(await listKept(root, system)).toEqual([])
  })
})

/** Bytes as a text: the ones of a disk are another kind of object. */
function plain({ path, base, made }: AgentChange) {
  const texts = [base, made].map(state => {
    return state?.kind === 'file' ? { ...state, bytes: Buffer.from(state.bytes).toString('latin1') } : state
  })
  return { path, texts }
}
