import { describe, expect, it } from 'vitest'
import type { MadeChange } from '../../src/model/made.ts'
import { fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { type AdoptOptions, adoptIn, change, linkTo, program } from '../support/made.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'
const made = base.replace('five', '5')
const binary = (byte: number) => Uint8Array.of(0, 255, byte)

/** A project with some files of each kind; `edit` is what the user did since the agent began. */
function world(edit: (disk: ReturnType<typeof fakeSystem>['disk']) => void = () => {}) {
  const world = fakeSystem({ files: { 'src/a.ts': base, 'src/b.ts': 'b\n', 'logo.png': binary(1) } })
  world.disk.write('run.sh', 'echo 1\n', 0o750)
  world.disk.symlink('src/a.ts', 'link.ts')
  edit(world.disk)
  return world
}

/** What stands at the paths of some changes afterwards: a text with its permission bits, a link, or nothing. */
async function landed(
  changes: readonly MadeChange[],
  edit?: Parameters<typeof world>[0],
  options: AdoptOptions = {},
): Promise<unknown> {
  const there = world(edit)
  const before = there.disk.tree({ journal: false })
  const outcome = await adoptIn(there, changes, { talk: fakeTalk(['yes', 'yes']), ...options })
  const tree = there.disk.tree({ journal: false })
  if (outcome.kind !== 'committed') {
    expect(tree).toEqual(before)
    if (outcome.kind === 'refused') return outcome.problems.map(({ code }) => code)
    if (outcome.kind === 'overlap') return outcome.overlaps
    return outcome.kind
  }
  return changes.map(({ path }) => {
    const found = tree[path]
    if (found?.kind === 'link') return `-> ${found.to}`
    if (found?.kind !== 'file') return found?.kind ?? null
    return `${'text' in found ? found.text : found.base64} ${found.mode}`
  })
}

describe('what was made elsewhere', () => {
  it.each<[string, readonly MadeChange[], Parameters<typeof world>[0], unknown]>([
    ['a changed file', [change('src/a.ts', base, made)], undefined, [`${made} 0644`]],
    ['a new file', [change('src/new/c.ts', null, 'c\n')], undefined, ['c\n 0644']],
    ['a new program', [change('bin/c.sh', null, program('c\n'))], undefined, ['c\n 0755']],
    ['a removed file', [change('src/a.ts', base, null)], undefined, [null]],
    ['bytes that are no text', [change('logo.png', binary(1), binary(2))], undefined, ['AP8C 0644']],
    ['a file that becomes a program', [change('src/b.ts', 'b\n', program('b\n'))], undefined, ['b\n 0755']],
    [
      'a changed program, with the permission bits of the user',
      [change('run.sh', program('echo 1\n'), program('echo 2\n'))],
      undefined,
      ['echo 2\n 0750'],
    ],
    ['a program no more', [change('run.sh', program('echo 1\n'), 'echo 2\n')], undefined, ['echo 2\n 0640']],
    ['a new link', [change('src/to-b.ts', null, linkTo('../src/b.ts'))], undefined, ['-> ../src/b.ts']],
    ['a link to a folder', [change('lib', null, linkTo('src'))], undefined, ['-> src']],
    ['a link to what is not there yet', [change('lib', null, linkTo('dist'))], undefined, ['-> dist']],
    ['another link', [change('link.ts', linkTo('src/a.ts'), linkTo('src/b.ts'))], undefined, ['-> src/b.ts']],
    ['a link that becomes a file', [change('link.ts', linkTo('src/a.ts'), 'x\n')], undefined, ['x\n 0644']],
    ['a file that becomes a link', [change('src/b.ts', 'b\n', linkTo('a.ts'))], undefined, ['-> a.ts']],
    ['a removed link', [change('link.ts', linkTo('src/a.ts'), null)], undefined, [null]],
    ['another name', [change('src/b.ts', 'b\n', null), change('src/c.ts', null, 'b\n')], undefined, [null, 'b\n 0644']],
    [
      'merged with the edits of the user',
      [change('src/a.ts', base, made)],
      disk => disk.write('src/a.ts', base.replace('one', '1')),
      [`${made.replace('one', '1')} 0644`],
    ],
    [
      'that the user made as well',
      [change('src/a.ts', base, made), change('src/c.ts', null, 'c\n'), change('src/b.ts', 'b\n', null)],
      disk => {
        disk.write('src/a.ts', made)
        disk.remove('src/b.ts')
      },
      [`${made} 0644`, 'c\n 0644', null],
    ],
    [
      'with the permission bits that the user gave meanwhile',
      [change('src/a.ts', base, made)],
      disk => disk.chmod('src/a.ts', 0o600),
      [`${made} 0600`],
    ],
    [
      'without bits that lend rights',
      [change('bin/c', null, { kind: 'file', bytes: Buffer.from('c'), mode: 0o6777 })],
      undefined,
      ['c 0755'],
    ],
    ['nothing new', [change('src/a.ts', base, made)], disk => disk.write('src/a.ts', made), 'unchanged'],
    ['nothing', [], undefined, 'unchanged'],
  ])('comes home: %s', async (_, changes, edit, expected) => {
    expect(await landed(changes, edit)).toEqual(expected)
  })

  it.each<[string, MadeChange, string]>([
    ['a path outside', change('../a.ts', null, 'x'), 'path-outside'],
    ['git’s folder', change('.git/hooks/post-commit', null, program('x')), 'path-protected'],
    ['relay’s folder', change('.relaycode/lock', null, 'x'), 'path-protected'],
    ['a name that is two on other systems', change('src\\a.ts', null, 'x'), 'path-character'],
    ['what the project denies', change('src/secret.ts', null, 'x'), 'denied'],
    ['a file that is too large', change('src/c.ts', null, 'x'.repeat(2000)), 'file-too-large'],
    ['a folder in its place', change('src', null, 'x'), 'folder-in-the-way'],
    ['a link out of the project', change('lib', null, linkTo('../other')), 'link-outside'],
    ['a link out of it by way of a folder', change('src/lib', null, linkTo('../../other')), 'link-outside'],
    ['a link to a whole path', change('lib', null, linkTo('/etc')), 'link-outside'],
    ['a link that goes up again', change('lib', null, linkTo('src/../..')), 'link-outside'],
    ['a link by way of one that leads out', change('lib', null, linkTo('out/etc')), 'link-outside'],
    ['a link by way of one that leads nowhere', change('lib', null, linkTo('gone')), 'link-outside'],
    ['a link into git’s folder', change('lib', null, linkTo('.git/hooks')), 'path-protected'],
    ['a path that a link leads out', change('out/a.ts', null, 'x'), 'leads-outside'],
  ])('is refused with %s', async (_, one, code) => {
    const policy = { ask: [], deny: ['**/secret.ts'], allowDeletes: true }
    const limits = { responseBytes: 1000, files: 10, fileBytes: 1000, pathLength: 100 }
    const edit: Parameters<typeof world>[0] = disk => {
      disk.symlink('/', 'out')
      disk.symlink('/nowhere', 'gone')
    }
    const changes = [change('src/b.ts', 'b\n', 'b2\n'), one]
    expect(await landed(changes, edit, { config: { policy, limits } })).toEqual([code])
  })
})
