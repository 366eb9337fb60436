import { describe, expect, it } from 'vitest'
import { confirmedFiles, judgeAgentFiles, trustAgents } from '../../src/project/agent-files.ts'
import { judgeAgentCommands, judgeCommands, judgePlace, trustProject } from '../../src/project/trust.ts'
import { trustPath } from '../../src/project/trust-file.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeProject } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'

const names = ['.claude/settings.json', '.mcp.json', '.codex', '.env']

/** A user whose number is the fake disk's. */
function world(files: Readonly<Record<string, string>> = {}) {
  const { system, disk } = fakeSystem({ files })
  const doors = { ...system, uid: 1000 }
  const judge = (folder = '/project') => judgeAgentFiles(folder, names, doors)
  const states = async (folder?: string) =>
    Object.fromEntries((await judge(folder)).map(({ folder: at, name, state }) => [`${at}/${name}`, state]))
  const agree = async (folder?: string) => trustAgents(await judge(folder), undefined, doors)
  return { disk, doors, judge, states, agree }
}

describe('the files by which agents go', () => {
  it('are none where there are none', async () => {
    const { disk, judge } = world({ 'README.md': 'x' })
    disk.folder('.codex')
    disk.symlink('/nowhere', '.mcp.json')
    expect(await judge()).toEqual([])
  })

  it('are told with what stands in them', async () => {
    const { judge } = world({ '.mcp.json': '{}\n', '.codex/hooks/b.sh': 'b', '.codex/config.toml': 'a', 'x.json': '' })
    const part = { leadsTo: undefined }
    expect(await judge()).toEqual([
      {
        ...{ folder: '/project', name: '.mcp.json', state: 'new', problem: undefined },
        mark: expect.stringMatching(/^[0-9a-f]{64}$/),
        parts: [{ ...part, path: '.mcp.json', size: 3, text: '{}\n' }],
        contents: new Map([['.mcp.json', Buffer.from('{}\n')]]),
      },
      {
        ...{ folder: '/project', name: '.codex', state: 'new', problem: undefined },
        mark: expect.stringMatching(/^[0-9a-f]{64}$/),
        parts: [
          { ...part, path: '.codex/config.toml', size: 1, text: 'a' },
          { ...part, path: '.codex/hooks/b.sh', size: 1, text: 'b' },
        ],
        contents: new Map([
          ['.codex/config.toml', Buffer.from('a')],
          ['.codex/hooks/b.sh', Buffer.from('b')],
        ]),
      },
    ])
  })

  it('are handed on as they were read, those of folders above first', async () => {
    const { disk, doors, judge } = world({ '.mcp.json': 'own', 'app/.mcp.json': 'app', 'app/.codex/a': 'a' })
    const found = await judge('/project/app')
    disk.write('.mcp.json', 'changed')
    const { root, files } = await confirmedFiles('/project/app', names, found, doors)
    const told = files.map(({ bytes, ...file }) => ({ ...file, text: Buffer.from(bytes).toString() }))
    expect({ root, told }).toEqual({
      root: '/project/app',
      told: [
        { folder: '/project', isAbove: true, path: '.mcp.json', text: 'own' },
        { folder: '/project/app', isAbove: false, path: '.mcp.json', text: 'app' },
        { folder: '/project/app', isAbove: false, path: '.codex/a', text: 'a' },
      ],
    })
  })

  it('are known again, and asked about when a byte changes', async () => {
    const { disk, states, agree } = world({ '.mcp.json': '{}', '.codex/config.toml': 'a' })
    expect(await agree()).toBeUndefined()
    expect(await states()).toEqual({ '/project/.mcp.json': 'confirmed', '/project/.codex': 'confirmed' })
    disk.write('.mcp.json', '{ }')
    disk.write('.claude/settings.json', '{}')
    expect(await states()).toEqual({
      '/project/.claude/settings.json': 'new',
      '/project/.mcp.json': 'changed',
      '/project/.codex': 'confirmed',
    })
  })

  it.each<[string, (disk: ReturnType<typeof world>['disk']) => void]>([
    ['a file in it changes', disk => disk.write('.codex/a', '2')],
    ['a file is added', disk => disk.write('.codex/c', '')],
    ['a file goes', disk => disk.remove('.codex/b/d')],
    ['a file moves', disk => disk.rename('.codex/b/d', '.codex/b/e')],
    [
      'it becomes a file',
      disk => {
        disk.remove('.codex')
        disk.write('.codex', '1')
      },
    ],
    [
      'a file becomes a link to the same',
      disk => {
        disk.remove('.codex/a')
        disk.write('x', '1')
        disk.symlink('../x', '.codex/a')
      },
    ],
    [
      'it becomes a link to the same',
      disk => {
        disk.rename('.codex', 'other')
        disk.symlink('other', '.codex')
      },
    ],
  ])('are a folder that is asked about again when %s', async (_, change) => {
    const { disk, states, agree } = world({ '.codex/a': '1', '.codex/b/d': '2' })
    await agree()
    change(disk)
    expect(await states()).toEqual({ '/project/.codex': 'changed' })
  })

  it('are those of each folder above as well, and of the home none', async () => {
    const { states, agree } = world({
      '/home/me/work/app/src/.mcp.json': '1',
      '/home/me/work/.mcp.json': '2',
      '/home/me/.mcp.json': '3',
      '/home/.env': '4',
      '/home/me/work/other/.mcp.json': '5',
    })
    const found = { '/home/me/work/.mcp.json': 'new', '/home/.env': 'new' }
    expect(await states('/home/me/work/app/src')).toEqual({ '/home/me/work/app/src/.mcp.json': 'new', ...found })
    expect(await states('/home/me')).toEqual({ '/home/me/.mcp.json': 'new', '/home/.env': 'new' })
    // An agreement holds for the folder in which a file lies.
    await agree('/home/me/work/app/src')
    expect(await states('/home/me/work/other')).toEqual({
      '/home/me/work/other/.mcp.json': 'new',
      '/home/me/work/.mcp.json': 'confirmed',
      '/home/.env': 'confirmed',
    })
  })

  it('are named as they are seen from where the agent works', async () => {
    const { judge } = world({ '.mcp.json': '{}', 'app/a.ts': '' })
    const paths = (await judge('/project/app')).flatMap(({ parts }) => parts.map(({ path }) => path))
    expect(paths).toEqual(['../.mcp.json'])
  })

  it('tell where a link leads, what is there, and show it only where it is in the project', async () => {
    const { disk, judge, states, agree } = world({ 'tools/mcp.json': '{}', '/home/me/.ssh/id': 'secret' })
    disk.symlink('tools/mcp.json', '.mcp.json')
    disk.folder('.claude')
    disk.symlink('/home/me/.ssh/id', '.claude/settings.json')
    expect((await judge()).flatMap(({ parts }) => parts)).toEqual([
      { path: '.claude/settings.json', size: 6, leadsTo: '/home/me/.ssh/id', text: undefined },
      { path: '.mcp.json', size: 2, leadsTo: '/project/tools/mcp.json', text: '{}' },
    ])
    await agree()
    disk.write('tools/mcp.json', '{ }')
    disk.write('/home/me/.ssh/other', 'secret')
    disk.remove('.claude/settings.json')
    disk.symlink('/home/me/.ssh/other', '.claude/settings.json')
    expect(await states()).toEqual({ '/project/.claude/settings.json': 'changed', '/project/.mcp.json': 'changed' })
  })

  it('are followed through a folder that is a link', async () => {
    const { disk, judge } = world({ '/elsewhere/settings.json': '{}' })
    disk.symlink('/elsewhere', '.claude')
    expect((await judge()).map(({ name, parts }) => [name, parts[0]?.leadsTo])).toEqual([
      ['.claude/settings.json', '/elsewhere/settings.json'],
    ])
  })

  it.each(['\u0000{}', Buffer.from([0xff, 0x7b])])('show no bytes that are no text', async bytes => {
    const { disk, judge } = world()
    disk.write('.mcp.json', bytes)
    expect((await judge())[0]?.parts[0]).toMatchObject({ text: undefined })
  })

  it('show nothing that is made to hold secrets, by whatever name it is reached', async () => {
    const { disk, judge } = world({ '.env': 'KEY=1', 'keys.txt': 'KEY=1' })
    disk.symlink('.env', '.mcp.json')
    disk.folder('app')
    disk.symlink('../keys.txt', 'app/.env')
    const texts = (await judge('/project/app')).flatMap(({ parts }) => parts.map(({ path, text }) => [path, text]))
    expect(texts).toEqual([
      ['.env', undefined],
      ['../.mcp.json', undefined],
      ['../.env', undefined],
    ])
  })

  it.each<[string, string, (disk: ReturnType<typeof world>['disk']) => void]>([
    [
      'of too many files',
      'it holds more than 200 files',
      disk => {
        for (let at = 0; at < 201; at++) disk.write(`.codex/${at}`, '')
      },
    ],
    [
      'that is too large',
      'it holds more than 5 MB',
      disk => {
        for (const at of [1, 2]) disk.write(`.codex/${at}`, 'x'.repeat(2_500_001))
      },
    ],
    [
      'that has no end',
      'it holds more than 200 files',
      disk => {
        disk.folder('.codex')
        disk.symlink('.', '.codex/a')
        disk.symlink('.', '.codex/b')
      },
    ],
    [
      'with a pipe in it',
      '.codex/p is no file',
      disk => {
        disk.folder('.codex')
        disk.fifo('.codex/p')
      },
    ],
    [
      'that cannot be read',
      'Cannot read .codex/x: permission denied',
      disk => {
        disk.write('.codex/x', '')
        disk.onCall = (name, path) => {
          if (name === 'read' && path.endsWith('/x')) throw diskError('EACCES')
        }
      },
    ],
  ])('are changed each time in a folder %s', async (_, problem, make) => {
    const { disk, judge, states, agree } = world()
    make(disk)
    expect(await judge()).toMatchObject([{ name: '.codex', state: 'changed', mark: undefined, problem }])
    await agree()
    expect(await states()).toEqual({ '/project/.codex': 'changed' })
  })

  it('may be 200, and 5 MB', async () => {
    const { disk, states, agree } = world()
    for (let at = 0; at < 200; at++) disk.write(`.codex/${at}`, 'x'.repeat(25_000))
    await agree()
    expect(await states()).toEqual({ '/project/.codex': 'confirmed' })
  })

  it('are not called new where what was agreed to cannot be read', async () => {
    const { disk, states, agree } = world({ '.mcp.json': '{}' })
    await agree()
    disk.onCall = (name, path) => {
      if (name === 'read' && path.includes('/trust/')) throw diskError('EMFILE')
    }
    expect(await states()).toEqual({ '/project/.mcp.json': 'unknown' })
  })
})

describe('what is agreed to for agents', () => {
  const agents = {
    local: { command: 'llm' },
    mine: { like: 'claude', command: 'npx mine', model: 'opus', args: ['--x', 'a b'] },
  } as const
  const project = fakeProject({ linter: 'lint', agents })

  it('is each command whole, of those agents alone that are asked', async () => {
    const { doors } = world({ 'package.json': '{"scripts": {"llm": "node x.js"}}' })
    const named = fakeProject({ agents: { ...agents, run: { command: 'npm run llm' } } })
    expect(await judgeAgentCommands(named, { names: ['mine', 'run', 'claude'], mayWrite: false }, doors)).toEqual([
      { key: 'agents.mine', command: 'npx mine "$@" --x "a b" (as claude with opus)', scripts: [], state: 'new' },
      { key: 'agents.run', command: 'npm run llm', scripts: [['llm', 'node x.js']], state: 'new' },
    ])
  })

  it.each([
    { ...agents.mine, command: 'npx other' },
    { ...agents.mine, like: 'codex' as const },
    { ...agents.mine, model: 'haiku' },
    { ...agents.mine, args: ['--x', 'a', 'b'] },
    { command: 'npx mine' },
  ])('is asked about again when it becomes %j', async changed => {
    const { doors } = world()
    const commands = await judgeAgentCommands(project, { names: ['mine'], mayWrite: false }, doors)
    await trustAgents([], { root: '/project', commands }, doors)
    expect(await judgeAgentCommands(project, { names: ['mine'], mayWrite: false }, doors)).toMatchObject([
      { state: 'confirmed' },
    ])
    const other = fakeProject({ agents: { mine: changed } })
    expect(await judgeAgentCommands(other, { names: ['mine'], mayWrite: false }, doors)).toMatchObject([
      { state: 'changed' },
    ])
  })

  it('stands beside what is agreed to for the commands and the place, and neither forgets the other', async () => {
    const { disk, doors, judge, states } = world({ '.mcp.json': '{}' })
    disk.chmod('/project', 0o777)
    await trustProject(project, await judgePlace('/project', doors), doors)
    const commands = await judgeAgentCommands(project, { names: ['local'], mayWrite: false }, doors)
    await trustAgents(await judge(), { root: '/project', commands }, doors)
    const all = async () => ({
      commands: await judgeCommands(project, doors),
      agents: await judgeAgentCommands(project, { names: ['local'], mayWrite: false }, doors),
      place: await judgePlace('/project', doors),
      files: await states(),
    })
    const expected = {
      commands: [{ key: 'linter', command: 'lint', scripts: [], state: 'confirmed' }],
      agents: [{ key: 'agents.local', command: 'llm', scripts: [], state: 'confirmed' }],
      place: [],
      files: { '/project/.mcp.json': 'confirmed' },
    }
    expect(await all()).toEqual(expected)
    await trustProject(project, [], doors)
    expect(await all()).toEqual(expected)
  })

  it('is read from a file of an earlier relay, which knew none of it', async () => {
    const { disk, doors, states } = world({ '.mcp.json': '{}' })
    await trustProject(project, [], doors)
    const path = trustPath(doors.stateFolder ?? '', '/project')
    const { files, ...earlier } = JSON.parse(disk.readText(path))
    expect(files).toEqual({})
    disk.write(path, JSON.stringify(earlier))
    expect(await judgeCommands(project, doors)).toMatchObject([{ key: 'linter', state: 'confirmed' }])
    expect(await states()).toEqual({ '/project/.mcp.json': 'new' })
  })

  it('cannot be remembered without a home, and that is said', async () => {
    const { doors, judge } = world({ '.mcp.json': '{}' })
    const without = { ...doors, stateFolder: undefined }
    expect(await trustAgents(await judge(), undefined, without)).toMatch(/no home folder/)
  })
})
