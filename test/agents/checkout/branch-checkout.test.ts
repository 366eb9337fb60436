import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type BranchCheckout,
  type BranchOfWork,
  openBranchCheckout,
} from '../../../src/agents/checkout/branch-checkout.ts'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

const at = () => join(world.home, 'state/work')

/** Each time as another relay would. */
async function open(place: Partial<BranchOfWork> = {}): Promise<BranchCheckout> {
  const folder = join(world.home, 'state')
  mkdirSync(folder, { recursive: true })
  return openBranchCheckout({ root: world.top, branch: 'task', folder, ...place }, world.system)
}

const inTree = (...args: readonly string[]) => world.gitIn(at(), ...args)

/** Agrees to all that was made, without a judgement, and commits it. */
async function land(checkout: BranchCheckout, message = 'Do it\n'): Promise<string | undefined> {
  const { changes } = await checkout.changes()
  await checkout.beginLanding('1')
  const made = new Map(changes.map(each => [each.path, each.made]))
  return checkout.commit(await checkout.agree(made, { kind: 'unchanged' } as never), message)
}

/** All that the user's repository holds but for what the landing of `task` may add. */
function usersRepository(): Record<string, string> {
  const all = treeOf(join(world.top, '.git'), '')
  const isTheirs = (path: string) => !/^(?:objects\/|(?:logs\/)?refs\/heads\/task$|worktrees\/task\/)/.test(path)
  return Object.fromEntries(Object.entries(all).filter(([path]) => isTheirs(path)))
}

describe('a checkout of a branch', () => {
  it('is made on a new branch, and what the agent makes becomes one commit there', async () => {
    world.commit({ 'a.txt': 'a\n', 'gone.txt': 'gone\n' })
    world.git('config', 'user.name', 'Jane')
    world.git('config', 'user.email', 'jane@example.com')
    const checkout = await open()
    expect(inTree('status', '--porcelain')).toBe('')
    expect(treeOf(checkout.cwd)).toEqual({ 'a.txt': 'a\n', 'gone.txt': 'gone\n' })
    expect(inTree('log', '--format=%an %s')).toBe('relay The start\n')
    write(checkout.cwd, { 'a.txt': 'b\n', 'new/c.sh': '#!/bin/sh\n' })
    rmSync(join(checkout.cwd, 'gone.txt'))
    inTree('add', '-A')
    inTree('commit', '-qm', 'mine')
    const expected = {
      'a.txt': '"a\\n" => "b\\n"',
      'gone.txt': '"gone\\n" => nothing',
      'new/c.sh': 'nothing => x "#!/bin/sh\\n"',
    }
    expect(await madeIn(checkout)).toEqual(expected)
    const commit = await land(checkout, 'Do it\n\nAll of it.\n')
    expect(world.git('log', '--format=%H %an %ae %cn %B', 'main..task')).toBe(
      `${commit} Jane jane@example.com Jane Do it\n\nAll of it.\n\n`,
    )
    expect(world.git('fsck', '--strict', '--no-dangling')).toBe('')
    // Until it is brought up to date, for whoever comes back to it.
    expect(await madeIn(checkout)).toEqual(expected)
    await checkout.renew()
    expect(await madeIn(checkout)).toEqual({})
    await checkout.remove()
    expect([existsSync(at()), readdirSync(join(world.home, 'state'))]).toEqual([false, []])
    expect(world.git('worktree', 'list')).toMatch(/^\S+ +\w+ \[main\]\n$/)
  })

  it('has all of its objects in the repository of the user', async () => {
    world.commit({ 'a/b/c.txt': 'c\n' })
    const checkout = await open()
    // One that the user has, and no commit yet.
    write(world.top, { 'own.txt': 'own\n' })
    world.git('hash-object', '-w', 'own.txt')
    write(checkout.cwd, { 'a/b/d.txt': 'd\n', 'own.txt': 'own\n', 'x/y/z.txt': 'c\n' })
    await land(checkout)
    rmSync(join(world.home, 'state'), { recursive: true })
    world.git('prune', '--expire=now')
    expect(world.git('fsck', '--strict', '--full')).toBe('')
    expect(world.git('ls-tree', '-r', '--name-only', 'task')).toBe('a/b/c.txt\na/b/d.txt\nown.txt\nx/y/z.txt\n')
  })

  it('leaves the folder and the repository of the user alone, whatever they do meanwhile', async () => {
    world.commit({ 'a.txt': 'a\n', '.gitignore': 'ignored\n', 's.txt': 's\n' })
    const remote = join(world.home, 'remote.git')
    world.git('clone', '-q', '--bare', '.', remote)
    world.git('remote', 'add', 'origin', remote)
    world.write({ 'a.txt': 'edited\n', ignored: 'i\n', 'new.txt': 'new\n', 's.txt': 'staged\n' })
    world.git('add', 's.txt')
    const checkout = await open()
    write(checkout.cwd, { 'a.txt': 'b\n' })
    world.git('stash', '-q')
    world.git('stash', 'apply', '-q', '--index')
    world.git('commit', '-qm', 'second')
    world.git('branch', 'other')
    world.git('fetch', '-q', 'origin')
    world.git('worktree', 'prune', '--expire=now')
    world.git('gc', '-q', '--prune=now')
    world.write({ 'a.txt': 'edited again\n' })
    const before = [treeOf(world.top), usersRepository()]
    await land(checkout)
    expect([treeOf(world.top), usersRepository()]).toEqual(before)
    expect(world.git('log', '--format=%s', 'task')).toBe('Do it\nfirst\n')
  })

  it('runs nothing that the agent or the user has planted, and moves nothing by it', async () => {
    world.commit({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const ran = join(world.home, 'ran')
    const run = `#!/bin/sh\necho "$0" >> ${ran}\ncat\n`
    const hooks = ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit', 'post-commit']
    const names = [...hooks, 'fsmonitor-watchman', 'pre-auto-gc']
    const config = `[core]\n\tfsmonitor = ${world.home}/evil\n\thooksPath = ${world.home}/hooks\n[filter "evil"]\n\tclean = ${world.home}/evil\n\tsmudge = ${world.home}/evil\n\tprocess = ${world.home}/evil\n\trequired = true\n[diff "evil"]\n\ttextconv = ${world.home}/evil\n[gpg]\n\tprogram = ${world.home}/evil\n[commit]\n\tgpgsign = true\n`
    write(world.home, { evil: run, ...Object.fromEntries(names.map(name => [`hooks/${name}`, run])) })
    for (const name of names) write(world.top, { [`.git/hooks/${name}`]: run })
    const gitConfig = readFileSync(join(world.top, '.git/config'), 'utf8')
    writeFileSync(join(world.top, '.git/config'), `${gitConfig}${config}`)
    write(world.home, { '.gitconfig': config })
    const checkout = await open()
    write(checkout.cwd, { '.gitattributes': '* filter=evil diff=evil text=auto eol=crlf\n', 'a.txt': 'x\n' })
    writeFileSync(join(checkout.cwd, '.git/config'), config)
    for (const name of names) write(checkout.cwd, { [`.git/hooks/${name}`]: run, [`hooks/${name}`]: run })
    await checkout.changes()
    await land(checkout)
    await checkout.renew()
    expect(existsSync(ran)).toBe(false)
    await checkout.remove()
    expect(existsSync(ran)).toBe(false)
    writeFileSync(join(world.top, '.git/config'), gitConfig)
    rmSync(join(world.home, '.gitconfig'))
    expect(world.git('show', 'task:a.txt')).toBe('x\n')
    expect(world.git('show', 'task:b.txt')).toBe('b\n')
  })

  it.each<[string, (git: string) => void]>([
    ['is gone', git => rmSync(git, { recursive: true })],
    [
      "leads to the user's",
      git => {
        rmSync(git, { recursive: true })
        symlinkSync(join(world.top, '.git'), git)
      },
    ],
    [
      "is a file that leads to the user's",
      git => {
        rmSync(git, { recursive: true })
        writeFileSync(git, `gitdir: ${join(world.top, '.git')}\n`)
      },
    ],
    [
      'is a file that leads nowhere',
      git => {
        rmSync(git, { recursive: true })
        writeFileSync(git, `gitdir: ${join(world.home, 'elsewhere')}\n`)
      },
    ],
  ])('takes the work where the .git of the agent %s', async (_, replace) => {
    world.commit({ 'a.txt': 'a\n' })
    const checkout = await open()
    write(checkout.cwd, { 'b.txt': 'b\n' })
    const before = usersRepository()
    replace(join(at(), '.git'))
    expect(await madeIn(checkout)).toEqual({ 'b.txt': 'nothing => "b\\n"' })
    expect(usersRepository()).toEqual(before)
    await land(await open())
    expect(usersRepository()).toEqual(before)
    expect(world.git('log', '--format=%s', 'task')).toBe('Do it\nfirst\n')
  })

  it('changes no byte of what the agent left alone, whatever the user has git convert', async () => {
    const files = {
      '.gitattributes': '*.crlf text eol=crlf\n*.big filter=big\n*.id ident\nplain.txt text\n',
      'plain.txt': 'one\r\ntwo\n',
      'a.crlf': 'one\n',
      'a.big': 'content\n',
      'a.id': '$Id$\n',
    }
    world.git('init', '-q', '-b', 'main')
    write(world.top, files)
    world.git('-c', 'core.attributesFile=/dev/null', 'add', '.gitattributes')
    write(world.top, { '.git/info/attributes': '* -text -filter -ident\n' })
    world.git('add', '-A')
    world.git('commit', '-qm', 'first')
    rmSync(join(world.top, '.git/info/attributes'))
    for (const [name, value] of [
      ['core.autocrlf', 'true'],
      ['filter.big.clean', 'tr a-z A-Z'],
      ['filter.big.smudge', 'tr a-z A-Z'],
    ] as const) {
      world.git('config', name, value)
    }
    const checkout = await open()
    write(checkout.cwd, { 'new.crlf': 'n\r\n', 'new.big': 'n\n' })
    await land(checkout)
    expect(world.git('diff', '--name-status', 'main', 'task')).toBe('A\tnew.big\nA\tnew.crlf\n')
    expect(world.gitIn(world.top, 'cat-file', '-p', 'task:new.crlf')).toBe('n\r\n')
    expect(treeOf(at())).toEqual({ ...files, 'new.crlf': 'n\r\n', 'new.big': 'n\n' })
  })

  it('tells that the branch has moved meanwhile, and loses nothing', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const checkout = await open()
    write(checkout.cwd, { 'b.txt': 'b\n' })
    const other = world.git('commit-tree', '-p', 'task', '-m', 'other', 'task^{tree}').trim()
    world.git('update-ref', 'refs/heads/task', other)
    expect(await land(checkout)).toBeUndefined()
    expect(world.git('rev-parse', 'task').trim()).toBe(other)
    const again = await open()
    expect(await madeIn(again)).toEqual({ 'b.txt': 'nothing => "b\\n"' })
    expect(await again.bringForward()).toEqual({ kind: 'forward', beneath: [] })
    expect(again.start).toBe(other)
    await land(again)
    expect(world.git('log', '--format=%s', 'task')).toBe('Do it\nother\nfirst\n')
  })

  it('goes on with what the agent made where relay was stopped', async () => {
    world.commit({ 'a.txt': 'a\n' })
    write((await open()).cwd, { 'b.txt': 'b\n' })
    const checkout = await open()
    expect([checkout.isLeft, await madeIn(checkout)]).toEqual([true, { 'b.txt': 'nothing => "b\\n"' }])
    await land(checkout)
    expect(world.git('show', '--format=%s', '--name-only', 'task')).toBe('Do it\n\nb.txt\n')
  })

  it('tells what the agent called its own last commit, and obeys nothing of its repository for that', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const checkout = await open()
    expect(await checkout.agentsSubject()).toBeUndefined()
    write(at(), { 'a.txt': 'b\n' })
    inTree('commit', '-qam', 'RAF[01:02] Do \u001b[31mit\n\nMore.')
    expect(await checkout.agentsSubject()).toBe('RAF[01:02] Do [31mit')
    const ran = join(world.home, 'ran')
    write(world.home, { evil: `#!/bin/sh\ntouch ${ran}\n` })
    inTree('config', 'core.fsmonitor', join(world.home, 'evil'))
    inTree('config', 'core.alternateRefsCommand', join(world.home, 'evil'))
    expect([await checkout.agentsSubject(), existsSync(ran)]).toEqual(['RAF[01:02] Do [31mit', false])
    const head = join(at(), '.git/HEAD')
    for (const text of ['ref: refs/heads/../../HEAD', 'x', `${'0'.repeat(40)}`, '']) {
      writeFileSync(head, `${text}\n`)
      expect(await checkout.agentsSubject()).toBeUndefined()
    }
    rmSync(head)
    symlinkSync('/dev/zero', head)
    expect(await checkout.agentsSubject()).toBeUndefined()
  })

  it('is of the folder that the project lies in, and tells what was made around it', async () => {
    world.commit({ 'pack/a.txt': 'a\n', 'b.txt': 'b\n' })
    const checkout = await open({ root: join(world.top, 'pack') })
    expect(checkout.cwd).toBe(join(at(), 'pack/'))
    write(at(), { 'pack/a.txt': 'x\n', 'c.txt': 'c\n' })
    expect(await madeIn(checkout)).toEqual({ 'a.txt': '"a\\n" => "x\\n"', 'outside c.txt': 'changed' })
  })

  it('begins where it is told to, once', async () => {
    world.commit({ 'a.txt': 'a\n' })
    world.git('branch', 'base')
    world.write({ 'b.txt': 'b\n' })
    world.git('add', '-A')
    world.git('commit', '-qm', 'second')
    const checkout = await open({ from: 'base' })
    expect(treeOf(checkout.cwd)).toEqual({ 'a.txt': 'a\n' })
    expect((await open({ from: 'main' })).start).toBe(checkout.start)
  })

  it.each<[string, () => unknown, Partial<BranchOfWork>, object]>([
    [
      'a branch that is checked out elsewhere',
      () => world.git('worktree', 'add', '-q', '-b', 'task', join(world.home, 'other')),
      {},
      { kind: 'environment', message: expect.stringMatching(/^The branch task is checked out in .*\/other$/) },
    ],
    [
      'the branch of the user',
      () => {},
      { branch: 'main' },
      { kind: 'environment', message: expect.stringMatching(/^The branch main is checked out in .*\/project$/) },
    ],
    [
      'a branch under a rebase',
      () => {
        world.git('worktree', 'add', '-q', '-b', 'task', join(world.home, 'other'))
        world.gitIn(join(world.home, 'other'), '-c', 'sequence.editor=echo break >', 'rebase', '-i', '--root')
      },
      {},
      { kind: 'environment', message: expect.stringMatching(/^The branch task is under a rebase in .*\/other$/) },
    ],
    [
      'a branch under a bisect',
      () => {
        world.git('worktree', 'add', '-q', '-b', 'task', join(world.home, 'other'))
        world.gitIn(join(world.home, 'other'), 'bisect', 'start')
        world.gitIn(join(world.home, 'other'), 'switch', '-q', '--detach')
      },
      {},
      { kind: 'environment', message: expect.stringMatching(/^The branch task is under a bisect in .*\/other$/) },
    ],
    [
      'a name that no branch has',
      () => {},
      { branch: '-x..y' },
      { kind: 'usage', message: expect.stringContaining('cannot be the name of a branch') },
    ],
    ['a begin that is not there', () => {}, { from: 'nowhere' }, { message: 'There is no commit nowhere' }],
    ['a begin that is an option', () => {}, { from: '--all' }, { message: 'There is no commit --all' }],
    [
      'a submodule',
      () => {
        world.gitIn(world.home, 'clone', '-q', world.top, 'sub')
        world.git('submodule', '--quiet', 'add', join(world.home, 'sub'), 'sub')
        world.git('commit', '-qm', 'sub')
      },
      {},
      { kind: 'usage', message: expect.stringContaining('sub is another git repository') },
    ],
  ])('is refused with %s, and nothing changes', async (_, prepare, place, error) => {
    world.commit({ 'a.txt': 'a\n' })
    prepare()
    const before = [treeOf(world.top, ''), world.git('for-each-ref')]
    await expect(open(place)).rejects.toMatchObject(error)
    expect([treeOf(world.top, ''), world.git('for-each-ref')]).toEqual(before)
  })

  it('moves no branch that was checked out while it was worked on', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const checkout = await open()
    write(checkout.cwd, { 'a.txt': 'b\n' })
    const tip = world.git('rev-parse', 'task')
    world.git('worktree', 'add', '-q', join(world.home, 'other'), 'task')
    const error = { kind: 'environment', message: `The branch task is checked out in ${world.home}/other` }
    await expect(land(checkout)).rejects.toMatchObject(error)
    expect(world.git('rev-parse', 'task')).toBe(tip)
    world.git('worktree', 'remove', join(world.home, 'other'))
    await land(await open())
    expect(world.git('show', 'task:a.txt')).toBe('b\n')
  })

  it('works in a repository with longer hashes', async () => {
    world.git('init', '-q', '-b', 'main', '--object-format=sha256')
    world.write({ 'a.txt': 'a\n', 'gone.txt': 'g\n' }).git('add', '-A')
    world.git('commit', '-qm', 'first')
    const checkout = await open()
    write(checkout.cwd, { 'a.txt': 'b\n' })
    rmSync(join(checkout.cwd, 'gone.txt'))
    expect(await land(checkout)).toMatch(/^[0-9a-f]{64}$/)
    expect(world.git('show', '--format=', '--name-status', 'task')).toBe('M\ta.txt\nD\tgone.txt\n')
    expect(world.git('fsck', '--strict', '--no-dangling')).toBe('')
  })

  it('commits what was accepted, whatever is in the folder by then', async () => {
    world.commit({ 'a.txt': 'a\n', 'b.sh': 'b\n', 'c.txt': 'c\n', 'pack/d.txt': 'd\n' })
    const checkout = await open()
    write(checkout.cwd, { 'a.txt': 'good\n', 'b.sh': 'good\n', 'c.txt': 'good\n', 'odd\nname.txt': 'odd\n' })
    const { changes } = await checkout.changes()
    await checkout.beginLanding('1')
    for (const name of ['a.txt', 'c.txt']) rmSync(join(at(), name))
    symlinkSync('/etc/passwd', join(at(), 'c.txt'))
    write(checkout.cwd, { 'a.txt': 'EVIL\n', 'b.sh': '#!/bin/sh\nEVIL\n', 'new.txt': 'EVIL\n' })
    const accepted = new Map(changes.map(({ path, made }) => [path, made] as const))
    await checkout.commit(await checkout.agree(accepted, { kind: 'unchanged' } as never), 'Do it\n')
    const mode = (path: string) => world.git('ls-tree', 'task', '--', path).slice(0, 6)
    expect(['a.txt', 'b.sh', 'c.txt'].map(mode)).toEqual(['100644', '100644', '100644'])
    expect(world.git('show', 'task:a.txt', 'task:b.sh', 'task:c.txt', 'task:odd\nname.txt')).toBe(
      `${'good\n'.repeat(3)}odd\n`,
    )
    expect(world.git('ls-tree', '-rz', '--name-only', 'task').split('\0').filter(Boolean)).toEqual([
      'a.txt',
      'b.sh',
      'c.txt',
      'odd\nname.txt',
      'pack/d.txt',
    ])
  })

  it('is refused without a commit, and without a repository', async () => {
    await expect(open()).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('is not in a git') })
    world.git('init', '-q')
    await expect(open()).rejects.toMatchObject({ kind: 'usage', message: 'There is no commit here yet' })
  })
})
