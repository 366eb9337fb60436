import { describe, expect, it } from 'vitest'
import type { Answer, Outcome } from '../../../src/model/talk.ts'
import type { FakeDisk } from '../../support/fake-disk.ts'
import { type fakeProject, fakeTalk } from '../../support/fake-project.ts'
import type { Behaviour } from '../../support/fake-shell.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { respond } from '../../support/respond.ts'
import { take } from '../../support/take.ts'

const start = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' }
const errors = (count: number) => ({ output: 'a.ts(1,1): error TS1: x\n'.repeat(count), exit: count > 0 ? 2 : 0 })

/** One world in which patches follow each other; each is one further text for `src/a.ts`. */
function world(lint: Behaviour = errors(0), settings: Parameters<typeof fakeProject>[0] = {}) {
  const { system, disk, shell, clock } = fakeSystem({ files: start, commands: { lint, 'other lint': errors(0) } })
  let count = 0
  const apply = async (answer: Answer = 'yes', more: typeof settings = {}): Promise<Outcome> => {
    count += 1
    const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(count).padStart(12, '0')}`
    const text = respond({ 'src/a.ts': `${count}\n` }, { uuid })
    return take(system, text, { linter: 'lint', ...settings, ...more }, fakeTalk([answer]))
  }
  const runs = () => shell.ran.splice(0).length
  /** How often the linter runs for a second patch, when this happened since the first. */
  const runsAgain = async (since: (disk: FakeDisk) => void = () => undefined) => {
    await apply()
    since(disk)
    runs()
    await apply()
    return runs()
  }
  return { apply, runs, runsAgain, disk, clock }
}

describe('the baseline of a project in which no file changed since the last check', () => {
  it('is that check: the linter runs once for each further patch', async () => {
    const { apply, runs } = world()
    await apply()
    expect(runs()).toBe(2)
    for (let patch = 0; patch < 3; patch++) {
      expect(await apply()).toMatchObject({ kind: 'committed', checked: true })
      expect(runs()).toBe(1)
    }
  })

  it('holds its errors, so that only new ones count', async () => {
    const { apply, runs } = world([errors(2), errors(2), errors(2), errors(3)])
    await apply()
    expect(await apply()).toMatchObject({ kind: 'committed', by: 'auto', newErrors: 0 })
    expect(await apply('no')).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
    expect(runs()).toBe(4)
  })

  it('is taken anew where there are more errors than it is worth to keep', async () => {
    const { apply, runs, disk } = world(errors(50_001))
    await apply()
    expect(await apply()).toMatchObject({ kind: 'committed', by: 'auto', newErrors: 0 })
    expect(runs()).toBe(4)
    expect(disk.exists('.relaycode/last-checks.json')).toBe(false)
  })

  it('counts errors anew that were mended by hand in a source folder with the name of a build folder', async () => {
    const { apply, disk } = world([errors(3), errors(3), errors(0), errors(3)])
    disk.write('src/target/t.ts', 'ERR\n')
    await apply()
    disk.write('src/target/t.ts', 'fine\n')
    expect(await apply('no')).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
  })

  it('is taken anew after a rollback, which gives back files that are younger', async () => {
    const { apply, runs } = world(errors(0), { approval: 'no' })
    expect(await apply('no')).toMatchObject({ kind: 'rolled-back' })
    expect(runs()).toBe(2)
    await apply('yes')
    expect(runs()).toBe(2)
  })

  it('is taken anew after a rollback of new files alone: the last check found them', async () => {
    const { system, disk, shell } = fakeSystem({ files: start, commands: { lint: errors(0) } })
    const settings = { linter: 'lint', approval: 'no' } as const
    const text = respond({ 'src/new.ts': 'new\n' })
    expect(await take(system, text, settings, fakeTalk(['no']))).toMatchObject({ kind: 'rolled-back' })
    expect(disk.text({ journal: false })).toEqual(start)
    shell.ran.splice(0)
    const again = respond({ 'src/new.ts': 'newer\n' }, { uuid: '0b8f4f62-7d5e-4f5c-9a0e-000000000001' })
    expect(await take(system, again, settings, fakeTalk(['yes']))).toMatchObject({ kind: 'committed' })
    expect(shell.ran).toHaveLength(2)
  })

  it('is known days later', async () => {
    const { apply, runs, clock } = world()
    await apply()
    await clock.advance(3 * 24 * 60 * 60 * 1000)
    runs()
    await apply()
    expect(runs()).toBe(1)
  })

  it('is taken anew after a rollback that gave back an edit of the same size', async () => {
    const { apply, runs, disk, clock } = world()
    await clock.advance(1000)
    disk.onCall = (_name, path) => {
      if (!path.endsWith('.pending.yml')) return
      disk.onCall = undefined
      disk.write('src/a.ts', 'b\n')
    }
    expect(await apply()).toMatchObject({ kind: 'rolled-back', reason: { kind: 'conflict' } })
    expect(disk.readText('src/a.ts')).toBe('b\n')
    runs()
    await apply()
    expect(runs()).toBe(2)
  })

  it.each<[string, (disk: FakeDisk) => void]>([
    ['a file was edited', disk => disk.write('src/b.ts', 'other\n')],
    ['a file was replaced by one of the same size', disk => disk.swap('src/b.ts', 'c\n')],
    ['a file is new', disk => disk.write('src/new.ts', '')],
    ['a file is gone', disk => disk.remove('src/b.ts')],
    ['a source folder has the name of a build folder', disk => disk.write('src/target/b.ts', 'b\n')],
    ['a source folder has the name of a report', disk => disk.write('src/coverage/b.ts', 'b\n')],
    ['a source folder has the name of a cache', disk => disk.write('src/.cache/b.ts', 'b\n')],
    ['no tool shows that a folder is its own', disk => disk.write('target/b.ts', 'b\n')],
    ['a log that tests may read changed', disk => disk.write('test/fixtures/a.log', 'b\n')],
    ['a mode changed', disk => disk.chmod('src/b.ts', 0o755)],
    ['packages were installed', disk => disk.write('node_modules/.package-lock.json', '{}')],
    ['Python packages were installed', disk => disk.write('.venv/lib/python3.13/site-packages/x/x.py', '')],
    ['it is part of a larger repository', disk => disk.write('/.git/HEAD', '')],
    ['the memory cannot be read', disk => disk.write('.relaycode/last-checks.json', '{"linter":"lint"}')],
  ])('is taken anew when %s', async (_what, change) => {
    expect(await world().runsAgain(change)).toBe(2)
  })

  it.each([
    '.relaycode/x',
    '.git/index',
    'coverage/x',
    'packages/a/target/x',
    '.pytest_cache/x',
    '.gradle/x',
    'tools/__pycache__/x',
    'debug.log',
    '.eslintcache',
    'src/.eslintcache',
    'tsconfig.tsbuildinfo',
  ])('is known although %s changed: that is no work of a person', async path => {
    const { runsAgain, disk } = world()
    const signs = [
      'node_modules/.package-lock.json',
      'package.json',
      'packages/a/Cargo.toml',
      'setup.cfg',
      'build.gradle.kts',
      'tools/a.py',
    ]
    for (const sign of signs) disk.write(sign, '{}')
    expect(await runsAgain(() => disk.write(path, 'new\n'))).toBe(1)
  })

  it('is taken anew where a link leads out of the project: what changes there is not seen', async () => {
    const { runsAgain, disk } = world()
    disk.write('/shared/s.ts', 's\n')
    disk.symlink('/shared', 'src/shared')
    expect(await runsAgain()).toBe(2)
  })

  it('is known where a link leads to a place in the project', async () => {
    const { runsAgain, disk } = world()
    disk.symlink('b.ts', 'src/c.ts')
    disk.symlink('..', 'src/self')
    expect(await runsAgain()).toBe(1)
  })

  it('is taken anew where errors were only counted: nobody could tell the new ones from them', async () => {
    expect(await world({ exit: 1, output: 'Found 2 errors\n' }).runsAgain()).toBe(2)
  })

  it('is taken anew for another linter', async () => {
    const { apply, runs } = world()
    await apply()
    runs()
    await apply('yes', { linter: 'other lint' })
    expect(runs()).toBe(2)
  })

  it('is not built on a check during which somebody edited, nor on one that could not be counted', async () => {
    const edited = world([{}, { effect: disk => disk.write('src/b.ts', 'typed meanwhile\n') }, {}])
    expect(await edited.runsAgain()).toBe(2)
    expect(await world({ exit: 1, output: 'what?' }).runsAgain()).toBe(2)
  })

  it('is not built on a check that may have found a file which was there only for a while', async () => {
    const { runsAgain } = world([{}, { effect: disk => disk.write('src/new.ts', 'typed meanwhile\n') }, {}])
    expect(await runsAgain(disk => disk.remove('src/new.ts'))).toBe(2)
  })

  it('is taken anew where what is remembered holds an error that is none', async () => {
    const { apply, runs, disk } = world(errors(1))
    await apply()
    runs()
    const path = '.relaycode/last-checks.json'
    disk.write(path, disk.readText(path).replaceAll('"message":"x"', '"words":"x"'), 0o600)
    expect(await apply()).toMatchObject({ kind: 'committed', newErrors: 0 })
    expect(runs()).toBe(2)
  })

  it('is taken anew where nothing is remembered of the parts that failed', async () => {
    const { apply, runs, disk } = world(errors(1))
    await apply()
    runs()
    const path = '.relaycode/last-checks.json'
    disk.write(path, disk.readText(path).replaceAll('"failed":[]', '"failed":[3]'), 0o600)
    expect(await apply()).toMatchObject({ kind: 'committed', newErrors: 0 })
    expect(runs()).toBe(2)
  })

  it('is not worth a failure: where it cannot be remembered, the patch is kept all the same', async () => {
    const { apply, runs, disk } = world()
    disk.onCall = (_name, path) => {
      if (path.endsWith('last-checks.json')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    expect(await apply()).toMatchObject({ kind: 'committed' })
    expect(await apply()).toMatchObject({ kind: 'committed' })
    expect(runs()).toBe(4)
  })
})
