import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { RelayError } from '../../src/errors.ts'
import { initProject } from '../../src/project/init-project.ts'
import { loadProject } from '../../src/project/load-project.ts'
import { failure } from '../support/failure.ts'
import { diskError, FakeDisk } from '../support/fake-disk.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'

const config = (projectId: string, linter = '') => `{
  "projectId": ${JSON.stringify(projectId)},
  "clipboardPollInterval": 2000,
  "approval": "yes",
  "approvalOnErrorCount": 0,
  "linter": "${linter}",
  "preCommand": "",
  "postCommand": ""
}
`

function world(files: FakeSystemOptions['files'] = {}, options: FakeSystemOptions = {}) {
  return fakeSystem({ files, ...options })
}

it('names the schema where an installed package has it', async () => {
  const installed = 'node_modules/relaycode/docs/relaycode.config.schema.json'
  const { system, disk } = fakeSystem({ files: { [installed]: '{}' } })
  await initProject(system)
  expect(JSON.parse(disk.readText('relaycode.config.json'))).toMatchObject({ $schema: `./${installed}` })
})

describe('initProject', () => {
  it('makes the configuration, the folder and the .gitignore line, and nothing else', async () => {
    const { system, disk, shell } = world({ 'package.json': '{"name": "my-app"}', 'tsconfig.json': '{}' })
    shell.programs.set('bun', '/usr/bin/bun')
    expect(await initProject(system)).toEqual({
      root: '/project',
      projectId: 'my-app',
      idFrom: 'package.json',
      linter: { command: 'bun tsc --noEmit', why: 'found tsconfig.json and bun' },
      approval: 'yes',
      approvalOnErrorCount: 0,
      config: 'created',
      folder: 'created',
      ignore: 'created',
      notes: [],
    })
    expect(disk.tree()).toEqual({
      '.gitignore': { kind: 'file', mode: '0644', links: 1, text: '.relaycode/\n' },
      '.relaycode': { kind: 'folder', mode: '0700' },
      '.relaycode/.gitignore': { kind: 'file', mode: '0600', links: 1, text: '*\n' },
      'package.json': { kind: 'file', mode: '0644', links: 1, text: '{"name": "my-app"}' },
      'relaycode.config.json': { kind: 'file', mode: '0644', links: 1, text: config('my-app', 'bun tsc --noEmit') },
      'tsconfig.json': { kind: 'file', mode: '0644', links: 1, text: '{}' },
    })
    expect(shell.ran).toEqual([])
  })

  it('makes what loadProject takes', async () => {
    const { system } = world()
    await initProject(system)
    expect(await loadProject(system)).toMatchObject({ project: { config: { projectId: 'project' } }, notes: [] })
  })

  it('changes nothing in a second run, and says so', async () => {
    const { system, disk } = world({ 'package.json': '{"name": "my-app"}' })
    await initProject(system)
    const before = disk.tree()
    const inode = disk.inode('relaycode.config.json')
    expect(await initProject(system)).toEqual({
      root: '/project',
      projectId: 'my-app',
      idFrom: 'relaycode.config.json',
      linter: { command: '', why: 'none, so relay checks nothing; set it in relaycode.config.json' },
      approval: 'yes',
      approvalOnErrorCount: 0,
      config: 'kept',
      folder: 'kept',
      ignore: 'kept',
      notes: [],
    })
    expect(disk.tree()).toEqual(before)
    expect(disk.inode('relaycode.config.json')).toBe(inode)
  })

  it('keeps a configuration that came with a clone, and makes what is missing', async () => {
    const text = '{"projectId": "theirs", "linter": "make check", "approval": "no", "aproval": 1}'
    const { system, disk } = world({ 'relaycode.config.json': text, 'package.json': '{ broken' })
    expect(await initProject(system)).toMatchObject({
      projectId: 'theirs',
      linter: { command: 'make check', why: 'as configured' },
      approval: 'no',
      config: 'kept',
      folder: 'created',
      ignore: 'created',
      notes: ['unknown key "aproval"; did you mean "approval"?'],
    })
    expect(disk.readText('relaycode.config.json')).toBe(text)
    expect(disk.readText('.relaycode/.gitignore')).toBe('*\n')
  })

  it.each<[string, string | undefined, string, string]>([
    ['the name in package.json', '{"name": "@acme/app"}', '@acme/app', 'package.json'],
    ['that name behind a byte order mark', '\ufeff{"name": "app"}', 'app', 'package.json'],
    ['that name with its accents put together', '{"name": "cafe\\u0301"}', 'caf\u00e9', 'package.json'],
    ['the folder where there is no package.json', undefined, 'project', 'folder name'],
    ['the folder where it has no name', '{}', 'project', 'folder name'],
    ['the folder where the name is empty', '{"name": ""}', 'project', 'folder name'],
    ['the folder where the name is no text', '{"name": 7}', 'project', 'folder name'],
    ['the folder where the name has a control character', '{"name": "a\\u0007"}', 'project', 'folder name'],
    ['the folder where package.json holds no object', 'null', 'project', 'folder name'],
  ])('takes %s as id', async (_, text, projectId, idFrom) => {
    const { system } = world(text === undefined ? {} : { 'package.json': text })
    expect(await initProject(system)).toMatchObject({ projectId, idFrom })
  })

  it.each([
    ['/home/me/My Project', 'My Project'],
    ['/home/me/cafe\u0301', 'caf\u00e9'],
    ['/home/me/a\nb\u001b[31m', 'a-b-[31m'],
    ['/home/me/ x ', 'x'],
    ['/home/me/   ', 'project'],
    [`/home/me/${'x'.repeat(230)}`, 'x'.repeat(200)],
    ['/', 'project'],
  ])('names the project in %j %j', async (root, projectId) => {
    const { system } = fakeSystem({ disk: new FakeDisk(root) })
    expect(await initProject(system)).toMatchObject({ root, projectId, idFrom: 'folder name' })
    expect(await loadProject(system)).toMatchObject({ project: { root, config: { projectId } } })
  })

  it('works in the real folder behind a link', async () => {
    const { system, disk } = fakeSystem({ cwd: '/short' })
    disk.symlink('/project', '/short')
    expect(await initProject(system)).toMatchObject({ root: '/project', projectId: 'project' })
    expect(disk.exists('/project/relaycode.config.json')).toBe(true)
  })

  it('takes an empty folder .git above for no repository, as git does', async () => {
    const { system } = world({ '.git/x': '', 'src/a.ts': '' }, { cwd: '/project/src' })
    expect(await initProject(system)).toMatchObject({ notes: [] })
  })

  it('says where the git repository begins when that is above: paths of an answer would land one folder too deep', async () => {
    const below = world({ '.git/HEAD': '', 'src/a.ts': '' }, { cwd: '/project/src' })
    const note = 'the git repository begins above, in /project; paths in answers begin here'
    expect((await initProject(below.system)).notes).toEqual([note])
    const atTop = world({ '.git/HEAD': '' })
    expect((await initProject(atTop.system)).notes).toEqual([])
  })

  it('makes a project inside another one, and says which', async () => {
    const { system, disk } = world(
      { 'relaycode.config.json': '{', 'packages/ui/a.ts': '' },
      { cwd: '/project/packages/ui' },
    )
    expect(await initProject(system)).toMatchObject({
      root: '/project/packages/ui',
      notes: ['/project is a project too; from now on this folder is its own project'],
    })
    expect(disk.readText('relaycode.config.json')).toBe('{')
  })

  it.each<[string, string | Uint8Array, string | Uint8Array, string]>([
    ['adds its line at the end', 'dist\n', 'dist\n.relaycode/\n', 'updated'],
    ['adds the newline that is missing', 'dist', 'dist\n.relaycode/\n', 'updated'],
    ['keeps its line ends', 'dist\r\nout', 'dist\r\nout\r\n.relaycode/\r\n', 'updated'],
    [
      'keeps bytes that are no UTF-8',
      Buffer.from('dist-\xe9\n', 'latin1'),
      Buffer.from('dist-\xe9\n.relaycode/\n', 'latin1'),
      'updated',
    ],
    ['keeps UTF-8', 'größe\n', 'größe\n.relaycode/\n', 'updated'],
    ['leaves one that has the line in another form', '/.relaycode', '/.relaycode', 'kept'],
    ['leaves UTF-16 alone', Buffer.from('\ufeffdist\n', 'utf16le'), Buffer.from('\ufeffdist\n', 'utf16le'), 'left'],
  ])('of a .gitignore %s', async (_, before, after, ignore) => {
    const { system, disk } = world({ '.gitignore': before })
    disk.chmod('.gitignore', 0o664)
    expect(await initProject(system)).toMatchObject({ ignore })
    expect(Buffer.from(disk.read('.gitignore'))).toEqual(Buffer.from(after))
    expect(disk.tree()['.gitignore']).toMatchObject({ mode: '0664' })
  })

  it('leaves a .gitignore that is a link alone, and says so', async () => {
    const { system, disk } = world({ 'shared-ignore': 'dist\n' })
    disk.symlink('shared-ignore', '.gitignore')
    expect(await initProject(system)).toMatchObject({
      ignore: 'left',
      notes: ['.gitignore is no regular file: add the line .relaycode/ yourself'],
    })
    expect(disk.readText('shared-ignore')).toBe('dist\n')
    expect(disk.tree()['.gitignore']).toEqual({ kind: 'link', to: 'shared-ignore' })
  })

  it('leaves a .gitignore alone that it may not write, and says so', async () => {
    const { system, disk } = world({ '.gitignore': 'dist\n' })
    const closed = { ...system, files: { ...system.files, mayWrite: async () => false } }
    expect(await initProject(closed)).toMatchObject({
      config: 'created',
      ignore: 'left',
      notes: ['you may not write .gitignore: add the line .relaycode/ yourself'],
    })
    expect(disk.text()).toMatchObject({ '.gitignore': 'dist\n', '.relaycode/.gitignore': '*\n' })
  })

  it('keeps what is in a .relaycode/ that is there', async () => {
    const { system, disk } = world({ '.relaycode/a.yml': 'x', '.relaycode/.gitignore': '# mine\n' })
    expect(await initProject(system)).toMatchObject({ folder: 'kept', config: 'created' })
    expect(disk.text()).toMatchObject({ '.relaycode/a.yml': 'x', '.relaycode/.gitignore': '# mine\n' })
  })

  it.each<[string, (disk: FakeDisk) => void, Partial<RelayError>]>([
    [
      'a broken package.json',
      disk => disk.write('package.json', '{\n  "name": "a",\n}'),
      { kind: 'usage', message: '/project/package.json is broken: line 3, column 1: property name expected' },
    ],
    [
      'a configuration that does not parse',
      disk => disk.write('relaycode.config.json', '{"projectId": "a" "b"}'),
      {
        kind: 'usage',
        message: 'Cannot use /project/relaycode.config.json:\n  line 1, column 19: comma expected',
      },
    ],
    [
      'a configuration with wrong values',
      disk => disk.write('relaycode.config.json', '{"projectId": 1}'),
      { kind: 'usage', message: expect.stringContaining('projectId: found 1') },
    ],
    [
      '.relaycode that is a file',
      disk => disk.write('.relaycode', ''),
      {
        kind: 'usage',
        message: '/project/.relaycode is a file, but relay keeps its state in a real folder of that name',
        hint: 'Move it away, then run `relay --init` again.',
      },
    ],
    [
      '.relaycode that is a link to a folder',
      disk => {
        disk.folder('/elsewhere')
        disk.symlink('/elsewhere', '.relaycode')
      },
      {
        kind: 'usage',
        message: '/project/.relaycode is a link, but relay keeps its state in a real folder of that name',
      },
    ],
  ])('refuses %s before it changes anything', async (_, prepare, expected) => {
    const { system, disk } = world()
    prepare(disk)
    const before = disk.tree()
    expect(await failure(initProject(system))).toMatchObject(expected)
    expect(disk.tree()).toEqual(before)
  })

  it('says that the current folder is gone', async () => {
    const { system } = fakeSystem({ cwd: '/gone' })
    expect(await failure(initProject(system))).toMatchObject({ message: 'The current folder is gone: /gone' })
  })

  it.each<[string, Record<string, string>]>([
    ['an empty folder', {}],
    ['a folder with a .gitignore', { '.gitignore': 'dist' }],
    ['a folder with a .relaycode/', { '.relaycode/a.yml': 'x', '.gitignore': 'dist\r\n' }],
  ])('leaves %s as it was, whichever step fails', async (_, files) => {
    const whole = world(files)
    await initProject(whole.system)
    const steps = whole.disk.calls
    expect(steps).toBeGreaterThan(10)

    for (let n = 1; n <= steps; n++) {
      const { system, disk } = world(files)
      const before = disk.tree()
      disk.failAt(n, 'ENOSPC')
      expect(await failure(initProject(system)), `step ${n}`).toMatchObject({
        message: expect.stringContaining('the disk is full'),
      })
      expect(disk.tree(), `step ${n}`).toEqual(before)
      // Nothing stands in the way of another try.
      disk.onCall = undefined
      expect(await initProject(system)).toMatchObject({ config: 'created' })
      expect(disk.text()).toEqual(whole.disk.text())
    }
  })

  it('leaves no half project behind, whenever it is killed', async () => {
    const whole = world({ '.gitignore': 'dist\n' })
    await initProject(whole.system)

    for (let n = 1; n <= whole.disk.calls; n++) {
      const { system, disk } = world({ '.gitignore': 'dist\n' })
      disk.crashAt(n)
      await expect(initProject(system)).rejects.toThrow('killed')
      if (disk.exists('relaycode.config.json')) {
        expect(disk.readText('relaycode.config.json')).toBe(config('project'))
        expect(disk.readText('.gitignore')).toBe('dist\n.relaycode/\n')
      }
      disk.onCall = undefined
      await initProject(fakeSystem({ disk }).system)
      // Half of a line that was being added is the name of nothing.
      disk.write('.gitignore', disk.readText('.gitignore').replace('.relay\n', ''))
      expect(disk.text({ journal: false })).toEqual(whole.disk.text({ journal: false }))
    }
  })

  it('names what it could not take back', async () => {
    const { system, disk } = world({ '.gitignore': 'dist\n' })
    disk.onCall = (name, path) => {
      if (name === 'replace' && path.endsWith('config.json')) throw diskError('EROFS')
      if (name === 'removeFolder') throw diskError('EROFS')
    }
    expect(await failure(initProject(system))).toEqual({
      kind: 'environment',
      message: [
        'Cannot write relaycode.config.json: the file system is read-only',
        'These files of this run are still there: /project/.relaycode',
      ].join('\n'),
      hint: 'Remove the cause, then run `relay --init` again: it continues from there.',
    })
    expect(disk.readText('.gitignore')).toBe('dist\n')
  })

  it.each(['makeFolder', 'append'])('keeps what the user saves into .gitignore meanwhile, before %s', async moment => {
    const { system, disk } = world({ '.gitignore': 'dist\n' })
    let saved = false
    disk.onCall = name => {
      if (name.startsWith(moment) && !saved) disk.write('.gitignore', 'dist\nmine\n')
      saved ||= name.startsWith(moment)
    }
    expect(await initProject(system)).toMatchObject({ ignore: 'updated' })
    expect(saved).toBe(true)
    expect(disk.readText('.gitignore')).toBe('dist\nmine\n.relaycode/\n')
  })

  it('does not write over a .gitignore that appears meanwhile', async () => {
    const { system, disk } = world()
    disk.onCall = (name, path) => {
      if (name === 'create' && path === '/project/.gitignore') disk.write('.gitignore', 'mine\n')
    }
    expect(await failure(initProject(system))).toMatchObject({ kind: 'conflict', hint: 'Run `relay --init` again.' })
    expect(disk.text()).toEqual({ '.gitignore': 'mine\n' })
  })
})
