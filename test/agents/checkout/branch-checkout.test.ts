import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorktree, type Worktree, type WorktreePlace } from '../../../src/agents/checkout/worktree.ts'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

const at = () => join(world.home, 'worktrees/project/task')

/** Each time as another relay would. */
async function open(
  place: Partial<WorktreePlace> = {},
  options?: Parameters<typeof openWorktree>[2],
): Promise<Worktree> {
  const folder = join(world.home, 'state')
  mkdirSync(folder, { recursive: true })
  return openWorktree({ root: world.top, branch: 'task', at: at(), folder, ...place }, world.system, options)
}

const inTree = (...args: readonly string[]) => world.gitIn(at(), ...args)

/** Lands all that was made, without a judgement. */
async function land(worktree: Worktree, message = 'Do it\n'): Promise<string> {
  const { work } = await worktree.beginLanding('1')
  return worktree.commit(work, message)
}

/** All that the user's repository holds but for what the landing of `task` may add. */
function usersRepository(): Record<string, string> {
  const all = treeOf(join(world.top, '.git'), '')
  const isTheirs = (path: string) => !/^(?:objects\/|(?:logs\/)?refs\/heads\/task$|worktrees\/task\/)/.test(path)
  return Object.fromEntries(Object.entries(all).filter(([path]) => isTheirs(path)))
}

describe('a worktree', () => {
  it('is made on a new branch, and what the agent makes becomes one commit there', async () => {
    world.commit({ 'a.txt': 'a\n', 'gone.txt': 'gone\n' })
    world.git('config', 'user.name', 'Jane')
    world.git('config', 'user.email', 'jane@example.com')
    const worktree = await open()
    expect(inTree('status', '--porcelain')).toBe('')
    expect(treeOf(worktree.cwd)).toEqual({ 'a.txt': 'a\n', 'gone.txt': 'gone\n' })
    expect(inTree('log', '--format=%an %s')).toBe('relay The start\n')
    write(worktree.cwd, { 'a.txt': 'b\n', 'new/c.sh': '#!/bin/sh\n' })
    rmSync(join(worktree.cwd, 'gone.txt'))
    inTree('add', '-A')
    inTree('commit', '-qm', 'mine')
    const expected = {
      'a.txt': '"a\\n" => "b\\n"',
      'gone.txt': '"gone\\n" => nothing',
      'new/c.sh': 'nothing => x "#!/bin/sh\\n"',
    }
    expect(await madeIn(worktree)).toEqual(expected)
    const commit = await land(worktree, 'Do it\n\nAll of it.\n')
    expect(world.git('log', '--format=%H %an %ae %cn %B', 'main..task')).toBe(
      `${commit} Jane jane@example.com Jane Do it\n\nAll of it.\n\n`,
    )
    expect(world.git('fsck', '--strict', '--no-dangling')).toBe('')
    // Until it is brought up to date, for whoever comes back to it.
    expect(await madeIn(worktree)).toEqual(expected)
    await worktree.renew()
    expect(await madeIn(worktree)).toEqual({})
    await worktree.leave()
    expect(inTree('status', '--porcelain', '--branch')).toBe('## task\n')
    expect(readFileSync(join(at(), '.git'), 'utf8')).toBe(`gitdir: ${world.top}/.git/worktrees/task\n`)
    await worktree.remove()
    expect([existsSync(at()), readdirSync(join(world.home, 'state'))]).toEqual([false, []])
    expect(world.git('worktree', 'list')).toMatch(/^\S+ +\w+ \[main\]\n$/)
  })

  it('has all of its objects in the repository of the user', async () => {
    world.commit({ 'a/b/c.txt': 'c\n' })
    const worktree = await open()
    // One that the user has, and no commit yet.
    write(world.top, { 'own.txt': 'own\n' })
    world.git('hash-object', '-w', 'own.txt')
    write(worktree.cwd, { 'a/b/d.txt': 'd\n', 'own.txt': 'own\n', 'x/y/z.txt': 'c\n' })
    await land(worktree)
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
    const worktree = await open()
    write(worktree.cwd, { 'a.txt': 'b\n' })
    world.git('stash', '-q')
    world.git('stash', 'apply', '-q', '--index')
    world.git('commit', '-qm', 'second')
    world.git('branch', 'other')
    world.git('fetch', '-q', 'origin')
    world.git('worktree', 'prune', '--expire=now')
    world.git('gc', '-q', '--prune=now')
    world.write({ 'a.txt': 'edited again\n' })
    const before = [treeOf(world.top), usersRepository()]
    await land(worktree)
    await worktree.leave()
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
    const worktree = await open()
    write(worktree.cwd, { '.gitattributes': '* filter=evil diff=evil text=auto eol=crlf\n', 'a.txt': 'x\n' })
    writeFileSync(join(worktree.cwd, '.git/config'), config)
    for (const name of names) write(worktree.cwd, { [`.git/hooks/${name}`]: run, [`hooks/${name}`]: run })
    await worktree.changes()
    await land(worktree)
    await worktree.renew()
    await worktree.leave()
    expect(existsSync(ran)).toBe(false)
    await worktree.remove()
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
      "is that of the work tree, and the agent's git works there",
      git => {
        rmSync(git, { recursive: true })
        writeFileSync(git, `gitdir: ${join(world.home, 'elsewhere')}\n`)
      },
    ],
  ])('gets its own .git back where that of the agent %s', async (_, replace) => {
    world.commit({ 'a.txt': 'a\n' })
    const worktree = await open()
    write(worktree.cwd, { 'b.txt': 'b\n' })
    const index = () => readFileSync(join(world.top, '.git/worktrees/task/index'))
    const before = [usersRepository(), index()]
    replace(join(at(), '.git'))
    expect(await madeIn(worktree)).toEqual({ 'b.txt': 'nothing => "b\\n"' })
    await worktree.leave()
    expect([usersRepository(), index()]).toEqual(before)
    expect(inTree('status', '--porcelain', '--branch')).toBe('## task\n?? b.txt\n')
    const again = await open()
    await land(again)
    await again.leave()
    expect(inTree('status', '--porcelain')).toBe('')
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
    const worktree = await open()
    write(worktree.cwd, { 'new.crlf': 'n\r\n', 'new.big': 'n\n' })
    await land(worktree)
    await worktree.leave()
    expect(world.git('diff', '--name-status', 'main', 'task')).toBe('A\tnew.big\nA\tnew.crlf\n')
    expect(world.gitIn(world.top, 'cat-file', '-p', 'task:new.crlf')).toBe('n\r\n')
    expect(treeOf(at())).toEqual({ ...files, 'new.crlf': 'n\r\n', 'new.big': 'n\n' })
    await (await open()).remove()
  })

  it('tells that the branch has moved meanwhile, and loses nothing', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const worktree = await open()
    write(worktree.cwd, { 'b.txt': 'b\n' })
    const other = world.git('commit-tree', '-p', 'task', '-m', 'other', 'task^{tree}').trim()
    world.git('update-ref', 'refs/heads/task', other)
    await expect(land(worktree)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The branch task has moved while relay worked on it',
    })
    expect(world.git('rev-parse', 'task').trim()).toBe(other)
    await expect(open()).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('b.txt (task has'),
    })
    expect(treeOf(at())).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    expect((await open({}, { discard: true })).start).toBe(other)
    expect(treeOf(at())).toEqual({ 'a.txt': 'a\n' })
  })

  it('is made again where its folder was deleted, and no other one is forgotten', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const other = join(world.home, 'other')
    world.git('worktree', 'add', '-q', other)
    renameSync(other, `${other}-unplugged`)
    await open()
    rmSync(at(), { recursive: true })
    const worktree = await open()
    expect(treeOf(worktree.cwd)).toEqual({ 'a.txt': 'a\n' })
    await worktree.leave()
    expect(inTree('status', '--porcelain', '--branch')).toBe('## task\n')
    expect(world.git('worktree', 'list', '--porcelain')).toContain(`worktree ${other}\n`)
  })

  it('goes on with what the agent made where relay was stopped', async () => {
    world.commit({ 'a.txt': 'a\n' })
    write((await open()).cwd, { 'b.txt': 'b\n' })
    const worktree = await open()
    expect([worktree.isLeft, await madeIn(worktree)]).toEqual([true, { 'b.txt': 'nothing => "b\\n"' }])
    await land(worktree)
    expect(world.git('show', '--format=%s', '--name-only', 'task')).toBe('Do it\n\nb.txt\n')
  })

  it('is left alone where somebody changed it since relay left it, until that is committed or dropped', async () => {
    world.commit({ 'a.txt': 'a\n' })
    await (await open()).leave()
    write(at(), { 'a.txt': 'mine\n', 'b.txt': 'b\n' })
    await expect(open()).rejects.toMatchObject({
      kind: 'conflict',
      message: `In ${at()} there is what relay did not leave there: a.txt, b.txt`,
      hint: `Commit it with \`git -C ${at()} commit -a\`, or drop it with --discard-checkout.`,
    })
    expect(treeOf(at())).toEqual({ 'a.txt': 'mine\n', 'b.txt': 'b\n' })
    inTree('add', '-A')
    inTree('commit', '-qm', 'mine')
    const worktree = await open()
    expect(await madeIn(worktree)).toEqual({})
    await worktree.leave()
    write(at(), { 'c.txt': 'c\n', 'a.txt': 'x\n', 'new/d.txt': 'd\n' })
    inTree('init', '-q', 'repository')
    expect(await madeIn(await open({}, { discard: true }))).toEqual({})
    expect(treeOf(at())).toEqual({ 'a.txt': 'mine\n', 'b.txt': 'b\n' })
  })

  it('may be one that the user made, if nothing in it is left to commit', async () => {
    world.commit({ 'a.txt': 'a\r\n' })
    world.git('config', 'core.autocrlf', 'true')
    world.git('worktree', 'add', '-q', '-b', 'task', at())
    write(at(), { 'b.txt': 'b\n' })
    await expect(open()).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('there: b.txt') })
    expect(treeOf(at())).toEqual({ 'a.txt': 'a\r\n', 'b.txt': 'b\n' })
    rmSync(join(at(), 'b.txt'))
    expect(await madeIn(await open())).toEqual({})
  })

  it('is not removed with something in it', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const worktree = await open()
    write(worktree.cwd, { 'b.txt': 'b\n' })
    await expect(worktree.remove()).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('b.txt'),
    })
    expect(treeOf(at())).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  })

  it('tells what the agent called its own last commit, and obeys nothing of its repository for that', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const worktree = await open()
    expect(await worktree.agentsSubject()).toBeUndefined()
    write(at(), { 'a.txt': 'b\n' })
    inTree('commit', '-qam', 'RAF[01:02] Do \u001b[31mit\n\nMore.')
    expect(await worktree.agentsSubject()).toBe('RAF[01:02] Do [31mit')
    const ran = join(world.home, 'ran')
    write(world.home, { evil: `#!/bin/sh\ntouch ${ran}\n` })
    inTree('config', 'core.fsmonitor', join(world.home, 'evil'))
    inTree('config', 'core.alternateRefsCommand', join(world.home, 'evil'))
    expect([await worktree.agentsSubject(), existsSync(ran)]).toEqual(['RAF[01:02] Do [31mit', false])
    const head = join(at(), '.git/HEAD')
    for (const text of ['ref: refs/heads/../../HEAD', 'x', `${'0'.repeat(40)}`, '']) {
      writeFileSync(head, `${text}\n`)
      expect(await worktree.agentsSubject()).toBeUndefined()
    }
    rmSync(head)
    symlinkSync('/dev/zero', head)
    expect(await worktree.agentsSubject()).toBeUndefined()
  })

  it('is of the folder that the project lies in, and tells what was made around it', async () => {
    world.commit({ 'pack/a.txt': 'a\n', 'b.txt': 'b\n' })
    const worktree = await open({ root: join(world.top, 'pack') })
    expect(worktree.cwd).toBe(join(at(), 'pack/'))
    write(at(), { 'pack/a.txt': 'x\n', 'c.txt': 'c\n' })
    expect(await madeIn(worktree)).toEqual({ 'a.txt': '"a\\n" => "x\\n"', 'outside c.txt': 'changed' })
  })

  it('begins where it is told to, once', async () => {
    world.commit({ 'a.txt': 'a\n' })
    world.git('branch', 'base')
    world.write({ 'b.txt': 'b\n' })
    world.git('add', '-A')
    world.git('commit', '-qm', 'second')
    const worktree = await open({ from: 'base' })
    expect(treeOf(worktree.cwd)).toEqual({ 'a.txt': 'a\n' })
    expect((await open({ from: 'main' })).start).toBe(worktree.start)
  })

  it.each<[string, () => unknown, Partial<WorktreePlace>, string]>([
    ['a folder of others', () => write(at(), { 'x.txt': 'x\n' }), {}, 'is no work tree of this repository'],
    [
      'a repository of others',
      () => {
        write(at(), { 'x.txt': 'x\n' })
        inTree('init', '-q')
      },
      {},
      'is no work tree of this repository',
    ],
    [
      'a branch that is checked out elsewhere',
      () => world.git('worktree', 'add', '-q', '-b', 'task', join(world.home, 'other')),
      {},
      'The branch task is checked out in',
    ],
    ['the branch of the user', () => {}, { branch: 'main' }, 'The branch main is checked out in'],
    [
      'another branch in its place',
      () => world.git('worktree', 'add', '-q', '-b', 'mine', at()),
      {},
      'has mine checked out, and not task',
    ],
    ['a name that no branch has', () => {}, { branch: '-x..y' }, 'cannot be the name of a branch'],
    ['a begin that is not there', () => {}, { from: 'nowhere' }, 'There is no commit nowhere'],
    ['a begin that is an option', () => {}, { from: '--all' }, 'There is no commit --all'],
    [
      'a submodule',
      () => {
        world.gitIn(world.home, 'clone', '-q', world.top, 'sub')
        world.git('submodule', '--quiet', 'add', join(world.home, 'sub'), 'sub')
        world.git('commit', '-qm', 'sub')
      },
      {},
      'sub is another git repository',
    ],
  ])('is refused with %s, and nothing changes', async (_, prepare, place, message) => {
    world.commit({ 'a.txt': 'a\n' })
    prepare()
    const before = existsSync(at()) ? treeOf(at(), '') : {}
    const refs = world.git('for-each-ref')
    await expect(open(place)).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(message) })
    expect([existsSync(at()) ? treeOf(at(), '') : {}, world.git('for-each-ref')]).toEqual([before, refs])
  })

  it('is refused without a commit, and without a repository', async () => {
    await expect(open()).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('is not in a git') })
    world.git('init', '-q')
    await expect(open()).rejects.toMatchObject({ kind: 'usage', message: 'There is no commit here yet' })
  })
})
