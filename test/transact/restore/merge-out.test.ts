import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/model/talk.ts'
import { layoutOf } from '../../../src/transact/layout/layout.ts'
import { recover } from '../../../src/transact/recover/recover.ts'
import { diskError, FakeDisk } from '../../support/fake-disk.ts'
import { fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { uuid } from '../../support/respond.ts'
import { atEach, stepsBetween } from '../../support/steps.ts'
import { take } from '../../support/take.ts'

const before = 'one\ntwo\nthree\nfour\nfive\n'
const answer = 'one\nTWO\nthree\nfour\nfive\n'
const edited = `${answer}mine()\n`
const merged = `${before}mine()\n`
const files = { 'src/a.ts': before, 'src/b.ts': 'b\n' }
const rescue = `.relaycode/rescue/${uuid}/src/a.ts.rescued`

function diskWith(content: Readonly<Record<string, string>>): FakeDisk {
  const disk = new FakeDisk()
  for (const [path, text] of Object.entries(content)) disk.write(path, text)
  return disk
}

/** An answer is asked about, something happens meanwhile, and a person says no. */
async function refuse(meanwhile: (disk: FakeDisk) => void, disk = diskWith(files), settings = {}, commands = {}) {
  const { system } = fakeSystem({ disk, commands })
  const no = (): Answer => {
    meanwhile(disk)
    return 'no'
  }
  const talk = fakeTalk([no, 'no'])
  const outcome = await take(system, { 'src/a.ts': answer, 'src/b.ts': 'B\n' }, { approval: 'no', ...settings }, talk)
  return { outcome, disk, project: disk.text({ journal: false }) }
}

function putAside(disk: FakeDisk): readonly string[] {
  return Object.keys(disk.text()).filter(path => path.includes('/rescue/'))
}

describe('a no to an answer whose file the user edited meanwhile', () => {
  it.each(['write', 'swap'] as const)('takes out only the lines of the answer: %s', async how => {
    const { outcome, disk, project } = await refuse(on => on[how]('src/a.ts', edited))
    expect(project).toEqual({ ...files, 'src/a.ts': merged })
    expect(outcome).toMatchObject({
      restoration: { restored: ['src/b.ts'], merged: ['src/a.ts'], rescued: [], kept: [] },
    })
    expect(putAside(disk)).toEqual([])
    expect(Object.keys(disk.text()).filter(path => /stage|pending/.test(path))).toEqual([])
  })

  it('does so on another file system, too, and leaves nothing beside the place', async () => {
    const disk = new FakeDisk()
    disk.mount('src')
    for (const [path, text] of Object.entries(files)) disk.write(path, text)
    const { project } = await refuse(on => on.write('src/a.ts', edited), disk)
    expect(project).toEqual({ ...files, 'src/a.ts': merged })
  })

  it('leaves the file the permission bits that the user gave it', async () => {
    const { disk } = await refuse(on => on.write('src/a.ts', edited, 0o755))
    expect(disk.tree({ journal: false })).toMatchObject({ 'src/a.ts': { mode: '0755', text: merged } })
  })

  it.each<[string, (disk: FakeDisk) => void, string]>([
    ['the same lines', disk => disk.write('src/a.ts', answer.replace('TWO', 'two and mine')), 'two and mine'],
    ['what is no text', disk => disk.write('src/a.ts', `${answer}\0`), '\0'],
  ])('puts the whole file aside where they cannot be told apart: %s', async (_name, edit, mine) => {
    const { outcome, disk, project } = await refuse(edit)
    expect(project).toEqual(files)
    expect(outcome).toMatchObject({ restoration: { merged: [], rescued: [{ path: 'src/a.ts', rescue }] } })
    expect(disk.readText(rescue)).toContain(mine)
  })

  it('puts the whole file aside where a command has changed the lines of the answer', async () => {
    const post = { effect: (on: FakeDisk) => on.write('src/a.ts', answer.replace('TWO', 'T W O')) }
    const settings = { postCommand: 'format' }
    const { disk, project } = await refuse(
      on => on.write('src/a.ts', `${on.readText('src/a.ts')}mine()\n`),
      diskWith(files),
      settings,
      { format: post },
    )
    expect(project).toEqual(files)
    expect(disk.readText(rescue)).toContain('mine()')
  })

  it('keeps two names of one file together', async () => {
    const disk = diskWith(files)
    disk.link('src/a.ts', 'src/twin.ts')
    const { project } = await refuse(on => on.write('src/a.ts', edited), disk)
    expect(project).toEqual({ ...files, 'src/twin.ts': before })
    disk.write('src/twin.ts', 'both\n')
    expect(disk.readText('src/a.ts')).toBe('both\n')
    expect(disk.readText(rescue)).toBe(edited)
  })

  it('puts aside what is typed once more in the last moment', async () => {
    const { disk, project } = await refuse(on => {
      on.write('src/a.ts', edited)
      on.onCall = (name, path) => {
        if (name !== 'create' || !path.includes('/merged.')) return
        on.onCall = undefined
        on.write('src/a.ts', `${edited}more()\n`)
      }
    })
    expect(project).toEqual(files)
    expect(disk.readText(rescue)).toContain('more()')
  })

  it('needs no room on the disk', async () => {
    const { disk, project } = await refuse(on => {
      on.write('src/a.ts', edited)
      on.onCall = name => {
        if (name === 'create' || name === 'replace' || name === 'append') throw diskError('ENOSPC')
      }
    })
    expect(project).toEqual(files)
    expect(putAside(disk).map(path => disk.readText(path))).toEqual([edited])
  })

  it('leaves no file in between and loses no edit, wherever relay is killed', async () => {
    let from = 0
    const calm = await refuse(on => {
      on.write('src/a.ts', edited)
      from = on.calls
    })
    const seen = new Set<string>()
    await atEach(stepsBetween(from + 1, calm.disk.calls), async step => {
      const disk = diskWith(files)
      await refuse(on => {
        on.write('src/a.ts', edited)
        on.crashAt(step)
      }, disk).catch(() => undefined)
      disk.onCall = undefined
      const { system } = fakeSystem({ disk })
      await recover(layoutOf(disk.root, system.files), system, fakeTalk(['yes', 'yes']))
      const text = disk.readText('src/a.ts')
      seen.add(text)
      expect([before, merged], `step ${step}`).toContain(text)
      expect(disk.readText('src/b.ts')).toBe('b\n')
      const everywhere = [text, ...putAside(disk).map(path => disk.readText(path))].join()
      expect(everywhere, `step ${step}`).toContain('mine()')
    })
    expect([...seen].toSorted()).toEqual([before, merged].toSorted())
  })
})
