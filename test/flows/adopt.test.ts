import { describe, expect, it } from 'vitest'
import type { AgentChange } from '../../src/model/agent-changes.ts'
import type { AnswerOverlap } from '../../src/model/stale.ts'
import type { FakeDisk } from '../support/fake-disk.ts'
import { fakeTalk } from '../support/fake-project.ts'
import type { Behaviour } from '../support/fake-shell.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { type AdoptOptions, adoptIn, change, linkTo, program } from '../support/made.ts'
import { respond } from '../support/respond.ts'
import { githubToken } from '../support/secrets.ts'
import { take } from '../support/take.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'
const made = base.replace('five', '5')
const binary = (byte: number) => Uint8Array.of(0, 255, byte)

/** A project with some files of each kind; `edit` is what the user did since the agent began. */
function world(edit: (disk: FakeDisk) => void = () => {}) {
  const world = fakeSystem({ files: { 'src/a.ts': base, 'src/b.ts': 'b\n', 'logo.png': binary(1) } })
  world.disk.write('run.sh', 'echo 1\n', 0o750)
  world.disk.symlink('src/a.ts', 'link.ts')
  edit(world.disk)
  return world
}

/** A change of each kind. */
const everyKind = [
  change('src/a.ts', base, made),
  change('src/b.ts', 'b\n', linkTo('a.ts')),
  change('src/new/c.ts', null, 'c\n'),
  change('src/new/lib', null, linkTo('..')),
  change('logo.png', binary(1), binary(2)),
  change('run.sh', program('echo 1\n'), null),
  change('bin/run', null, program('echo 1\n')),
  change('link.ts', linkTo('src/a.ts'), 'text\n'),
]

/** What stands at the paths of some changes afterwards: a text with its permission bits, a link, or nothing. */
async function landed(
  changes: readonly AgentChange[],
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
  it.each<[string, readonly AgentChange[], Parameters<typeof world>[0], unknown]>([
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

  it.each<[string, AgentChange, string]>([
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

  const write = (path: string, content: string | Uint8Array) => (disk: FakeDisk) => disk.write(path, content)
  const remove = (path: string) => (disk: FakeDisk) => disk.remove(path)
  const relink = (path: string, to: string) => (disk: FakeDisk) => {
    disk.remove(path)
    disk.symlink(to, path)
  }

  describe.each<[string, AgentChange, (disk: FakeDisk) => void, AnswerOverlap['why'], string | null, string | null]>([
    [
      'the same line',
      change('src/a.ts', base, made),
      write('src/a.ts', base.replace('five', 'V')),
      'text',
      `${base.replace('five', 'V')} 0644`,
      `${made} 0644`,
    ],
    [
      'no text',
      change('logo.png', binary(1), binary(2)),
      write('logo.png', binary(3)),
      'binary',
      'AP8D 0644',
      'AP8C 0644',
    ],
    [
      'a file that the user changed and the agent removed',
      change('src/b.ts', 'b\n', null),
      write('src/b.ts', 'mine\n'),
      'edited-since',
      'mine\n 0644',
      null,
    ],
    [
      'a file that the user removed and the agent changed',
      change('src/b.ts', 'b\n', 'B\n'),
      remove('src/b.ts'),
      'deleted-since',
      null,
      'B\n 0644',
    ],
    [
      'a file that both made',
      change('src/c.ts', null, 'c\n'),
      write('src/c.ts', 'mine\n'),
      'made-since',
      'mine\n 0644',
      'c\n 0644',
    ],
    [
      'a link',
      change('link.ts', linkTo('src/a.ts'), linkTo('src/b.ts')),
      relink('link.ts', 'logo.png'),
      'link',
      '-> logo.png',
      '-> src/b.ts',
    ],
    [
      'a link in the place of a file',
      change('src/b.ts', 'b\n', 'B\n'),
      relink('src/b.ts', 'a.ts'),
      'link',
      '-> a.ts',
      'B\n 0644',
    ],
  ])('that overlaps with the edits of the user: %s', (_, one, edit, why, mine, theirs) => {
    const other = change('src/new.ts', null, 'new\n')

    it('is asked about before anything is written', async () => {
      const overlaps = await landed([one, other], edit)
      expect(overlaps).toMatchObject([{ path: one.path, why, since: 'codex began', by: 'codex' }])
      expect(overlaps).toHaveLength(1)
    })

    it.each([
      ['mine', mine],
      ['model', theirs],
    ] as const)('is settled by %s, and the rest lands as well', async (choice, expected) => {
      const both = [expected, 'new\n 0644']
      const [shown] = (await landed([one, other], edit)) as readonly [AnswerOverlap]
      const choices = new Map([[one.path, { choice, shown }]])
      expect(await landed([one, other], edit, { choices })).toEqual(both)
      expect(await landed([one, other], edit, { onOverlap: choice })).toEqual(both)
    })
  })

  it('can stand in one file with the text of the user, between markers', async () => {
    const talk = fakeTalk(['yes'])
    const edit = write('src/a.ts', base.replace('five', 'V'))
    expect(await landed([change('src/a.ts', base, made)], edit, { onOverlap: 'markers', talk })).toEqual([
      `${base.replace('five', '<<<<<<< your edit, after codex began\nV\n=======\n5\n>>>>>>> codex')} 0644`,
    ])
    expect(talk.questions).toMatchObject([{ reasons: [{ kind: 'marked', paths: ['src/a.ts'] }] }])
  })

  it('is asked about where the edits of the user are in it and no linter looks', async () => {
    const talk = fakeTalk(['no'])
    const edit = write('src/a.ts', base.replace('one', '1'))
    expect(await landed([change('src/a.ts', base, made)], edit, { talk })).toBe('rolled-back')
    expect(talk.questions).toMatchObject([
      { reasons: [{ kind: 'merged', paths: ['src/a.ts'] }], changes: [{ path: 'src/a.ts' }], canFollowUp: false },
    ])
  })

  it('is a conflict where the user changes it while relay works', async () => {
    const there = world()
    there.shell.commands.set('prepare', { effect: disk => disk.write('src/new.ts', 'mine\n') })
    const config = { preCommand: 'prepare' }
    const outcome = await adoptIn(there, [change('src/new.ts', null, 'new\n')], { config })
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ code: 'changed-meanwhile', path: 'src/new.ts' }] })
    expect(there.disk.text({ journal: false })).toMatchObject({ 'src/new.ts': 'mine\n' })
  })

  it.each<[string, readonly AgentChange[], readonly string[]]>([
    ['a file that runs by itself', [change('.husky/pre-commit', null, 'x\n')], ['.husky/pre-commit']],
    ['instructions for agents', [change('AGENTS.md', null, 'x\n')], ['AGENTS.md']],
    ['a link with such a name', [change('CLAUDE.md', null, linkTo('src/a.ts'))], ['CLAUDE.md']],
    ['a new program', [change('bin/c', null, program('x\n'))], ['bin/c']],
    [
      'a program made of a file that it moved',
      [change('src/b.ts', 'b\n', null), change('bin/b.ts', null, program('b\n'))],
      ['bin/b.ts'],
    ],
  ])('with %s is asked about before anything runs, and stays out after a no', async (_, changes, paths) => {
    const there = world()
    const before = there.disk.tree({ journal: false })
    const talk = fakeTalk([
      () => {
        expect(there.disk.tree({ journal: false })).toEqual(before)
        return 'no'
      },
    ])
    const config = { preCommand: 'prepare', postCommand: 'format', linter: 'lint' }
    const outcome = await adoptIn(there, [...changes, change('src/a.ts', base, made)], { talk, config })
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
    expect(talk.questions).toMatchObject([{ kind: 'sensitive', reasoning: ['I added the switch. It works.'] }])
    expect(talk.questions[0]).toHaveProperty(
      'flags',
      paths.map(path => expect.objectContaining({ flag: 'sensitive-path', path })),
    )
    expect(there.shell.ran).toEqual([])
    expect(there.disk.tree({ journal: false })).toEqual(before)
  })

  const many = (from: string, to?: string) =>
    Array.from({ length: 11 }, (_, at) => [
      change(`${from}/${at}.ts`, `${at}\n`, null),
      ...(to === undefined ? [] : [change(`${to}/${at}.ts`, null, `${at}\n`)]),
    ]).flat()
  const eleven = (disk: FakeDisk) => {
    for (let at = 0; at < 11; at++) disk.write(`old/${at}.ts`, `${at}\n`)
  }

  it.each<[string, readonly AgentChange[], readonly string[]]>([
    ['deletes many files', many('old'), ['mass-delete']],
    ['moves them', many('old', 'new'), []],
    ['hides errors', [change('src/a.ts', base, `// @ts-ignore\n${base}`)], ['hidden-errors']],
    [
      'moves a file with such a sign in it',
      [change('hidden.ts', '// @ts-ignore\none()\n', null), change('src/h.ts', null, '// @ts-ignore\none()\n')],
      [],
    ],
    ['has what a chat loses', [change('src/a.ts', base, '// ... rest of the code\n')], []],
  ])('raises no doubts but its own where it %s', async (_, changes, flags) => {
    const there = world(disk => {
      eleven(disk)
      disk.write('hidden.ts', '// @ts-ignore\none()\n')
    })
    there.shell.commands.set('lint', {})
    const talk = fakeTalk(['no'])
    const outcome = await adoptIn(there, changes, { talk, config: { linter: 'lint' } })
    expect(outcome.kind).toBe(flags.length === 0 ? 'committed' : 'rolled-back')
    const asked = talk.questions.flatMap(each => {
      if (each.kind === 'sensitive') return each.flags
      return 'reasons' in each ? each.reasons.flatMap(reason => (reason.kind === 'flag' ? [reason.flag] : [])) : []
    })
    expect(asked).toEqual(flags.map(flag => expect.objectContaining({ flag })))
  })

  const token = `const token = '${githubToken}'\n`
  it.each<[string, AgentChange, readonly string[]]>([
    ['a new file', change('src/t.ts', null, `// one\n${token}`), ['line 2 seems to hold a secret: GITHUB_TOKEN']],
    [
      'a file that had none',
      change('src/a.ts', base, `${base}${token}`),
      ['line 6 seems to hold a secret: GITHUB_TOKEN'],
    ],
    ['another place of a file that had it', change('src/t.ts', token, `// one\n  ${token}`), []],
    ['a fixture that says so', change('src/t.ts', null, `// secretlint-disable\n${token}`), []],
  ])('that brings a secret into %s is asked about for that, before anything runs', async (_, made, reasons) => {
    const there = world(disk => made.base && disk.write('src/t.ts', token))
    there.shell.commands.set('lint', {})
    const talk = fakeTalk(['no'])
    const outcome = await adoptIn(there, [made], { talk, config: { linter: 'lint' } })
    expect(outcome.kind).toBe(reasons.length === 0 ? 'committed' : 'rolled-back')
    expect(talk.questions.flatMap(each => ('flags' in each ? each.flags : []))).toMatchObject(
      reasons.map(reason => ({ flag: 'secret', path: made.path, reason })),
    )
    if (reasons.length > 0) expect(there.shell.ran).toEqual([])
  })

  it('is asked about once where it touches sensitive files, brings a secret and deletes many files', async () => {
    const there = world(eleven)
    const talk = fakeTalk(['yes'])
    const changes = [...many('old'), change('.husky/pre-commit', null, 'x\n'), change('src/t.ts', null, token)]
    expect(await adoptIn(there, changes, { talk })).toMatchObject({ kind: 'committed', by: 'auto' })
    expect(talk.questions).toMatchObject([
      { kind: 'sensitive', flags: [{ flag: 'sensitive-path' }, { flag: 'mass-delete' }, { flag: 'secret' }] },
    ])
  })

  it('is taken back where the linter finds new errors and nobody agrees', async () => {
    const there = world()
    const before = there.disk.tree({ journal: false })
    there.shell.commands.set('lint', [{ exit: 0 }, { exit: 3 }])
    const outcome = await adoptIn(there, everyKind, { talk: fakeTalk(['yes', 'no']), config: { linter: 'lint' } })
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
    expect(there.disk.tree({ journal: false })).toEqual(before)
  })

  it('is taken by a person who applies it, and named, although the check ran no test', async () => {
    const there = world()
    there.shell.commands.set('lint', [
      { exit: 0, output: '# pass 3\n' },
      { exit: 0, output: '# pass 0\n' },
    ])
    const config = { linter: 'lint' }
    const changes = [change('src/a.ts', base, made)]
    expect(await adoptIn(there, changes, { config })).toMatchObject({ kind: 'committed', by: 'auto', ranNoTest: true })
  })

  it.each([
    ['yes', 'committed'],
    ['no', 'declined'],
  ] as const)('is settled for good under its uuid: %s', async (answer, state) => {
    const there = world()
    const made = { uuid: '0d7a4c5e-0000-4000-8000-000000000001', config: { approval: 'no' } } as const
    const changes = [change('src/a.ts', base, 'other\n')]
    await adoptIn(there, changes, { ...made, talk: fakeTalk([answer]) })
    const tree = there.disk.tree()
    const again = await adoptIn(there, changes, { ...made, talk: fakeTalk([]) })
    expect(again).toMatchObject({ kind: 'skipped', number: 1, state })
    expect(there.disk.tree()).toEqual(tree)
  })

  it('is tried again under its uuid where nothing was settled', async () => {
    const there = world()
    const made = { uuid: '0d7a4c5e-0000-4000-8000-000000000001', config: { approval: 'no' } } as const
    const changes = [change('src/a.ts', base, 'other\n')]
    there.shell.commands.set('post', [{ exit: 1 }, { exit: 0 }])
    const config = { postCommand: 'post', approval: 'no' } as const
    expect(await adoptIn(there, changes, { ...made, config })).toMatchObject({ kind: 'rolled-back' })
    expect(await adoptIn(there, changes, { ...made, config, talk: fakeTalk(['yes']) })).toMatchObject({
      kind: 'committed',
    })
  })
})

describe('the commands that run the work of an agent', () => {
  const env = { PATH: '/usr/bin', DB_PASSWORD: 'x', GITHUB_TOKEN: 'x' }
  const there = (lint: Behaviour) => fakeSystem({ files: { 'src/a.ts': base }, env, commands: { lint } })
  const changes = [change('src/a.ts', base, made)]

  it('get no secrets but those that `checkout.env` names, before the change as after it', async () => {
    const one = there({})
    const config = {
      linter: 'lint',
      preCommand: 'lint',
      postCommand: 'lint',
      checkout: { ...none, env: ['DB_PASSWORD'] },
    }
    expect((await adoptIn(one, changes, { config })).kind).toBe('committed')
    const envs = one.shell.ran.map(({ env: given }) => [
      'GITHUB_TOKEN' in given,
      given['GITHUB_TOKEN'],
      'DB_PASSWORD' in given,
    ])
    expect(envs).toEqual(Array.from({ length: 4 }, () => [true, undefined, false]))
  })

  it('say what they did not get where they fail', async () => {
    const talk = fakeTalk(['no'])
    const one = there([{}, { exit: 1, output: 'no database' }])
    await adoptIn(one, changes, { config: { linter: 'lint' }, talk })
    const checks = talk.told.filter(progress => progress.kind === 'checked')
    expect(checks.map(({ without }) => without)).toEqual([undefined, ['DB_PASSWORD', 'GITHUB_TOKEN']])
  })

  it('are not spared by a check that had them', async () => {
    const one = there({})
    const text = respond({ 'src/b.ts': '1' })
    await take(one.system, text, { linter: 'lint' }, fakeTalk(['yes']))
    await adoptIn(one, changes, { config: { linter: 'lint' } })
    expect(one.shell.ran.map(({ env: given }) => given['RELAY_PHASE'])).toEqual(['base', 'lint', 'base', 'lint'])
  })
})

const none = { setup: '', link: [], copy: [], env: [], fresh: false }
