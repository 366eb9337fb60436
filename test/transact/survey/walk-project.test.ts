import { describe, expect, it } from 'vitest'
import { relay } from '../../../src/flows/relay.ts'
import type { FakeDisk } from '../../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { respond } from '../../support/respond.ts'

/** A project in which what is in one folder alone is too much to look at, and whose commands may change files. */
function world(post: string[] = [], path = 'lib/deep/a.ts') {
  const files = Object.fromEntries(Array.from({ length: 25_001 }, (_, at) => [`data/wide/${at}`, '']))
  const change = (disk: FakeDisk) => {
    for (const path of post) disk.write(path, 'new\n')
  }
  const made = fakeSystem({
    files: { ...files, 'lib/deep/a.ts': 'a\n' },
    commands: { lint: {}, post: { effect: change } },
  })
  const looks: string[] = []
  const talk = fakeTalk()
  const apply = (settings: Parameters<typeof fakeProject>[0], onLook: (path: string) => void = () => undefined) => {
    made.disk.onCall = (name, path) => {
      if (name === 'list' || name === 'stat') looks.push(path)
      onLook(path)
    }
    const response = { source: 'stdin', text: respond({ [path]: 'b\n' }) } as const
    return relay(response, fakeProject(settings), made.system, talk)
  }
  return { ...made, looks, talk, apply }
}

describe('a look at all files of a large project', () => {
  it('ends before the files of a folder that are too many, and is not begun once more for the same patch', async () => {
    const { apply, looks, talk } = world()
    expect(await apply({ linter: 'lint' })).toMatchObject({ kind: 'committed', checked: true })
    expect(looks.filter(path => path.includes('/data/wide/'))).toEqual([])
    expect(looks.filter(path => path.endsWith('/data/wide'))).toHaveLength(2)
    expect(talk.told).toContainEqual(expect.objectContaining({ kind: 'checked', step: 'lint' }))
  })

  it('finds what a post command changed beside the patch first, and says that there may be more', async () => {
    const { apply, talk } = world(['lib/deep/b.ts', 'top.ts', 'data/wide/1'])
    await apply({ postCommand: 'post' })
    expect(talk.told).toContainEqual(
      expect.objectContaining({
        kind: 'command-ended',
        step: 'post',
        alsoChanged: ['lib/deep/b.ts', 'top.ts'],
        alsoPart: true,
      }),
    )
  })

  it('finds it also beside a folder that is too much by itself, where the patch is', async () => {
    const { apply, talk } = world(['top.ts'], 'data/wide/1')
    await apply({ postCommand: 'post' })
    const ended = { kind: 'command-ended', step: 'post', alsoChanged: ['top.ts'], alsoPart: true }
    expect(talk.told).toContainEqual(expect.objectContaining(ended))
  })

  it('has looked at no more than its bound where all folders together are too much', async () => {
    const { apply, disk, looks } = world()
    for (let at = 0; at < 60_000; at++) disk.write(`more/${at % 100}/${at}`, '')
    await apply({ postCommand: 'post' })
    const inFolders = looks.filter(path => /\/more\/\d+\/\d+$/.test(path))
    expect(inFolders.length).toBeGreaterThan(24_000)
    expect(inFolders.length).toBeLessThan(25_000)
  })

  it('begins once the screen says what it is for', async () => {
    const { apply, talk } = world()
    let told: unknown
    await apply({ linter: 'lint' }, path => {
      if (path.endsWith('/data')) told ??= talk.told.at(-1)
    })
    expect(told).toEqual({ kind: 'step-started', step: 'lint', command: 'lint' })
  })

  it.each([
    ['before the linter runs again', { linter: 'lint' }, 1],
    ['after the post command', { postCommand: 'post' }, 0],
  ])('ends with Ctrl+C, %s', async (_when, settings, linted) => {
    const { apply, disk, interrupt, looks, shell } = world()
    for (let at = 0; at < 20_000; at++) disk.write(`more/${at}`, '')
    const outcome = await apply(settings, path => {
      if (path.endsWith('/more/0')) interrupt()
    })
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'interrupted' } })
    expect(looks.filter(path => path.includes('/more/')).length).toBeLessThan(100)
    expect(shell.ran.filter(({ command }) => command === 'lint')).toHaveLength(linted)
    expect(disk.readText('lib/deep/a.ts')).toBe('a\n')
  })
})
