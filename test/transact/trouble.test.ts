import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RelayError } from '../../src/errors.ts'
import { judgeRecovery } from '../../src/flows/judge-recovery.ts'
import { relay } from '../../src/flows/relay.ts'
import { undoEntry } from '../../src/flows/undo.ts'
import type { Answer, Outcome } from '../../src/model/talk.ts'
import { durable } from '../../src/transact/disk/durable.ts'
import { layoutOf } from '../../src/transact/layout/layout.ts'
import { ensureRelayFolder } from '../../src/transact/layout/relay-folder.ts'
import { recover } from '../../src/transact/recover/recover.ts'
import { diskError, FakeDisk } from '../support/fake-disk.ts'
import { fakeConfig, fakeProject, fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { respond, uuid } from '../support/respond.ts'
import { atEach, stepsBetween } from '../support/steps.ts'
import { take } from '../support/take.ts'

const start = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' }
const text = respond({ 'src/a.ts': 'A\n', 'src/b.ts': null, 'src/c/d.ts': 'd\n' })

async function apply(
  settings: Parameters<typeof fakeProject>[0],
  hurt: (disk: FakeDisk) => FakeDisk['onCall'],
): Promise<{ disk: FakeDisk; ended: Outcome | Error }> {
  const { system, disk } = fakeSystem({ files: start, commands: { post: {}, lint: {} } })
  disk.onCall = hurt(disk)
  const ended = await take(system, text, settings).catch((thrown: Error) => thrown)
  disk.onCall = undefined
  return { disk, ended }
}

/** The next start, which takes back what is unfinished. */
async function recoverOn(disk: FakeDisk, root = disk.root, answers: readonly Answer[] = []): Promise<void> {
  const { system } = fakeSystem({ disk })
  const judge = judgeRecovery(fakeConfig())
  await recover(layoutOf(root, system.files), system, fakeTalk(answers), { judge })
}

describe('a file that comes to its place', () => {
  it.each([
    ['rename', 'EIO', 'the disk reports an error'],
    // Not by a look and a rename: a file of the user's could come between the two.
    ['link', 'ENOSPC', 'the disk is full'],
  ])('is taken back when its %s fails with %s, which is said and is no edit', async (call, code, why) => {
    const { disk, ended } = await apply({}, () => {
      let isOver = false
      return (name, path) => {
        if (isOver || name !== call || !path.startsWith('/project/src/')) return
        isOver = true
        throw diskError(code)
      }
    })
    const reason = { kind: 'failed', error: { message: expect.stringContaining(why) } }
    expect(ended).toMatchObject({ kind: 'rolled-back', reason })
    expect(disk.text({ journal: false })).toEqual(start)
  })
})

describe('a folder that may be changed and not read', () => {
  it('cannot be brought to the disk, which shows before anything in it is touched', async () => {
    const touched: string[] = []
    const { disk, ended } = await apply({}, () => (name, path) => {
      if (/link|rename/.test(name) && path.startsWith('/project/src/')) touched.push(path)
      if (name === 'sync' && path === '/project/src') throw diskError('EACCES')
    })
    const message = expect.stringContaining('src: permission denied')
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'failed', error: { message } } })
    expect(touched).toEqual([])
    expect(disk.text({ journal: false })).toEqual(start)
  })
})

describe('a program that watches the project', () => {
  /** The calls that are made while files of a patch are missing, which is then declined. */
  async function whileMissing(paths: readonly string[]) {
    const texts = (text: string) => Object.fromEntries(paths.map(path => [path, text]))
    const { system, disk } = fakeSystem({ files: texts('old') })
    const calls: { readonly name: string; readonly missing: number }[] = []
    disk.onCall = name => {
      const missing = paths.filter(path => !disk.exists(path)).length
      if (missing > 0) calls.push({ name, missing })
    }
    const response = { source: 'stdin', text: respond(texts('new')) } as const
    const ended = await relay(response, fakeProject({ approval: 'no' }), system, fakeTalk())
    expect(ended).toMatchObject({ kind: 'rolled-back' })
    return calls
  }

  it('misses a file only until the next one is in its place: what has to be read is read before or after', async () => {
    const calls = await whileMissing(['src/a.ts'])
    expect(calls.map(({ name }) => name)).toEqual(['link', 'touch', 'link'])
  })

  it('misses one file at a time', async () => {
    const calls = await whileMissing(['src/a.ts', 'src/b.ts', 'src/c.ts'])
    expect(Math.max(...calls.map(({ missing }) => missing))).toBe(1)
  })
})

describe('a rollback', () => {
  const declined = { approval: 'no' } as const

  it.each(['ENOSPC', 'EDQUOT'])('needs no room: on a disk that takes no new names (%s) it moves', async full => {
    // The original gets its place back as a second name where that is possible, which cannot overwrite.
    const { disk, ended } = await apply(declined, () => {
      let written = false
      return (name, path) => {
        if (name === 'link' && path.endsWith('src/c/d.ts')) written = true
        else if (written && /link|write|makeFolder/.test(name) && !/\/new\.\d/.test(path) && path.includes('/src/')) {
          throw diskError(full)
        }
      }
    })
    expect(ended).toMatchObject({ kind: 'rolled-back' })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('says that relay was updated, where a part of it is gone by the time of the question', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const gone = () => {
      throw Object.assign(new Error("Cannot find module './x.cjs'\nRequire stack:"), { code: 'MODULE_NOT_FOUND' })
    }
    const ended = await take(system, text, declined, fakeTalk([gone]))
    const error = { message: expect.stringContaining('A part of relay is gone'), hint: 'Start it again.' }
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'failed', error } })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('needs no room for a symbolic link either', async () => {
    const { system, disk } = fakeSystem({ files: start })
    disk.symlink('a.ts', 'src/link.ts')
    disk.onCall = (name, path) => {
      if (name === 'symlink' && path.endsWith('src/link.ts')) throw diskError('ENOSPC')
    }
    const before = disk.tree({ journal: false })
    const ended = await take(system, { 'src/link.ts': null, 'src/a.ts': 'A\n' }, declined)
    expect(ended).toMatchObject({ kind: 'rolled-back', restoration: { restored: ['src/link.ts', 'src/a.ts'] } })
    expect(disk.tree({ journal: false })).toEqual(before)
  })

  it('is remembered, with its number, also where the disk has no room for the response', async () => {
    const { system, disk } = fakeSystem({ files: start })
    let isFull = false
    disk.onCall = name => {
      if (isFull && name === 'replace.write') throw diskError('ENOSPC')
    }
    const no = () => {
      isFull = true
      return 'no' as const
    }
    const ended = await take(system, text, declined, fakeTalk([no]))
    expect(ended).toMatchObject({ kind: 'rolled-back', number: 1 })
    disk.onCall = undefined
    const again = text.replace(uuid, '1b671a64-40d5-491e-99b0-da01ff1f3341')
    const next = await relay({ source: 'stdin', text: again }, fakeProject(), system, fakeTalk())
    expect(next).toMatchObject({ kind: 'committed', number: 2 })
  })

  it('is over a moment of trouble at any of its steps', async () => {
    const whole = await apply(declined, () => undefined)
    const asked = await steps(declined, 'written')
    await atEach(stepsBetween(asked + 1, whole.disk.calls), async step => {
      const { disk } = await apply(declined, () => (_name, _path, at) => {
        if (at === step) throw diskError('EMFILE')
      })
      expect(disk.text({ journal: false }), `step ${step}`).toEqual(start)
    })
  })

  // A sync tool, a checkout, an attacker: what is there again soon was not removed, and what it brings back is relay's.
  it.each([1, 2, 3, 5])('is over a folder that is away for %d of its steps', async away => {
    const whole = await apply(declined, () => undefined)
    const asked = await steps(declined, 'written')
    const odd: unknown[] = []
    await atEach(stepsBetween(asked + 1, whole.disk.calls), async step => {
      const { disk, ended } = await apply(declined, disk => (_name, _path, at) => {
        if (at === step) disk.rename('src', 'src.away')
        // What relay made meanwhile has nothing in it yet, or it stays.
        if (at === step + away && isEmpty(disk, 'src')) disk.rename('src.away', 'src')
      })
      if (disk.exists('src.away') && isEmpty(disk, 'src')) disk.rename('src.away', 'src')
      const found = disk.text({ journal: false })
      if (JSON.stringify(found) !== JSON.stringify(start)) odd.push({ step, found, ended })
    })
    expect(odd).toEqual([])
  })

  it('says that it is open, and who ends it, whatever keeps it from its end and stays', async () => {
    const whole = await apply(declined, () => undefined)
    const asked = await steps(declined, 'written')
    const odd: unknown[] = []
    await atEach(stepsBetween(asked + 1, whole.disk.calls), async step => {
      const { disk, ended } = await apply(declined, () => (_name, _path, at) => {
        if (at >= step) throw diskError('EIO')
      })
      const isOpen = disk.exists(`.relaycode/${uuid}.pending.yml`)
      const says = (ended as RelayError).kind
      if (isOpen ? says !== 'unfinished' : says === 'unfinished') odd.push({ step, isOpen, ended })
      await recoverOn(disk)
      expect(disk.text({ journal: false }), `step ${step}`).toEqual(start)
    })
    expect(odd).toEqual([])
  })

  it('takes back a commit whose rename happened and was said to have failed', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const rename = async (from: string, to: string) => {
      const done = await system.files.rename(from, to)
      if (to.endsWith(`/${uuid}.yml`)) throw new RelayError('environment', 'the disk reports an error')
      return done
    }
    const world = { ...system, files: { ...system.files, rename } }
    const ended = await take(world, text)
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'failed' } })
    expect(disk.text({ journal: false })).toEqual(start)
    expect(disk.exists(`.relaycode/${uuid}.yml`)).toBe(false)
  })

  it('does not take back files whose commit stands and could not be taken back', async () => {
    const { disk, ended } = await apply({}, () => {
      let committed = false
      return (name, path) => {
        if (committed && /sync|rename/.test(name)) throw diskError('EIO')
        // Told of the place that a file leaves: the second time the pending entry becomes the applied one.
        if (name === 'rename' && path.endsWith(`${uuid}.pending.yml`)) committed = true
      }
    })
    expect(ended).toMatchObject({ kind: 'unfinished', message: expect.stringContaining('the disk reports an error') })
    await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'A\n', 'src/c/d.ts': 'd\n' })
    expect(disk.exists(`.relaycode/${uuid}.yml`)).toBe(true)
  })
})

/** How many steps there were when something was reported. */
async function steps(settings: Parameters<typeof fakeProject>[0], kind: string): Promise<number> {
  const { system, disk } = fakeSystem({ files: start })
  const talk = fakeTalk()
  let at = 0
  const listening = {
    ...talk,
    report: (progress: Parameters<typeof talk.report>[0]) => {
      if (progress.kind === kind) at = disk.calls
    },
  }
  await take(system, text, settings, listening)
  expect(at).toBeGreaterThan(0)
  return at
}

describe('a file that gets its place is younger than what was built of the one before it', () => {
  // As `make` and `cargo` see it, which do not build anew what is younger than its sources.
  const build = (disk: FakeDisk) => disk.write('built', disk.readText('src/a.ts'))
  const isStale = async ({ system, disk }: ReturnType<typeof fakeSystem>) => {
    const time = async (path: string) => (await system.files.stat(`${disk.root}/${path}`))?.modifiedMs ?? 0
    return (await time('built')) >= (await time('src/a.ts'))
  }

  it('when a patch is taken back', async () => {
    const world = fakeSystem({ files: start, commands: { post: { effect: build } } })
    const { disk } = world
    const settings = { approval: 'no', postCommand: 'post' } as const
    await take(world.system, text, settings)
    expect(disk.text({ journal: false })).toEqual({ ...start, built: 'A\n' })
    expect(await isStale(world)).toBe(false)
  })

  it('when it is left out, and brought back', async () => {
    const world = fakeSystem({ files: start })
    const { disk } = world
    const stale: boolean[] = []
    const choosing = (paths: readonly string[]) => async () => {
      build(disk)
      return { choose: paths }
    }
    const settings = { approval: 'no' } as const
    const talk = fakeTalk([
      choosing(['src/b.ts']),
      async () => {
        stale.push(await isStale(world))
        return choosing(['src/a.ts', 'src/b.ts'])()
      },
      async () => {
        stale.push(await isStale(world))
        return 'yes' as const
      },
    ])
    await take(world.system, text, settings, talk)
    expect(disk.readText('src/a.ts')).toBe('A\n')
    expect(stale).toEqual([false, false])
  })
})

it('passes over what it may not look at when it names the files that a command changed', async () => {
  const { ended } = await apply({ postCommand: 'post' }, disk => {
    disk.folder('private')
    return (name, path) => {
      if (name === 'list' && path.endsWith('/private')) throw diskError('EACCES')
    }
  })
  expect(ended).toMatchObject({ kind: 'committed' })
})

/** Everything below a folder that is a file, as `find -type f -delete` removes it. */
function removeFiles(disk: FakeDisk, folder: string, fits: (text: string) => boolean = () => true): void {
  for (const [path, text] of Object.entries(disk.text())) {
    if (path.startsWith(`${folder}/`) && fits(text)) disk.remove(path)
  }
}

describe('a command that removes what relay keeps', () => {
  const all = (disk: FakeDisk) => disk.remove('.relaycode')
  const files = (disk: FakeDisk) => removeFiles(disk, '.relaycode')
  it.each([
    ['preCommand', 'the pre command', 'as `git clean -X` does', all],
    ['postCommand', 'the post command', 'as `git clean -X` does', all],
    ['linter', 'the linter', 'as `git clean -X` does', all],
    ['postCommand', 'the post command', 'file by file', files],
    ['linter', 'the linter', 'file by file', files],
  ] as const)('is named, and everything is as before: %s, %s, %s', async (key, name, _how, hurt) => {
    const effect = () => hurt(disk)
    const { system, disk } = fakeSystem({ files: start, commands: { cleans: { effect }, post: {} } })
    const settings = { postCommand: 'post', [key]: 'cleans' }
    const ended = await take(system, text, settings).catch((thrown: Error) => ({ reason: { error: thrown } }))
    expect(ended).toMatchObject({
      reason: { error: { kind: 'usage', message: expect.stringContaining(`was removed while ${name} ran`) } },
    })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it.each(['nowhere', '.relaycode'])('is as before also where it leaves a link to %s there', async to => {
    const effect = () => {
      disk.remove('.relaycode')
      disk.symlink(to, '.relaycode')
    }
    const { system, disk } = fakeSystem({ files: start, commands: { links: { effect } } })
    const ended = await take(system, text, { postCommand: 'links' })
    const aside = '.relaycode.relay-rescued'
    expect(ended).toMatchObject({
      kind: 'rolled-back',
      restoration: { rescued: [{ path: '.relaycode', rescue: aside }] },
    })
    disk.remove(aside)
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it.each([
    ['yes', all],
    ['yes', files],
    ['again', all],
    ['edited', all],
    ['hold', all],
    [{ choose: ['src/b.ts'] }, all],
  ] satisfies [Answer, typeof all][])(
    'is named when the user runs it during the question and then answers %j',
    async (answer, hurt) => {
      const { disk, ended } = await cleanedWhileAsked(answer, hurt)
      const message = expect.stringContaining('was removed while relay waited for you')
      expect(ended).toMatchObject({ kind: 'rolled-back', reason: { error: { kind: 'usage', message } } })
      expect(disk.text({ journal: false })).toEqual(start)
    },
  )

  it('is no trouble to a "no" that the user gives then', async () => {
    const { disk, ended } = await cleanedWhileAsked('no', all)
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  async function cleanedWhileAsked(answer: Answer, hurt: typeof all) {
    const { system, disk } = fakeSystem({ files: start, commands: {} })
    const answers = () => {
      hurt(disk)
      return answer
    }
    const ended = await relay({ source: 'stdin', text }, fakeProject({ approval: 'no' }), system, fakeTalk([answers]))
    return { disk, ended }
  }

  describe('and a disk that takes no new name then', () => {
    const saved = `/home/me/.local/state/relaycode/ea0135bc.${uuid}.pending.yml`

    async function cleanedAndFull(isFull: (path: string) => boolean, layOut = (_disk: FakeDisk) => {}) {
      const effect = () => {
        disk.remove('.relaycode')
        disk.onCall = (name, path) => {
          if (/write|makeFolder/.test(name) && isFull(path)) throw diskError('ENOSPC')
        }
      }
      const { system, disk } = fakeSystem({ files: start, commands: { cleans: { effect, exit: 1 } } })
      layOut(disk)
      const project = fakeProject({ postCommand: 'cleans' })
      const ended = await relay({ source: 'stdin', text }, project, system, fakeTalk()).catch((thrown: Error) => thrown)
      disk.onCall = undefined
      return { disk, ended }
    }

    it.each([
      ['that is made for it', saved, () => {}],
      [
        'behind a link',
        `/disk${saved}`,
        (disk: FakeDisk) => {
          disk.folder('/disk/home/me')
          disk.symlink('/disk/home', '/home')
        },
      ],
    ])(
      'leave the originals in an entry among what is the user’s own, %s, which a recovery takes',
      async (_, saved, layOut) => {
        const { disk, ended } = await cleanedAndFull(path => path.startsWith('/project/'), layOut)
        expect(ended).toMatchObject({
          kind: 'unfinished',
          message: expect.stringContaining('#1 could not be rolled back completely: '),
          hint: `The originals are safe in ${saved}. Free some space, then run: \`mkdir -p .relaycode && mv ${saved} .relaycode/${uuid}.pending.yml && relay recover\``,
        })
        disk.folder('.relaycode')
        disk.rename(saved, `.relaycode/${uuid}.pending.yml`)
        await recoverOn(disk)
        expect(disk.text({ journal: false })).toEqual(start)
      },
    )

    it('are said to have lost the originals where that disk is full as well', async () => {
      const { ended } = await cleanedAndFull(() => true)
      expect(ended).toMatchObject({
        kind: 'unfinished',
        message: expect.stringMatching(
          /\n\.relaycode\/ is gone, and with it the originals of\n {2}src\/a\.ts\n {2}src\/b\.ts$/,
        ),
        hint: 'Look for them in git, in a backup, or in an editor that still has them open.',
      })
    })
  })

  it('makes no other project where all of it was moved away, and is taken back where it is now', async () => {
    const effect = () => disk.rename('/project', '/moved')
    const { system, disk } = fakeSystem({ files: start, commands: { moves: { effect, exit: 1 } } })
    const ended = await take(system, text, { postCommand: 'moves' }).catch((thrown: Error) => thrown)
    expect(ended).toMatchObject({
      kind: 'unfinished',
      message: '#1 could not be rolled back completely: /project is gone',
      hint: 'If the project was moved, run `relay recover` where it is now.',
    })
    expect(disk.exists('/project')).toBe(false)
    await recoverOn(disk, '/moved', ['yes'])
    disk.rename('/moved', '/project')
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('does no harm where only empty files go', async () => {
    const effect = () => removeFiles(disk, '.relaycode', text => text === '')
    const { system, disk } = fakeSystem({ files: start, commands: { cleans: { effect, exit: 1 } } })
    const ended = await take(system, text, { postCommand: 'cleans' })
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'command' } })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('does no harm where it comes back for the empty files, once relay was killed in going back', async () => {
    const { system, disk } = fakeSystem({
      files: start,
      commands: { cleans: { effect: () => disk.remove('.relaycode') } },
    })
    let swaps = 0
    disk.onCall = (name, path) => {
      // The patch moves two files out; the third is the first that goes back.
      if (name === 'rename' && path.startsWith('/project/src/') && ++swaps === 3) disk.crash()
    }
    await take(system, text, { postCommand: 'cleans' }).catch(() => undefined)
    disk.onCall = undefined
    removeFiles(disk, '.relaycode', text => text === '')
    await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it.each([true, false])('does no harm where only originals go, killed: %s', async killed => {
    const effect = () => {
      for (const path of Object.keys(disk.text())) if (path.includes('/old.')) disk.remove(path)
      if (killed) disk.crash()
    }
    const { system, disk } = fakeSystem({ files: start, commands: { cleans: { effect, exit: 1 } } })
    await take(system, { 'src/a.ts': 'A\n', 'src/b.ts': null }, { postCommand: 'cleans' }).catch(() => undefined)
    await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('takes no original with it that was kept beside its place, in a folder that went', async () => {
    for (const killed of [false, true]) {
      const effect = () => {
        disk.remove('vol/deep')
        if (killed) disk.crash()
      }
      const { system, disk } = fakeSystem({ commands: { cleans: { effect, exit: 1 } } })
      disk.mount('vol')
      disk.write('vol/deep/a.ts', 'a\n')
      disk.write('vol/deep/b.ts', 'b\n')
      const before = disk.text({ journal: false })
      await take(system, { 'vol/deep/a.ts': 'A\n', 'vol/deep/b.ts': null }, { postCommand: 'cleans' }).catch(
        () => undefined,
      )
      await recoverOn(disk)
      expect({ killed, ...disk.text({ journal: false }) }).toEqual({ killed, ...before })
    }
  })
})

it('changes no file where the disk has another entry than was written, be it in what going back needs', async () => {
  const { system, disk } = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
  const pending = `.relaycode/${uuid}.pending.yml`
  disk.onCall = (name, path) => {
    if (name !== 'inspect' || !path.endsWith(pending)) return
    disk.onCall = undefined
    disk.write(pending, disk.readText(pending).replace(/^( +)a$/m, '$1b'))
  }
  expect(await take(system, { 'src/a.ts': 'A\n' })).toMatchObject({
    kind: 'rolled-back',
    reason: {
      kind: 'failed',
      error: { message: `relay wrote .relaycode/${uuid}.pending.yml, but read back something else` },
    },
  })
  expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n' })
})

describe('a conflict', () => {
  it('leaves what the user went back to in its place, and not the edit that was taken out of it', async () => {
    const { system, disk } = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
    disk.onCall = (name, path) => {
      if (name === 'rename' && path.endsWith('src/a.ts') && disk.readText('src/a.ts') === 'a\n')
        disk.write('src/a.ts', 'mine\n')
      if (name === 'inspect' && path.endsWith('src/a.ts') && disk.readText('src/a.ts') === 'A\n')
        disk.write('src/a.ts', 'a\n')
    }
    const outcome = await take(system, { 'src/a.ts': 'A\n' })
    const rescue = `.relaycode/rescue/${uuid}/src/a.ts.rescued`
    expect(outcome).toMatchObject({
      reason: { kind: 'conflict' },
      restoration: { kept: [{ path: 'src/a.ts', rescue }] },
    })
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n' })
    expect(disk.readText(rescue)).toBe('mine\n')
  })

  it('leaves an edit that was taken out unseen in its place, and puts nothing aside', async () => {
    const { system, disk } = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
    disk.onCall = (name, path) => {
      if (name !== 'rename' || !path.endsWith('src/a.ts')) return
      disk.onCall = undefined
      disk.write('src/a.ts', 'mine\n')
    }
    expect(await take(system, { 'src/a.ts': 'A\n' })).toMatchObject({
      reason: { kind: 'conflict' },
      restoration: { restored: ['src/a.ts'], rescued: [], kept: [] },
    })
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'mine\n' })
    expect(Object.keys(disk.text()).filter(path => path.includes('/rescue/'))).toEqual([])
  })
})

describe('a file that goes, or becomes something else, while it is synced before it is taken out', () => {
  it.each([
    ['goes', (disk: FakeDisk) => disk.remove('src/a.ts'), {}],
    [
      'becomes a folder',
      (disk: FakeDisk) => {
        disk.remove('src/a.ts')
        disk.write('src/a.ts/mine', 'mine\n')
      },
      { 'src/a.ts/mine': 'mine\n' },
    ],
  ])('%s: is a conflict, and stays as it is', async (_how, change, left) => {
    const { disk, ended } = await apply({}, disk => (name, path) => {
      if (name !== 'sync' || !path.endsWith('src/a.ts')) return
      disk.onCall = undefined
      change(disk)
      throw diskError('ENOENT')
    })
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'conflict', paths: ['src/a.ts'] } })
    expect(disk.text({ journal: false })).toEqual({ ...left, 'src/b.ts': 'b\n' })
  })

  it('is taken back where the disk has an error, and nothing was touched', async () => {
    const { disk, ended } = await apply({}, () => (name, path) => {
      if (name === 'sync' && path.endsWith('src/a.ts')) throw diskError('EIO')
    })
    const error = { message: expect.stringContaining('Cannot sync src/a.ts: the disk reports an error') }
    expect(ended).toMatchObject({ kind: 'rolled-back', reason: { kind: 'failed', error } })
    expect(disk.text({ journal: false })).toEqual(start)
  })
})

describe('a file that the user writes while its place is empty', () => {
  it('stays, and the original is put aside', async () => {
    const { system, disk } = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
    const no = () => {
      disk.onCall = name => {
        if (name !== 'link' || disk.exists('src/a.ts')) return
        disk.onCall = undefined
        disk.write('src/a.ts', 'mine\n')
      }
      return 'no' as const
    }
    const rescue = `.relaycode/rescue/${uuid}/src/a.ts.rescued`
    expect(await take(system, { 'src/a.ts': 'A\n' }, { approval: 'no' }, fakeTalk([no]))).toMatchObject({
      restoration: { restored: [], rescued: [], kept: [{ path: 'src/a.ts', rescue }] },
    })
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'mine\n' })
    expect(disk.readText(rescue)).toBe('a\n')
  })
})

describe('an original that a command has rewritten in the stage', () => {
  async function rewriteAll(present: boolean) {
    const { system, disk } = fakeSystem({
      files: start,
      commands: {
        post: {
          exit: 1,
          effect: () => {
            for (const path of Object.keys(disk.text())) if (path.includes('/old.')) disk.write(path, 'rewritten\n')
          },
        },
      },
    })
    const outcome = await take(system, text, { postCommand: 'post' }, { ...fakeTalk(['no']), present })
    return { disk, outcome, aside: (path: string) => disk.readText(`.relaycode/rescue/${uuid}/${path}.rescued`) }
  }

  it('comes back from the entry, and what was made of it is put aside', async () => {
    const { disk, outcome, aside } = await rewriteAll(true)
    expect(outcome).toMatchObject({ restoration: { kept: [], restored: ['src/a.ts', 'src/b.ts', 'src/c/d.ts'] } })
    expect(disk.text({ journal: false })).toEqual(start)
    expect([aside('src/a.ts'), aside('src/b.ts')]).toEqual(['rewritten\n', 'rewritten\n'])
  })

  it('is put aside itself where nobody is there: it may be what an editor wrote through a handle of its own', async () => {
    const { disk, outcome, aside } = await rewriteAll(false)
    expect(outcome).toMatchObject({ restoration: { kept: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }] } })
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'rewritten\n', 'src/b.ts': 'rewritten\n' })
    expect([aside('src/a.ts'), aside('src/b.ts')]).toEqual(['a\n', 'b\n'])
  })
})

describe('what cannot be cleared up', () => {
  it.each([
    ['sync', /\/\.relaycode$/],
    ['remove', /\.stage\//],
    ['removeFolder', /\.stage$/],
  ])('changes nothing about how it ended, and what was put aside is named: %s', async (call, path) => {
    const format = { exit: 1, effect: (disk: FakeDisk) => disk.write('src/a.ts', 'formatted\n') }
    const { system, disk } = fakeSystem({ files: start, commands: { format } })
    let wasPending = false
    disk.onCall = (name, at) => {
      const isPending = disk.exists(`.relaycode/${uuid}.pending.yml`)
      wasPending ||= isPending
      if (wasPending && !isPending && name === call && path.test(at)) throw diskError('EIO')
    }
    const ended = await take(system, text, { postCommand: 'format' }).catch((thrown: Error) => thrown)
    disk.onCall = undefined
    expect(ended).toMatchObject({
      kind: 'rolled-back',
      reason: { kind: 'command' },
      restoration: { rescued: [{ path: 'src/a.ts' }] },
    })
    expect(disk.text({ journal: false })).toEqual(start)
    expect(disk.exists(`.relaycode/${uuid}.stage`)).toBe(true)
    await recoverOn(disk)
    expect(Object.keys(disk.text()).filter(name => /stage|pending/.test(name))).toEqual([])
  })
})

describe('a stage that cannot be removed before anything is written', () => {
  it.each([
    ['rolled-back', { exit: 1 }],
    ['refused', { effect: (disk: FakeDisk) => disk.folder('src/a.ts/in-the-way') }],
  ])('changes nothing about how it ended: %s', async (kind, pre) => {
    const { system, disk } = fakeSystem({ files: { 'src/b.ts': 'b\n' }, commands: { pre } })
    disk.onCall = (name, path) => {
      if (name === 'removeFolder' && path.endsWith('.stage')) throw diskError('EIO')
    }
    const ended = await take(system, text, { preCommand: 'pre' }).catch((thrown: Error) => thrown)
    disk.onCall = undefined
    expect(ended).toMatchObject({ kind })
    await recoverOn(disk)
    expect(disk.exists(`.relaycode/${uuid}.stage`)).toBe(false)
  })
})

describe('a kill before the plan has its name', () => {
  // What waits beside its place could not be found again: only the plan tells of it.
  it('leaves no new file behind, wherever those wait', async () => {
    const { system, disk, kill } = fakeSystem({ files: start })
    disk.mount('vol')
    disk.write('vol/e.ts', 'e\n')
    const before = disk.tree({ journal: false })
    const files: typeof system.files = {
      ...system.files,
      rename: async (from, to) => {
        // By then all else is done that does not wait for it.
        await new Promise(setImmediate)
        if (from.endsWith('/draft')) kill()
        return system.files.rename(from, to)
      },
    }
    await expect(take({ ...system, files }, { 'src/a.ts': 'A\n', 'vol/e.ts': 'E\n' })).rejects.toThrow('killed')
    expect(Object.keys(disk.text()).some(path => path.includes('.stage/new.'))).toBe(true)

    await recoverOn(disk)
    expect(disk.tree({ journal: false })).toEqual(before)
    expect(Object.keys(disk.text()).some(path => path.includes('.stage/'))).toBe(false)
  })
})

describe('an interruption while new files are staged', () => {
  it('is the end before a file of the project changes', async () => {
    const { system, disk, interrupt } = fakeSystem({ files: start })
    const changed: string[] = []
    disk.onCall = (name, path) => {
      if (name === 'create' && path.includes('.stage/new.')) interrupt()
      const isOfProject = path.startsWith('/project/') && !path.includes('.relaycode')
      if (/^(?:link|rename|remove|makeFolder)/.test(name) && isOfProject) changed.push(path)
    }
    const outcome = await take(system, text)
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      reason: { kind: 'interrupted' },
      restoration: { restored: [] },
    })
    expect(changed).toEqual([])
    expect(disk.text({ journal: false })).toEqual(start)
    expect(Object.keys(disk.text()).filter(path => /stage|pending/.test(path))).toEqual([])
  })

  it.each([
    ['written', 'create', /\.stage\/new\.[^/]*$/],
    ['brought to the disk', 'sync', /src\/f\d+\.ts$/],
  ])('lets no more than are under way be %s', async (_what, call, path) => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/f${n}.ts`, `${n}\n`]))
    const { system, disk, interrupt } = fakeSystem({ files })
    let calls = 0
    disk.onCall = (name, at) => {
      if (name !== call || !path.test(at)) return
      calls += 1
      interrupt()
    }
    const changed = respond(Object.fromEntries(Object.keys(files).map(name => [name, `new ${name}\n`])))
    expect(await take(system, changed)).toMatchObject({ kind: 'rolled-back', reason: { kind: 'interrupted' } })
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThanOrEqual(64)
    expect(disk.text({ journal: false })).toEqual(files)
    expect(Object.keys(disk.text()).filter(name => /stage|pending/.test(name))).toEqual([])
  })
})

describe('an interruption before a transaction begins', () => {
  it('is the end of it while it is planned, with nothing begun', async () => {
    const { system, disk, interrupt } = fakeSystem({ files: start })
    const talk = fakeTalk()
    disk.onCall = (_name, path) => {
      if (path.endsWith('src/a.ts')) interrupt()
    }
    await expect(take(system, text, {}, talk)).rejects.toBe('SIGINT')
    disk.onCall = undefined
    expect(talk.told).toEqual([])
    expect(disk.text({ journal: false })).toEqual(start)
    expect(Object.keys(disk.text()).filter(path => /stage|pending|lock|history/.test(path))).toEqual([])
  })

  it('ends the look over many files, and looks at no more', async () => {
    const { system, disk, interrupt, looked } = manyFiles('src')
    const talk = fakeTalk()
    disk.onCall = looked.watch(interrupt)
    await expect(take(system, looked.patch, {}, talk)).rejects.toBe('SIGINT')
    disk.onCall = undefined
    expect(talk.told).toEqual([])
    expect(disk.text({ journal: false })).toEqual(looked.files)
    expect(looked.paths.size).toBeLessThanOrEqual(64)
  })

  it('is heard between the files of a patch that takes long to judge', async () => {
    const { system, disk, interrupt, looked } = manyFiles('src')
    let [now, turns] = [0, 0]
    const slow = {
      ...system,
      clock: {
        now: () => new Date(0),
        monotonic: () => (now += 60),
        sleep: async () => {
          turns += 1
          interrupt()
        },
      },
    }
    await expect(take(slow, looked.patch)).rejects.toBe('SIGINT')
    expect(turns).toBe(1)
    expect(disk.text({ journal: false })).toEqual(looked.files)
  })

  it('ends the second look after the pre command, and it never happened', async () => {
    const { system, disk, interrupt, looked } = manyFiles('src', { make: {} })
    const talk = fakeTalk()
    const report = talk.report
    talk.report = progress => {
      report(progress)
      if (progress.kind === 'command-ended') disk.onCall = looked.watch(interrupt)
    }
    const outcome = await take(system, looked.patch, { preCommand: 'make' }, talk)
    disk.onCall = undefined
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'interrupted', signal: 'SIGINT' } })
    expect(disk.text({ journal: false })).toEqual(looked.files)
    expect(Object.keys(disk.text()).filter(path => /stage|pending|lock/.test(path))).toEqual([])
    expect(looked.paths.size).toBeLessThanOrEqual(64)
  })

  it('ends the look of an undo', async () => {
    const { system, disk, interrupt, looked } = manyFiles('src')
    await take(system, looked.patch)
    disk.onCall = looked.watch(interrupt)
    const talk = { ...fakeTalk(), decide: async () => 'unasked' as const, confirm: async () => 'yes' as const }
    await expect(undoEntry({ kind: 'undo' }, fakeProject(), system, talk)).rejects.toBe('SIGINT')
    disk.onCall = undefined
    expect(disk.text()['src/f0.js']).toBe('new\n')
    expect(looked.paths.size).toBeLessThanOrEqual(64)
  })

  /** A patch of 300 files, in a project whose linter loads 300 others; and which of those in the folder are looked at. */
  function manyFiles(folder: string, commands: Record<string, object> = {}) {
    const texts = (of: string) =>
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${of}/f${n}.js`, `${n}\n`]))
    const imports = Object.keys(texts('tools')).map(path => `import './${path}'\n`)
    const files = { ...texts('src'), ...texts('tools'), 'eslint.config.js': imports.join('') }
    const patch = respond(Object.fromEntries(Object.keys(texts('src')).map(path => [path, 'new\n'])))
    const paths = new Set<string>()
    const watch = (then: () => void) => (_name: string, path: string) => {
      if (!path.startsWith(`/project/${folder}/f`)) return
      paths.add(path)
      then()
    }
    return { ...fakeSystem({ files, commands }), looked: { files, patch, paths, watch } }
  }

  it('ends the reading of entries for a history that is lost, and leaves them for the next start', async () => {
    const { system, disk, interrupt } = fakeSystem({ files: start })
    await take(system, text)
    const [entry = ''] = Object.keys(disk.text()).filter(path => path.endsWith(`${uuid}.yml`))
    const history = '.relaycode/history.jsonl'
    const bytes = disk.text()[entry] ?? ''
    for (let n = 100; n < 200; n++) {
      const other = `00000000-0000-4000-8000-000000000${n}`
      disk.write(entry.replace(uuid, other), bytes.replaceAll(uuid, other))
    }
    disk.write(history, '')
    const read = new Set<string>()
    disk.onCall = (_name, path) => {
      if (!path.endsWith('.yml')) return
      read.add(path)
      interrupt()
    }
    await expect(take(system, respond({ 'src/b.ts': 'B\n' }, { uuid: uuid.replace('0b', '1b') }))).rejects.toBe(
      'SIGINT',
    )
    disk.onCall = undefined
    expect(read.size).toBe(1)
    expect(disk.text()[history]).toBe('')
  })
})

describe('what is put aside', () => {
  /** Declined after an edit, on a disk that refuses what `hurt` refuses. */
  async function declineEdited(path: string, hurt: (name: string, path: string) => string | undefined) {
    const { system, disk } = fakeSystem({ files: { [path]: 'a\n' } })
    disk.onCall = (name, at) => {
      const code = hurt(name, at)
      if (code !== undefined) throw diskError(code)
    }
    const talk = fakeTalk([
      () => {
        disk.write(path, 'mine\n')
        return 'no'
      },
    ])
    const again = async () => {
      disk.folder('.relaycode/rescue')
      return take(system, { [path]: 'A\n' }, { approval: 'no' }, talk)
    }
    return { disk, again }
  }

  it('finds a place also where its name takes no number more', async () => {
    const path = `src/${'n'.repeat(252)}.ts`
    const { disk, again } = await declineEdited(path, (_name, at) =>
      Buffer.byteLength(basename(at)) > 255 ? 'ENAMETOOLONG' : undefined,
    )
    disk.write(`.relaycode/rescue/${uuid}/${path}`, 'earlier\n')
    const outcome = await again()
    expect(outcome).toMatchObject({ kind: 'rolled-back', restoration: { rescued: [{ path }] } })
    expect(disk.readText(path)).toBe('a\n')
    const texts = Object.entries(disk.text()).filter(([at]) => at.startsWith('.relaycode/rescue/'))
    expect(texts.map(([, text]) => text).sort()).toEqual(['earlier\n', 'mine\n'])
  })

  it('finds a place also where a file with the ending of what is put aside stands in the way of its folder', async () => {
    const paths = ['src/b', 'src/b.rescued/c']
    const edit = (disk: FakeDisk) => {
      for (const path of paths) disk.write(path, `${path}, mine\n`)
    }
    const { system, disk } = fakeSystem({ commands: { post: { exit: 1, effect: edit } } })
    for (const path of paths) disk.write(path, 'a\n')
    const outcome = await take(system, Object.fromEntries(paths.map(path => [path, 'A\n'])), { postCommand: 'post' })
    if (outcome.kind !== 'rolled-back') throw new Error(outcome.kind)
    const { rescued } = outcome.restoration
    expect(rescued.map(({ path, rescue }) => [path, disk.readText(rescue)]).sort()).toEqual(
      paths.map(path => [path, `${path}, mine\n`]),
    )
  })

  it('stays on a file system of its own where it is too large to be read', async () => {
    const { system, disk } = fakeSystem({
      commands: { post: { exit: 1, effect: () => disk.write('vol/a', 'gigabytes\n') } },
    })
    disk.mount('vol')
    disk.write('vol/a', 'a\n')
    const { inspect } = system.files
    const files: typeof system.files = {
      ...system.files,
      inspect: async path => {
        const found = await inspect(path)
        return found?.kind === 'file' && found.bytes.length === 10 ? { kind: 'other' } : found
      },
    }
    await take({ ...system, files }, { 'vol/a': 'A\n' }, { postCommand: 'post' })
    expect(disk.text({ journal: false })).toEqual({ 'vol/a': 'a\n', 'vol/a.relay-rescued': 'gigabytes\n' })
  })

  it.each(['device', 'bind'] as const)(
    'stays on a file system of its own where it can be neither moved nor copied: %s',
    async kind => {
      const { system, disk } = fakeSystem({ commands: { post: { exit: 1, effect: () => replace() } } })
      disk.mount('vol', kind)
      disk.write('vol/b', 'b\n')
      disk.write('vol/d', 'd\n')
      disk.write('vol/b.relay-rescued', 'earlier\n')
      const replace = () => {
        for (const path of ['vol/a', 'vol/b', 'vol/d']) disk.remove(path)
        disk.write('vol/a/one', 'one\n')
        disk.write('vol/b/two', 'two\n')
        disk.fifo('vol/d')
      }
      const outcome = await take(system, { 'vol/a': 'A\n', 'vol/b': 'B\n', 'vol/d': 'D\n' }, { postCommand: 'post' })
      expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'command' } })
      const { rescued } = (outcome as Extract<Outcome, { kind: 'rolled-back' }>).restoration
      expect(rescued.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
        { path: 'vol/a', rescue: 'vol/a.relay-rescued' },
        { path: 'vol/b', rescue: 'vol/b.relay-rescued.2' },
        { path: 'vol/d', rescue: 'vol/d.relay-rescued' },
      ])
      expect(disk.exists('vol/d.relay-rescued')).toBe(true)
      disk.remove('vol/d.relay-rescued')
      expect(disk.text({ journal: false })).toEqual({
        'vol/a.relay-rescued/one': 'one\n',
        'vol/b': 'b\n',
        'vol/b.relay-rescued': 'earlier\n',
        'vol/b.relay-rescued.2/two': 'two\n',
        'vol/d': 'd\n',
      })
    },
  )

  it('waits in the stage where the disk has no room for it, and the place is as before all the same', async () => {
    let isFull = true
    const { disk, again } = await declineEdited('src/a.ts', (name, at) =>
      isFull && name === 'rename' && at.includes('.stage/gone.') ? 'ENOSPC' : undefined,
    )
    await expect(again()).rejects.toMatchObject({ kind: 'unfinished' })
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'a\n' })
    isFull = false
    await recoverOn(disk)
    expect(disk.readText('src/a.ts')).toBe('a\n')
    expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('mine\n')
    expect(Object.keys(disk.text()).filter(path => /stage|pending/.test(path))).toEqual([])
  })

  it('waits in the stage where the rescue folder is closed, and a file that was deleted is back all the same', async () => {
    const key = createHash('sha256').update('src/a.ts').digest('hex').slice(0, 32)
    // As an editor does it that had the file open.
    const effect = () => disk.write(`.relaycode/${uuid}.stage/old.${key}`, 'mine\n')
    const { system, disk } = fakeSystem({ files: start, commands: { post: { effect, exit: 1 } } })
    disk.folder('.relaycode/rescue')
    let isClosed = true
    disk.onCall = (_name, path) => {
      if (isClosed && path.includes('/rescue/')) throw diskError('EACCES')
    }
    const ended = take(system, { 'src/a.ts': null }, { postCommand: 'post' }, fakeTalk([]))
    await expect(ended).rejects.toMatchObject({ kind: 'unfinished' })
    expect(disk.text({ journal: false })).toEqual(start)
    isClosed = false
    await recoverOn(disk)
    expect(disk.text({ journal: false })).toEqual(start)
    const kept = Object.entries(disk.text()).filter(([path]) => /stage|pending|rescue/.test(path))
    expect(kept).toEqual([[`.relaycode/rescue/${uuid}/src/a.ts.rescued`, 'mine\n']])
  })

  it('replaces nothing that was put aside before, also on a disk that takes no new folders', async () => {
    const { disk, again } = await declineEdited('src/a.ts', (name, at) =>
      name === 'makeFolder' && at.includes('/rescue/') ? 'ENOSPC' : undefined,
    )
    const key = createHash('sha256').update('src/a.ts').digest('hex').slice(0, 32)
    disk.write(`.relaycode/rescue/${uuid}.${key}.rescued`, 'earlier\n')
    const rescue = `.relaycode/rescue/${uuid}.${key}.rescued.2`
    expect(await again()).toMatchObject({ restoration: { rescued: [{ path: 'src/a.ts', rescue }] } })
    expect(disk.readText(rescue)).toBe('mine\n')
    expect(disk.readText(`.relaycode/rescue/${uuid}.${key}.rescued`)).toBe('earlier\n')
    expect(disk.readText('src/a.ts')).toBe('a\n')
  })
})

describe('a sync of what is put aside that fails', () => {
  async function syncFails(times: number, what: string, folder: string) {
    const of = what === 'its own' ? /\/rescue\/.*a\.ts\.rescued$/ : /\/rescue(?:\/[^.]*)?$/
    const effect = (disk: FakeDisk) => disk.write(`${folder}/a.ts`, 'mine\n')
    const { system, disk } = fakeSystem({ commands: { edit: { effect, exit: 1 } } })
    disk.mount('vol')
    disk.write(`${folder}/a.ts`, 'a\n')
    let fails = 0
    disk.onCall = (name, path) => {
      if (name === 'sync' && of.test(path) && fails++ < times) throw diskError('EIO')
    }
    const ended = await take(system, { [`${folder}/a.ts`]: 'A\n' }, { postCommand: 'edit' }).catch(
      (thrown: Error) => thrown,
    )
    expect(fails).toBeGreaterThan(0)
    disk.onCall = undefined
    return { disk, ended, system }
  }

  const syncs = [
    ['its own', 'src'],
    ["its folder's", 'src'],
    ["its folder's", 'vol'],
  ] as const

  it.each(syncs)('is tried again, and the edit is named: %s, in %s', async (what, folder) => {
    const { disk, ended } = await syncFails(1, what, folder)
    const rescue = `.relaycode/rescue/${uuid}/${folder}/a.ts.rescued`
    expect(ended).toMatchObject({ restoration: { rescued: [{ path: `${folder}/a.ts`, rescue }] } })
    expect(disk.readText(rescue)).toBe('mine\n')
    expect(disk.text({ journal: false })).toEqual({ [`${folder}/a.ts`]: 'a\n' })
  })

  it.each(syncs)(
    'leaves the transaction open where it fails again, and the recovery names the edit: %s, in %s',
    async (what, folder) => {
      const { disk, ended, system } = await syncFails(1000, what, folder)
      expect(ended).toMatchObject({ kind: 'unfinished', message: expect.stringContaining('the disk reports an error') })
      const rescue = `.relaycode/rescue/${uuid}/${folder}/a.ts.rescued`
      expect(await recover(layoutOf('/project', system.files), system, fakeTalk())).toMatchObject([
        { restoration: { rescued: [{ path: `${folder}/a.ts`, rescue }] } },
      ])
      expect(disk.readText(rescue)).toBe('mine\n')
      expect(disk.text({ journal: false })).toEqual({ [`${folder}/a.ts`]: 'a\n' })
    },
  )
})

describe('a disk that fills up while new files are staged', () => {
  it("is said of the file of the project, and of none of relay's own", async () => {
    const { system, disk } = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
    disk.onCall = (name, path) => {
      if (name === 'create.write' && path.includes('.stage/new.')) throw diskError('ENOSPC')
    }
    const outcome = await take(system, { 'src/a.ts': 'A\n' })
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      reason: {
        kind: 'failed',
        error: { message: 'Cannot write src/a.ts: the disk is full', hint: 'Free some space, then try again.' },
      },
    })
  })
})

describe('what a power cut could take', () => {
  /** What is synced, what is moved to its name, and what is removed, in order. */
  async function order(settings: Parameters<typeof fakeProject>[0], answers?: readonly Answer[]): Promise<string[]> {
    const seen: string[] = []
    const { system, disk } = fakeSystem({ files: start, commands: { post: {}, lint: {} } })
    const files = {
      ...system.files,
      replace: (...args: Parameters<typeof system.files.replace>) => {
        seen.push(`${args[3]?.sync === false ? 'replace unsynced' : 'replace'} ${args[0]}`)
        return system.files.replace(...args)
      },
      sync: (path: string) => {
        seen.push(`sync ${path}`)
        return system.files.sync(path)
      },
      rename: (from: string, to: string) => {
        seen.push(`rename ${to}`)
        return system.files.rename(from, to)
      },
      remove: (path: string) => {
        seen.push(`remove ${path}`)
        return system.files.remove(path)
      },
      removeFolder: (path: string) => {
        seen.push(`remove folder ${path}`)
        return system.files.removeFolder(path)
      },
    }
    const run: typeof system.shell.run = async (command, options) => {
      await options.onStart(system.shell === undefined ? (undefined as never) : await system.shell.self())
      seen.push(`run ${command}`)
      if (command === 'edit, and fail') disk.write('src/a.ts', 'mine\n')
      return { end: { kind: 'exit', code: command === 'edit, and fail' ? 1 : 0 }, output: '', cut: false }
    }
    const shell = { run, self: () => system.shell.self(), lifeOf: async () => 'dead' } as unknown as typeof system.shell
    const text = respond({ 'src/a.ts': 'A\n', 'src/b.ts': null, 'lib/c/d.ts': 'd\n' })
    await take({ ...system, files, shell }, text, settings, fakeTalk(answers))
    return seen.map(each => each.replace('/project/', '').replace(uuid, '<uuid>'))
  }

  /** From behind the last file of the project that came into its place, or out of it, to a later step. */
  function between(seen: readonly string[], step: string): readonly string[] {
    const moved = seen.findLastIndex(each => /^rename (?:src|lib|.*\/(?:old|gone)\.)/.test(each))
    expect(seen.indexOf(step)).toBeGreaterThan(moved)
    return seen.slice(moved + 1, seen.indexOf(step))
  }

  it('is on the disk first: the whole plan, before a file of the project is touched', async () => {
    const seen = await order({})
    const before = seen.slice(
      0,
      seen.findIndex(each => each.includes('.stage/old.')),
    )
    expect(before.slice(before.indexOf('rename .relaycode/<uuid>.pending.yml'))).toContain('sync .relaycode')
    expect(before).toContain('sync .relaycode/<uuid>.stage')
  })

  it('is on the disk first: every name that was changed, before it is said to be kept', async () => {
    const seen = await order({})
    const kept = 'rename .relaycode/<uuid>.yml'
    expect(between(seen, kept)).toEqual(
      expect.arrayContaining(['sync src', 'sync lib/c', 'sync lib', 'sync /project', 'sync .relaycode/<uuid>.stage']),
    )
    expect(seen.slice(seen.indexOf(kept))).toContain('sync .relaycode')
  })

  it('is on the disk first: every name that a choice of files changed', async () => {
    const seen = await order({ approval: 'no' }, [{ choose: ['src/a.ts'] }, 'yes'])
    const after = between(seen, 'rename .relaycode/<uuid>.yml')
    expect(after).toEqual(expect.arrayContaining(['sync src', 'sync /project']))
  })

  it('is on the disk first: every name that is as before, before the entry goes that tells of it', async () => {
    const seen = await order({ approval: 'no' }, ['no'])
    expect(between(seen, 'remove .relaycode/<uuid>.pending.yml')).toContain('sync src')
  })

  it('is on the disk first: what was moved out of a folder, before the folder goes', async () => {
    const seen = await order({ approval: 'no' }, ['no'])
    const folders = between(seen, 'remove .relaycode/<uuid>.pending.yml').filter(each => /folder|^sync/.test(each))
    const at = folders.indexOf('remove folder lib/c')
    expect(folders.slice(0, at)).toContain('sync .relaycode/<uuid>.stage')
    expect(folders.slice(at)).toEqual(
      expect.arrayContaining(['remove folder lib/c', 'remove folder lib', 'sync /project']),
    )
  })

  it('is on the disk first: that a command runs on changed files', async () => {
    const seen = (await order({ postCommand: 'post', linter: 'lint' })).filter(each => !each.startsWith('remove '))
    const note = '.relaycode/<uuid>.stage/command.json'
    expect(seen.filter(each => each.endsWith(note) || each.startsWith('run '))).toEqual([
      `replace unsynced ${note}`,
      'run lint',
      `replace ${note}`,
      'run post',
      `replace ${note}`,
      'run lint',
    ])
  })

  it('is on the disk first: what a formatter wrote, before it is said to be kept', async () => {
    const seen = await order({ postCommand: 'post' })
    const after = seen.slice(seen.indexOf('run post'), seen.indexOf('rename .relaycode/<uuid>.yml'))
    expect(after).toEqual(expect.arrayContaining(['sync src/a.ts', 'sync lib/c/d.ts', 'sync src', 'sync lib/c']))
  })

  it('is on the disk first: what is taken out of its place, as it was saved a moment ago', async () => {
    const seen = await order({})
    const taken = seen.findIndex(each => each.startsWith('rename .relaycode/<uuid>.stage/old.'))
    expect(taken).toBeGreaterThan(0)
    expect(seen.slice(0, taken)).toEqual(expect.arrayContaining(['sync src/a.ts', 'sync src/b.ts']))
  })

  it('is on the disk where it went before where it was: a file that moved', async () => {
    const stage = 'sync .relaycode/<uuid>.stage'
    const there = await order({})
    const taken = there.slice(there.findLastIndex(each => each.startsWith('rename .relaycode/<uuid>.stage/old.')))
    expect(taken.indexOf(stage)).toBeGreaterThan(0)
    expect(taken.indexOf('sync src')).toBeGreaterThan(taken.indexOf(stage))
    const back = await order({ postCommand: 'edit, and fail' })
    const ran = back.slice(back.indexOf('run edit, and fail'))
    expect(ran.indexOf('sync src')).toBeGreaterThan(0)
    expect(ran.indexOf(stage)).toBeGreaterThan(ran.lastIndexOf('sync src'))
  })

  it('is on the disk where it went before where it was: a choice takes one file out and brings another back', async () => {
    const choices: Answer[] = [{ choose: ['src/a.ts'] }, { choose: ['src/b.ts'] }, 'yes']
    const seen = await order({ approval: 'no' }, choices)
    const last = (step: RegExp) => seen.findLastIndex(each => step.test(each))
    const [left, leaves] = [last(/^rename .*\/gone\./), last(/^rename .*\/old\./)]
    const syncs = (some: readonly string[]) => some.filter(each => /^sync (?:src|.*\.stage)$/.test(each))
    const stage = 'sync .relaycode/<uuid>.stage'
    expect(syncs(seen.slice(left, leaves))).toEqual(['sync src', stage])
    expect(syncs(seen.slice(leaves)).slice(0, 2)).toEqual([stage, 'sync src'])
  })

  it('is on the disk before the original comes back: what is put aside', async () => {
    const seen = await order({ postCommand: 'edit, and fail' })
    const rescued = seen.indexOf('sync .relaycode/rescue/<uuid>/src/a.ts.rescued')
    expect(rescued).toBeGreaterThan(0)
    expect(seen.slice(rescued)).toContain('sync src')
  })

  it('costs nothing where nobody asked for it', async () => {
    const seen = await order({ postCommand: 'post', linter: 'lint', durability: 'fast' })
    expect(seen.filter(each => each.startsWith('sync ') || each.startsWith('replace .'))).toEqual([])
  })
})

describe('the state folder', () => {
  it('is ignored by git also when relay was killed while it said so', async () => {
    const disk = new FakeDisk()
    disk.folder('.relaycode', 0o700)
    disk.write('.relaycode/.gitignore', '', 0o600)
    await ensureRelayFolder(layoutOf(disk.root, durable(disk.files(), { durability: 'fast' })))
    expect(disk.readText('.relaycode/.gitignore')).toBe('*\n')
  })

  it.each(['lock', 'watch', 'ask', 'rescue', 'output', 'declined', 'history.jsonl'])(
    'is not written through a link at %s',
    async name => {
      const disk = new FakeDisk()
      disk.folder('.relaycode', 0o700)
      disk.folder('/elsewhere')
      disk.write('/elsewhere.txt', 'mine\n')
      disk.symlink(name === 'history.jsonl' ? '/elsewhere.txt' : '/elsewhere', `.relaycode/${name}`)
      await expect(ensureRelayFolder(fakeSystem({ disk }).layout)).rejects.toMatchObject({
        kind: 'environment',
        message: expect.stringContaining(`.relaycode/${name} is not a `),
      })
    },
  )

  it('keeps what a user wrote into its .gitignore', async () => {
    const disk = new FakeDisk()
    disk.folder('.relaycode', 0o700)
    disk.write('.relaycode/.gitignore', '# ours\n', 0o600)
    await ensureRelayFolder(fakeSystem({ disk }).layout)
    expect(disk.readText('.relaycode/.gitignore')).toBe('# ours\n')
  })
})

function isEmpty(disk: FakeDisk, folder: string): boolean {
  return Object.keys(disk.tree()).every(path => !path.startsWith(`${folder}/`))
}

describe('a save that is under way while the file is replaced', () => {
  const rescue = `.relaycode/rescue/${uuid}/src/a.ts.rescued`
  /** Through a handle that the editor has opened before: it reaches what was taken out of the place. */
  const save = (disk: FakeDisk) => {
    const old = Object.entries(disk.text()).find(([path, text]) => /stage\/old\./.test(path) && text === 'a\n')
    disk.write(old?.[0] ?? 'nowhere', 'all that was typed\n')
  }

  it('is put aside and named when the patch is kept', async () => {
    const { system, disk } = fakeSystem({ files: start, commands: { post: { effect: save } } })
    const outcome = await take(system, text, { postCommand: 'post' })
    expect(outcome).toMatchObject({ kind: 'committed', late: [{ path: 'src/a.ts', rescue }] })
    expect(disk.readText(rescue)).toBe('all that was typed\n')
  })

  it('is put aside and named by the next relay, where this one is killed once the patch is kept', async () => {
    const { system, disk } = fakeSystem({ files: start, commands: { post: { effect: save } } })
    disk.onCall = (name, path) => {
      if (name === 'append' && path.endsWith('history.jsonl')) disk.crash()
    }
    await take(system, text, { postCommand: 'post' }).catch(() => undefined)
    disk.onCall = undefined
    const { layout, system: next } = fakeSystem({ disk })
    const [recovery] = await recover(layout, next, fakeTalk())
    expect(recovery).toMatchObject({ action: 'finished', restoration: { rescued: [{ path: 'src/a.ts', rescue }] } })
    expect(disk.readText(rescue)).toBe('all that was typed\n')
  })

  it('needs no second version where it has another name', async () => {
    const { system, disk } = fakeSystem({ files: start, commands: { post: { effect: save } } })
    disk.link('src/a.ts', 'same.ts')
    expect(await take(system, text, { postCommand: 'post' })).not.toHaveProperty('late')
    expect(disk.readText('same.ts')).toBe('all that was typed\n')
    expect(disk.exists(rescue)).toBe(false)
  })
})
