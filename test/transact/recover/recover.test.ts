import { describe, expect, it } from 'vitest'
import { relay } from '../../../src/flows/relay.ts'
import type { Answer } from '../../../src/model/talk.ts'
import { sha256 } from '../../../src/transact/entry/hash.ts'
import { previewRecovery, recover } from '../../../src/transact/recover/recover.ts'
import { resumeHeld } from '../../../src/transact/recover/resume-held.ts'
import { diskError, FakeDisk } from '../../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../../support/fake-project.ts'
import { type FakeSystem, fakeSystem } from '../../support/fake-system.ts'
import { adoptIn, change, program } from '../../support/made.ts'
import { respond, uuid } from '../../support/respond.ts'
import { atEach, stepsBetween } from '../../support/steps.ts'
import { take } from '../../support/take.ts'

/** A project whose relay was killed while it asked: every file is changed, and nothing is kept. */
async function killedWhileAsking(settings: Parameters<typeof fakeProject>[0] = {}): Promise<FakeDisk> {
  const world = fakeSystem({
    files: { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' },
    commands: { post: {}, hang: { takes: Number.POSITIVE_INFINITY } },
  })
  const response = {
    source: 'stdin',
    text: respond({ 'src/a.ts': 'A\n', 'src/b.ts': null, 'src/c/d.ts': 'd\n' }),
  } as const
  const killing = fakeTalk([
    () => {
      world.kill()
      return 'yes'
    },
  ])
  await relay(response, fakeProject({ approval: 'no', ...settings }), world.system, killing).catch(() => undefined)
  return world.disk
}

function previewOn(disk: FakeDisk) {
  const { layout, system } = fakeSystem({ disk })
  return previewRecovery(layout, system)
}

async function recoverOn(disk: FakeDisk, answers?: readonly Answer[]) {
  const world: FakeSystem = fakeSystem({ disk })
  const talk = fakeTalk(answers)
  const recoveries = await recover(world.layout, world.system, talk).catch((error: unknown) => error)
  return { recoveries, talk, world }
}

describe('a recovery', () => {
  it('has nothing to do in a project that is at rest', async () => {
    const { system, layout } = fakeSystem({ files: { 'a.ts': 'a\n' } })
    expect(await recover(layout, system, fakeTalk())).toEqual([])
  })

  it('rolls back what a kill left, and says what it did', async () => {
    const disk = await killedWhileAsking()
    expect(disk.readText('src/a.ts')).toBe('A\n')
    const { recoveries, talk } = await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
    expect(recoveries).toMatchObject([
      { uuid, number: 1, action: 'rolled-back', restoration: { rescued: [], kept: [] }, endedCommand: false },
    ])
    expect(talk.told).toMatchObject([{ kind: 'recovered' }])
    expect((await recoverOn(disk)).recoveries).toEqual([])
  })

  describe('of a file system that denies for a moment what is there', () => {
    /** Hides a file of the stage from the `n`th look at it alone. */
    function hideOnce(disk: FakeDisk, kind: RegExp, n: number): () => boolean {
      let looks = 0
      let hidden: string | undefined
      disk.onCall = (name, path) => {
        if (hidden !== undefined) disk.rename(`${hidden}.hidden`, hidden)
        hidden = undefined
        if (name !== 'stat' || !kind.test(path) || !disk.exists(path) || ++looks !== n) return
        hidden = path
        disk.rename(path, `${path}.hidden`)
      }
      return () => looks >= n
    }

    it.each([/\/staged$/, /\/old\./])('discards nothing of %s that it did not find', async kind => {
      for (let n = 1; n < 50; n++) {
        const disk = await killedWhileAsking()
        const wasHidden = hideOnce(disk, kind, n)
        const { recoveries } = await recoverOn(disk)
        disk.onCall = undefined
        if (!wasHidden()) {
          expect(n).toBeGreaterThan(1)
          return
        }
        if (recoveries instanceof Error) {
          expect(recoveries).toMatchObject({ kind: 'unfinished', message: expect.stringContaining('#1') })
          await recoverOn(disk)
        }
        expect(disk.text({ journal: false }), `look ${n}`).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
      }
      expect.unreachable('the looks have no end')
    })
  })

  it('takes a new file out that was put there by a second name, where the numbers of files do not tell', async () => {
    const disk = new FakeDisk()
    disk.numbersNames = true
    disk.onCall = (name, path) => {
      if (name === 'remove' && path.includes('.stage/new.')) disk.crash()
    }
    const { system } = fakeSystem({ disk })
    await take(system, { 'new.ts': 'new\n' }).catch(() => undefined)
    disk.onCall = undefined
    expect(disk.text({ journal: false })).toEqual({ 'new.ts': 'new\n' })
    await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual({})
  })

  it('goes by the originals in a stage from which somebody has removed the mark', async () => {
    const disk = await killedWhileAsking()
    const staged = Object.keys(disk.tree()).find(path => path.endsWith('.stage/staged')) ?? ''
    disk.remove(staged)
    await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  })

  it('lets the same response come again', async () => {
    const disk = await killedWhileAsking()
    await recoverOn(disk)
    const { system } = fakeSystem({ disk })
    const text = respond({ 'src/a.ts': 'A\n', 'src/b.ts': null, 'src/c/d.ts': 'd\n' })
    const outcome = await take(system, text)
    expect(outcome).toMatchObject({ kind: 'committed', number: 2, uuid })
  })

  it('shows beforehand what it would do, and changes nothing', async () => {
    const disk = await killedWhileAsking()
    disk.write('src/a.ts', 'mine\n')
    const before = disk.tree()
    expect(await previewOn(disk)).toMatchObject([
      {
        uuid,
        action: 'would-roll-back',
        restoration: { restored: ['src/b.ts', 'src/c/d.ts'], kept: [{ path: 'src/a.ts' }] },
      },
    ])
    expect(disk.tree()).toEqual(before)
  })

  it('names beforehand what it puts aside without a question', async () => {
    const disk = await killedWhileAsking({ postCommand: 'post' })
    // Killed in the command: what it has made of the files was not noted yet.
    disk.remove(`.relaycode/${uuid}.stage/written.json`)
    disk.write('src/a.ts', "mine, or the formatter's\n")
    const before = disk.tree()
    const [preview] = await previewOn(disk)
    expect(preview?.restoration).toEqual({
      restored: ['src/a.ts', 'src/b.ts', 'src/c/d.ts'],
      rescued: [{ path: 'src/a.ts', rescue: '' }],
      kept: [],
      merged: [],
    })
    expect(disk.tree()).toEqual(before)
    const { recoveries } = await recoverOn(disk)
    expect(recoveries).toMatchObject([{ restoration: { rescued: [{ path: 'src/a.ts' }], kept: [] } }])
  })

  describe('of files that the user edited since', () => {
    it('restores and puts the edit aside on a yes', async () => {
      const disk = await killedWhileAsking()
      disk.write('src/a.ts', 'mine\n')
      const { talk } = await recoverOn(disk, ['yes'])
      expect(talk.questions).toEqual([{ kind: 'edited', number: 1, paths: ['src/a.ts'] }])
      expect(disk.readText('src/a.ts')).toBe('a\n')
      expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('mine\n')
    })

    it('keeps the edit and puts the original aside on a no', async () => {
      const disk = await killedWhileAsking()
      disk.write('src/a.ts', 'mine\n')
      const { recoveries } = await recoverOn(disk, ['no'])
      expect(recoveries).toMatchObject([{ restoration: { kept: [{ path: 'src/a.ts' }] } }])
      expect(disk.readText('src/a.ts')).toBe('mine\n')
      expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('a\n')
    })

    it('keeps the edit and ends with a conflict when nobody can be asked', async () => {
      const disk = await killedWhileAsking()
      disk.write('src/c/d.ts', 'mine\n')
      const { recoveries } = await recoverOn(disk)
      expect(recoveries).toMatchObject({
        name: 'RelayError',
        kind: 'conflict',
        message: expect.stringContaining('src/c/d.ts'),
      })
      expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'src/c/d.ts': 'mine\n' })
      expect((await recoverOn(disk)).recoveries).toEqual([])
    })

    it('takes one that was made as it had been, by git or by hand, for no edit', async () => {
      const disk = await killedWhileAsking()
      disk.write('src/a.ts', 'a\n')
      disk.write('src/b.ts', 'b\n')
      const { recoveries } = await recoverOn(disk)
      expect(recoveries).toMatchObject([{ action: 'rolled-back', restoration: { rescued: [], kept: [] } }])
      expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
    })

    it('keeps a file that came back where the patch had deleted one', async () => {
      const disk = await killedWhileAsking()
      disk.write('src/b.ts', 'mine\n')
      await recoverOn(disk, ['no'])
      expect(disk.readText('src/b.ts')).toBe('mine\n')
      expect(disk.readText(`.relaycode/rescue/${uuid}/src/b.ts.rescued`)).toBe('b\n')
    })
  })

  describe('of one whose stage has lost an original', () => {
    const text = respond({ 'a.ts': 'A\n', 'b.ts': null, 'c.ts': null, 'd.ts': null, 'e.ts': 'E\n', 'f.ts': 'F\n' })
    const before = Object.fromEntries([...'abcdef'].map(name => [`${name}.ts`, `${name}\n`]))
    const oldOf = (path: string) => `.relaycode/${uuid}.stage/old.${sha256(path).slice(0, 32)}`

    /** Killed once a file was taken out of its place, and that is missing from the stage. */
    async function killedAfter(taken: string, lost: string): Promise<FakeDisk> {
      const { system, disk } = fakeSystem({ files: before })
      disk.onCall = () => {
        if (disk.exists(oldOf(taken))) disk.crash()
      }
      await take(system, text).catch(() => undefined)
      disk.onCall = undefined
      disk.remove(oldOf(lost))
      return disk
    }

    it.each([
      ['deleted', 'b.ts', 'd.ts'],
      ['deleted, the last one', 'd.ts', 'd.ts'],
      ['replaced', 'a.ts', 'e.ts'],
      ['taken out, with nothing in its place yet', 'e.ts', 'e.ts'],
    ])('brings the file back from the entry that was %s', async (_how, lost, taken) => {
      const disk = await killedAfter(taken, lost)
      const { recoveries } = await recoverOn(disk)
      expect(disk.text({ journal: false })).toEqual(before)
      expect(recoveries).toMatchObject([
        { action: 'rolled-back', restoration: { restored: Object.keys(before), rescued: [], kept: [] } },
      ])
    })

    it('puts the original of a deleted file aside where another one stands there by now', async () => {
      const disk = await killedAfter('d.ts', 'b.ts')
      disk.write('b.ts', 'mine\n')
      const { recoveries } = await recoverOn(disk)
      const rescue = `.relaycode/rescue/${uuid}/b.ts.rescued`
      expect(recoveries).toMatchObject([{ restoration: { rescued: [], kept: [{ path: 'b.ts', rescue }] } }])
      expect(disk.text({ journal: false })).toEqual({ ...before, 'b.ts': 'mine\n' })
      expect(disk.readText(rescue)).toBe('b\n')
    })
  })

  describe('of one that made programs of two files, and changed no content', () => {
    const modes = (disk: FakeDisk) =>
      ['a.sh', 'b.sh'].map(path => (disk.tree()[path] as { readonly mode: string }).mode)

    /** Killed while it asked, and what `lost` names is missing from the journal. */
    async function killedWithout(lost: RegExp): Promise<FakeDisk> {
      const world = fakeSystem({ files: { 'a.sh': 'a\n', 'b.sh': 'b\n' } })
      const changes = ['a', 'b'].map(name => change(`${name}.sh`, `${name}\n`, program(`${name}\n`)))
      const killing = fakeTalk([
        'yes',
        () => {
          world.kill()
          return 'yes'
        },
      ])
      await adoptIn(world, changes, { talk: killing, config: { approval: 'no' } }).catch(() => undefined)
      const { disk } = world
      expect(modes(disk)).toEqual(['0755', '0755'])
      const gone = Object.keys(disk.tree()).filter(path => lost.test(path))
      expect(gone).not.toEqual([])
      for (const path of gone) disk.remove(path)
      return disk
    }

    it.each([
      ['one original', new RegExp(`/old\\.${sha256('a.sh').slice(0, 32)}$`)],
      ['both', /\/old\./],
      ['the stage', /\.stage$/],
    ])('gives both their permission bits back without %s', async (_, lost) => {
      const disk = await killedWithout(lost)
      const { recoveries } = await recoverOn(disk)
      expect(modes(disk)).toEqual(['0644', '0644'])
      expect(disk.text({ journal: false })).toEqual({ 'a.sh': 'a\n', 'b.sh': 'b\n' })
      expect(recoveries).toMatchObject([
        { action: 'rolled-back', restoration: { restored: ['a.sh', 'b.sh'], rescued: [], kept: [] } },
      ])
    })

    it('leaves those that the user has given one meanwhile', async () => {
      const disk = await killedWithout(/\/old\./)
      disk.chmod('a.sh', 0o600)
      await recoverOn(disk)
      expect(modes(disk)).toEqual(['0600', '0644'])
    })
  })

  describe('of one whose stage somebody has removed', () => {
    const before = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' }

    it('brings everything back from the entry, wherever it is killed meanwhile', async () => {
      const withoutStage = async () => {
        const disk = await killedWhileAsking()
        disk.remove(`.relaycode/${uuid}.stage`)
        return disk
      }
      const calm = await withoutStage()
      const from = calm.calls
      await recoverOn(calm)
      await atEach(stepsBetween(1, calm.calls - from), async step => {
        const disk = await withoutStage()
        disk.crashAt(disk.calls + step)
        await recoverOn(disk)
        disk.onCall = undefined
        expect(disk.strikes, `step ${step}`).toBe(1)
        await recoverOn(disk)
        expect({ step, ...disk.text({ journal: false }) }).toEqual({ step, ...before })
        expect((await recoverOn(disk)).recoveries).toEqual([])
      })
    })

    it('tells the edits among what stands there', async () => {
      const disk = await killedWhileAsking()
      disk.remove(`.relaycode/${uuid}.stage`)
      disk.write('src/a.ts', 'mine\n')
      const { talk } = await recoverOn(disk, ['yes'])
      expect(talk.questions).toEqual([{ kind: 'edited', number: 1, paths: ['src/a.ts'] }])
      expect(disk.text({ journal: false })).toEqual(before)
      expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('mine\n')
    })

    it('lets go of a link, and of a folder that is gone as well', async () => {
      const world = fakeSystem({ files: { 'real.ts': 'r\n', 'deep/er/a.ts': 'a\n' } })
      world.disk.symlink('real.ts', 'link.ts')
      const tree = world.disk.tree({ journal: false })
      const text = respond({ 'link.ts': null, 'deep/er/a.ts': 'A\n' })
      const removing = fakeTalk([
        () => {
          world.disk.remove(`.relaycode/${uuid}.stage`)
          world.disk.remove('deep')
          return 'no'
        },
      ])
      const outcome = await take(world.system, text, { approval: 'no' }, removing)
      expect(outcome).toMatchObject({ kind: 'rolled-back', restoration: { restored: ['link.ts', 'deep/er/a.ts'] } })
      expect(Object.keys(world.disk.tree({ journal: false }))).toEqual(Object.keys(tree))
      expect(world.disk.readText('deep/er/a.ts')).toBe('a\n')
    })
  })

  it.each([
    ['a no', 'folder', 'no', (disk: FakeDisk) => disk.remove('.relaycode')],
    ['a yes', 'folder', 'yes', (disk: FakeDisk) => disk.remove('.relaycode')],
    ['a no', 'files', 'no', removeOwnFiles],
  ] as const)(
    'brings everything back from memory on %s where what is relay’s is removed, the %s',
    async (_name, _what, answer, remove) => {
      const world = fakeSystem({ files: { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' } })
      const text = respond({ 'src/a.ts': 'A\n', 'src/b.ts': null, 'src/c/d.ts': 'd\n' })
      const removing = fakeTalk([
        () => {
          remove(world.disk)
          return answer
        },
      ])
      const outcome = await take(world.system, text, { approval: 'no' }, removing)
      expect(outcome).toMatchObject({
        kind: 'rolled-back',
        restoration: { restored: expect.arrayContaining(['src/a.ts', 'src/b.ts', 'src/c/d.ts']) },
      })
      expect(world.disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
      expect((await recoverOn(world.disk)).recoveries).toEqual([])
    },
  )

  it.each([
    ['a link', (disk: FakeDisk) => disk.symlink('elsewhere', '.relaycode'), 'link'],
    ['a link that leads to the folder itself', (disk: FakeDisk) => disk.symlink('moved', '.relaycode'), 'link'],
    ['a file', (disk: FakeDisk) => disk.write('.relaycode', 'mine\n'), 'file'],
  ] as const)(
    'brings everything back from memory, and moves aside what has taken the place of relay’s folder: %s',
    async (_name, occupy, kind) => {
      const world = fakeSystem({ files: { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' } })
      const { disk } = world
      disk.folder('elsewhere')
      const text = respond({ 'src/a.ts': 'A\n', 'src/b.ts': null, 'src/c/d.ts': 'd\n' })
      const taking = fakeTalk([
        () => {
          disk.rename('.relaycode', 'moved')
          occupy(disk)
          return 'no'
        },
      ])
      const outcome = await take(world.system, text, { approval: 'no' }, taking)
      expect(outcome).toMatchObject({
        kind: 'rolled-back',
        reason: { kind: 'declined' },
        restoration: { rescued: [{ path: '.relaycode', rescue: '.relaycode.relay-rescued' }] },
      })
      expect(await world.system.files.stat('/project/.relaycode.relay-rescued')).toMatchObject({ kind })
      expect([disk.readText('src/a.ts'), disk.readText('src/b.ts'), disk.exists('src/c')]).toEqual([
        'a\n',
        'b\n',
        false,
      ])
      expect(Object.keys(disk.tree()).filter(path => path.startsWith('elsewhere/'))).toEqual([])
      expect((await recoverOn(disk)).recoveries).toEqual([])
    },
  )

  it('says that it is unfinished also where it may not look at a file of it', async () => {
    const disk = await killedWhileAsking()
    disk.onCall = (name, path) => {
      if (name === 'inspect' && path.endsWith('src/a.ts')) throw diskError('EACCES')
    }
    expect((await recoverOn(disk)).recoveries).toMatchObject({
      kind: 'unfinished',
      message: '#1 could not be rolled back completely: Cannot read src/a.ts: permission denied',
    })
    disk.onCall = undefined
    expect((await recoverOn(disk)).recoveries).toMatchObject([{ action: 'rolled-back' }])
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  })

  it('stays unfinished where a link has taken a folder’s place, and ends once that is gone', async () => {
    const disk = await killedWhileAsking()
    disk.remove('src')
    disk.symlink('elsewhere', 'src')
    disk.folder('elsewhere')
    expect((await recoverOn(disk)).recoveries).toMatchObject({ kind: 'unfinished' })
    expect(await previewOn(disk)).toMatchObject([{ action: 'would-roll-back' }])
    disk.remove('src')
    expect((await recoverOn(disk)).recoveries).toMatchObject([{ action: 'rolled-back' }])
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  })

  it('names what a recovery put aside that was killed before it could say so', async () => {
    const disk = await killedWhileAsking()
    const rescue = `.relaycode/rescue/${uuid}/src/a.ts.rescued`
    const { time } = disk
    disk.time = () => 1
    disk.write(rescue.replace('/a.ts', '/b.ts'), 'of an earlier turn\n')
    disk.time = time
    disk.write('src/a.ts', 'mine\n')
    disk.onCall = (name, path) => {
      if (name === 'sync' && path.endsWith(rescue)) disk.crash()
    }
    await recoverOn(disk, ['yes'])
    disk.onCall = undefined
    expect(disk.readText(rescue)).toBe('mine\n')
    const { recoveries } = await recoverOn(disk)
    expect(recoveries).toMatchObject([{ restoration: { rescued: [{ path: 'src/a.ts', rescue }], kept: [] } }])
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  })

  it('ends a command that outlived relay, before it restores', async () => {
    const disk = await killedWhileAsking({ postCommand: 'post' })
    const world = fakeSystem({ disk })
    const started = JSON.parse(disk.readText(`.relaycode/${uuid}.stage/command.json`)) as { group: { pid: number } }
    disk.processes.set(started.group.pid, started.group as never)
    const order: string[] = []
    disk.onCall = (name, path) => {
      if (name === 'rename' && path.endsWith('src/a.ts')) order.push('restores')
    }
    const asked: unknown[] = []
    const endLeftGroup = async (...args: unknown[]) => {
      asked.push(args)
      return order.push('ends') > 0
    }
    const shell = { ...world.system.shell, endLeftGroup } as unknown as typeof world.system.shell
    const recoveries = await recover(world.layout, { ...world.system, shell }, fakeTalk())
    expect(order).toEqual(['ends', 'restores'])
    expect(asked).toEqual([[started.group, `RELAY_UUID=${uuid}`]])
    expect(recoveries).toMatchObject([{ endedCommand: true }])
  })

  it.each([
    ['no text', 7],
    ['no list', []],
    ['no group', { step: 'post' }],
    ['a group of everything', { step: 'post', group: { pid: '1', startedAt: '1', machine: '', boot: '', space: '' } }],
    ['no whereabouts', { step: 'post', group: { pid: 1001, startedAt: '1' } }],
    ['another step', { step: '/bin/sh', group: { pid: 1001, startedAt: '1', machine: '', boot: '', space: '' } }],
  ])('ends nothing for a note that is none of its own: %s', async (_name, note) => {
    const disk = await killedWhileAsking({ postCommand: 'post' })
    disk.write(`.relaycode/${uuid}.stage/command.json`, JSON.stringify(note))
    disk.write(`.relaycode/${uuid}.stage/written.json`, '7')
    const world = fakeSystem({ disk })
    const asked: unknown[] = []
    const shell = { ...world.system.shell, endLeftGroup: async (mark: unknown) => asked.push(mark) > 0 }
    await recover(world.layout, { ...world.system, shell } as typeof world.system, fakeTalk())
    expect(asked).toEqual([])
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  })

  it('says of one that was killed before it changed anything that it had not begun', async () => {
    const disk = new FakeDisk()
    disk.write('src/a.ts', 'a\n')
    const world = fakeSystem({ disk, commands: { base: { effect: () => disk.crash() } } })
    const text = respond({ 'src/a.ts': 'A\n' })
    const killed = take(world.system, text, { linter: 'base' })
    await expect(killed).rejects.toThrow('killed')
    expect(await previewOn(disk)).toMatchObject([{ uuid, action: 'unbegun' }])
    expect((await recoverOn(disk)).recoveries).toMatchObject([{ uuid, action: 'unbegun', number: undefined }])
    expect(disk.exists(`.relaycode/${uuid}.stage`)).toBe(false)
  })

  it('says of one that was killed while it cleared up after going back that it had been taken back', async () => {
    const disk = await killedWhileAsking()
    disk.onCall = (name, path) => {
      if (name === 'remove' && path.endsWith('.stage/staged')) disk.crash()
    }
    await recoverOn(disk)
    disk.onCall = undefined
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
    expect((await recoverOn(disk)).recoveries).toMatchObject([{ uuid, action: 'finished', number: undefined }])
  })

  it('writes one line of one that was killed after the line was written', async () => {
    const disk = await killedWhileAsking()
    disk.onCall = (name, path) => {
      if (name === 'remove' && path.endsWith('.pending.yml')) disk.crash()
    }
    await recoverOn(disk)
    disk.onCall = undefined
    expect((await recoverOn(disk)).recoveries).toMatchObject([{ uuid, action: 'rolled-back', number: 1 }])
    expect(disk.readText('.relaycode/history.jsonl').match(/"number":1,/g)).toHaveLength(1)
  })

  it('removes nothing through a stage that is a link', async () => {
    const disk = new FakeDisk()
    disk.write('/home/keys/id', 'secret\n')
    disk.folder('.relaycode')
    disk.symlink('../../home/keys', `.relaycode/${uuid}.stage`)
    const { recoveries } = await recoverOn(disk)
    expect(recoveries).toMatchObject({
      kind: 'unfinished',
      hint: `Nothing was changed. Move .relaycode/${uuid}.stage away once your files are as you want them.`,
    })
    expect(disk.readText('/home/keys/id')).toBe('secret\n')
  })

  it('never deletes an entry that it cannot read', async () => {
    const disk = await killedWhileAsking()
    disk.write(`.relaycode/${uuid}.pending.yml`, disk.readText(`.relaycode/${uuid}.pending.yml`).slice(0, 100))
    const before = disk.tree()
    const { recoveries } = await recoverOn(disk)
    expect(recoveries).toMatchObject({
      kind: 'unfinished',
      message: expect.stringContaining(uuid),
      hint: expect.stringContaining('Its files named old.* are the originals.'),
    })
    expect(disk.tree()).toEqual(before)
  })

  it.each([
    ...['../outside.ts', 'src\\..\\..\\outside.ts', '/etc/outside', '.git/hooks/pre-commit', 'src/.GIT/config'],
    ...[
      '.g\u200cit/config',
      '.\uff47it/config',
      '.git. /config',
      '.git::$DATA',
      'git~1/config',
      'RELAYC~1/x',
      '.hg/hgrc',
    ],
  ])('touches nothing for an entry that would have it write to %s', async path => {
    const disk = await killedWhileAsking()
    const entry = `.relaycode/${uuid}.pending.yml`
    disk.write(entry, disk.readText(entry).replaceAll('src/b.ts', path))
    const before = disk.tree()
    expect((await recoverOn(disk)).recoveries).toMatchObject({ kind: 'unfinished' })
    expect(disk.tree()).toEqual(before)
  })

  it('clears up nothing outside for a kept entry from elsewhere', async () => {
    const { system, disk } = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
    await take(system, { 'src/a.ts': 'A\n' })
    const entry = `.relaycode/${uuid}.yml`
    disk.write(entry, disk.readText(entry).replace(/^( +)(mode:.*)$/m, '$1aside: ../elsewhere\n$1$2'))
    disk.write(`.relaycode/${uuid}.stage/staged`, '')
    const others = `../elsewhere/.relay-${uuid.slice(0, 8)}.old.${sha256('src/a.ts').slice(0, 32)}`
    disk.write(others, 'of others\n')
    await recoverOn(disk)
    expect(disk.readText(others)).toBe('of others\n')
  })

  it('never deletes originals whose entry somebody removed', async () => {
    const disk = await killedWhileAsking()
    disk.remove(`.relaycode/${uuid}.pending.yml`)
    const before = disk.tree()
    expect((await recoverOn(disk)).recoveries).toMatchObject({ kind: 'unfinished' })
    expect(disk.tree()).toEqual(before)
  })

  it('leaves an entry that was left open to who answers its question', async () => {
    const disk = await killedWhileAsking()
    disk.write(`.relaycode/${uuid}.pending.yml`, `${disk.readText(`.relaycode/${uuid}.pending.yml`)}held: true\n`)
    const before = disk.tree()
    expect((await recoverOn(disk)).recoveries).toMatchObject({ kind: 'unfinished' })
    expect(disk.tree()).toEqual(before)
    expect((await recoverOn(disk, ['yes'])).talk.questions).toEqual([])
    const { system, layout } = fakeSystem({ disk })
    await resumeHeld(fakeProject(), layout, system, fakeTalk(['no']))
    expect(disk.readText('src/a.ts')).toBe('a\n')
    expect((await recoverOn(disk)).recoveries).toEqual([])
  })

  it('writes the line of a commit whose clearing up was cut off', async () => {
    const world = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
    world.disk.onCall = (name, path) => {
      if (name.startsWith('append') && path.endsWith('history.jsonl')) world.disk.crash()
    }
    await take(world.system, { 'src/a.ts': 'A\n' }).catch(() => undefined)
    world.disk.onCall = undefined
    expect(world.disk.exists(`.relaycode/${uuid}.yml`)).toBe(true)
    const { recoveries } = await recoverOn(world.disk)
    expect(recoveries).toMatchObject([{ action: 'finished' }])
    expect(JSON.parse(world.disk.readText('.relaycode/history.jsonl'))).toMatchObject({
      number: 1,
      uuid,
      outcome: 'committed',
    })
    expect(world.disk.exists(`.relaycode/${uuid}.stage`)).toBe(false)
  })
})

/** As `find .relaycode -type f -delete` does. */
function removeOwnFiles(disk: FakeDisk): void {
  for (const path of Object.keys(disk.text())) if (path.startsWith('.relaycode/')) disk.remove(path)
}
