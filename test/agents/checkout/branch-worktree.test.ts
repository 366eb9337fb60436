import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type BranchWorktree,
  bringWorktree,
  detachWorktree,
  ensureWorktree,
  removeWorktree,
} from '../../../src/agents/checkout/branch-worktree.ts'
import { treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
  world.commit({
    '.gitignore': 'ignored\n',
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'gone.txt': 'g\n',
    run: '1\n',
    to: '-> a.txt',
  })
  world.git('branch', 'task')
})
afterEach(() => world.remove())

const at = () => join(world.home, 'worktrees/task')
const note = () => join(world.home, 'note.json')
const inTree = (...args: readonly string[]) => world.gitIn(at(), ...args)
const given = (): BranchWorktree => {
  const gitDir = join(world.top, '.git')
  const repository = { top: world.top, gitDir, shared: gitDir }
  return { at: at(), branch: 'task', repository, note: note(), timeLimit: 60 }
}
const bring = (makes = false) => bringWorktree(given(), world.system, { makes })
const detach = () => detachWorktree(given(), world.system)
const remove = () => removeWorktree(given(), world.system)
const add = () => world.git('worktree', 'add', '-q', at(), 'task')

/** The branch moves by a commit that is made elsewhere. Gives what the work tree is to hold then. */
function move(): Record<string, string> {
  const elsewhere = join(world.home, 'elsewhere')
  world.git('worktree', 'add', '-q', '--detach', elsewhere, 'task')
  for (const path of ['gone.txt', 'to']) rmSync(join(elsewhere, path))
  write(elsewhere, { 'a.txt': 'A\n', 'new/c.txt': 'c\n', run: '#!1\n', to: '-> b.txt' })
  writeFileSync(join(elsewhere, 'run'), '1\n')
  world.gitIn(elsewhere, 'add', '-A')
  world.gitIn(elsewhere, 'commit', '-qm', 'second')
  world.git('update-ref', 'refs/heads/task', world.gitIn(elsewhere, 'rev-parse', 'HEAD').trim())
  const tree = treeOf(elsewhere)
  world.git('worktree', 'remove', elsewhere)
  return tree
}
const status = () => inTree('status', '--porcelain', '--branch', '--untracked-files=all')
const switchIt = () => `\`git -C ${at()} switch task\``

describe('the work tree of a branch', () => {
  it('is off its branch while relay works on it, and on it afterwards', async () => {
    add()
    await detach()
    expect(status()).toBe('## HEAD (no branch)\n')
    const made = move()
    expect(await bring()).toBeUndefined()
    expect([status(), treeOf(at()), existsSync(note())]).toEqual(['## task\n', made, false])
  })

  it('is made where one is wished for, and only there', async () => {
    expect(await bring()).toBeUndefined()
    expect(existsSync(at())).toBe(false)
    expect(await bring(true)).toBeUndefined()
    expect(status()).toBe('## task\n')
    rmSync(at(), { recursive: true })
    expect(await ensureWorktree(given(), world.system)).toBe(at())
    expect(status()).toBe('## HEAD (no branch)\n')
    const made = move()
    expect([await bring(), treeOf(at())]).toEqual([undefined, made])
  })

  it('is nothing else that lies at its place', async () => {
    write(at(), { 'mine.txt': 'm\n' })
    expect(await ensureWorktree(given(), world.system)).toBeUndefined()
    expect(await bring(true)).toBe(`${at()} is there already, and is no work tree of this repository`)
    expect([await remove(), treeOf(at())]).toEqual([undefined, { 'mine.txt': 'm\n' }])
  })

  it('keeps edits that are not in the way', async () => {
    add()
    await detach()
    write(at(), { 'b.txt': 'mine\n', 'own.txt': 'own\n' })
    const made = move()
    expect(await bring()).toBeUndefined()
    expect(treeOf(at())).toEqual({ ...made, 'b.txt': 'mine\n', 'own.txt': 'own\n' })
    expect(status()).toBe('## task\n M b.txt\n?? own.txt\n')
  })

  it.each<[string, () => void, string]>([
    ['an edit', () => write(at(), { 'a.txt': 'mine\n' }), 'a.txt'],
    ['a new file', () => write(at(), { 'new/c.txt': 'mine\n' }), 'new/c.txt'],
    [
      'a new file that git ignores',
      () => write(at(), { '.git-info': '', 'new/c.txt': 'mine\n', 'new/.gitignore': '*\n' }),
      'new/c.txt',
    ],
  ])('stays as it is where %s is in the way, and goes on when that is gone', async (_, edit, path) => {
    add()
    await detach()
    edit()
    const before = treeOf(at())
    move()
    const said = await bring()
    expect(said).toContain(`there is ${path}. When that is out of the way: ${switchIt()}`)
    expect(treeOf(at())).toEqual(before)
    rmSync(join(at(), path))
    if (path === 'a.txt') inTree('checkout', '-q', '--', 'a.txt')
    expect(await bring()).toBeUndefined()
    expect(status()).toContain('## task\n')
  })

  it.each(['untracked', 'ignored', 'staged'])(
    'takes a new file (%s) that the branch has as well for none',
    async how => {
      add()
      await detach()
      write(at(), { 'new/c.txt': 'c\n' })
      if (how === 'ignored') write(world.top, { '.git/info/exclude': 'c.txt\n' })
      if (how === 'staged') inTree('add', 'new/c.txt')
      const made = move()
      expect(await bring()).toBeUndefined()
      expect([status(), treeOf(at())]).toEqual(['## task\n', made])
    },
  )

  it('is left where commits of the user are in it', async () => {
    add()
    await detach()
    write(at(), { 'a.txt': 'mine\n' })
    inTree('commit', '-qam', 'mine')
    const before = [treeOf(at()), inTree('rev-parse', 'HEAD')]
    move()
    const said = `${at()} stays as it is: you have worked there on no branch. \`git -C ${at()} log task..HEAD\` shows your commits, ${switchIt()} leaves them`
    expect([await bring(), await remove()]).toEqual([said, said])
    await detach()
    expect([treeOf(at()), inTree('rev-parse', 'HEAD')]).toEqual(before)
  })

  it('is left where the user has checked out another branch', async () => {
    add()
    await detach()
    inTree('switch', '-q', '-c', 'other')
    const said = `${at()} stays as it is: other is checked out there (${switchIt()})`
    expect([await bring(), await remove(), status()]).toEqual([said, said, '## other\n'])
  })

  it('is removed where nothing of the user lies in it, with its note', async () => {
    add()
    await detach()
    expect([await remove(), existsSync(at()), existsSync(note())]).toEqual([undefined, false, false])
  })

  it.each<[string, () => void, string]>([
    ['an edit', () => write(at(), { 'a.txt': 'mine\n' }), 'a.txt'],
    ['a new file', () => write(at(), { 'n.txt': 'mine\n' }), 'n.txt'],
    ['a file that git ignores', () => write(at(), { ignored: 'mine\n' }), 'ignored'],
    [
      'an edit that git was told to overlook',
      () => {
        inTree('update-index', '--assume-unchanged', 'a.txt')
        write(at(), { 'a.txt': 'mine\n' })
      },
      'a.txt',
    ],
  ])('is not removed with %s in it', async (_, edit, path) => {
    add()
    await detach()
    edit()
    const before = treeOf(at())
    expect(await remove()).toBe(
      `${at()} stays: it holds ${path}. When you need nothing of it any more: \`git worktree remove --force ${at()}\``,
    )
    expect(treeOf(at())).toEqual(before)
  })
})

describe('a switch that was cut short', () => {
  const gitDir = () => join(world.top, '.git/worktrees/task')

  /** As a killed switch leaves it: some files of the new side, and relay's note. */
  async function cutShort(
    wrote: readonly string[],
    { asides = [], lock = true }: { asides?: readonly { path: string; aside: string }[]; lock?: boolean } = {},
  ): Promise<Record<string, string>> {
    add()
    await detach()
    const commit = inTree('rev-parse', 'HEAD').trim()
    const made = move()
    const to = world.git('rev-parse', 'task').trim()
    for (const path of wrote) {
      rmSync(join(at(), path), { force: true })
      const now = made[path]
      if (now !== undefined) write(at(), { [path]: now.replace(/^x /, '') })
      if (now?.startsWith('x ')) chmodSync(join(at(), path), 0o755)
    }
    for (const { path, aside } of asides) {
      mkdirSync(dirname(join(at(), aside)), { recursive: true })
      writeFileSync(join(at(), aside), made[path] ?? '')
    }
    if (lock) writeFileSync(join(gitDir(), 'index.lock'), '')
    writeFileSync(note(), JSON.stringify({ commit, switching: { to, asides } }))
    return made
  }

  it.each([
    ['before any file', []],
    ['after a file', ['a.txt']],
    ['after a new file', ['a.txt', 'new/c.txt']],
    ['after a deletion', ['gone.txt']],
    ['after a link', ['to']],
    ['after a mode', ['run']],
    ['after all files', ['a.txt', 'gone.txt', 'new/c.txt', 'run', 'to']],
  ])('is finished, %s', async (_, wrote) => {
    const made = await cutShort(wrote)
    expect(await bring()).toBeUndefined()
    expect([status(), treeOf(at()), readdirSync(gitDir()).includes('index.lock')]).toEqual(['## task\n', made, false])
  })

  it('is finished where only HEAD was left to move', async () => {
    const made = await cutShort([], { lock: false })
    inTree('read-tree', '-m', '-u', 'HEAD', 'task')
    expect(await bring()).toBeUndefined()
    expect([status(), treeOf(at())]).toEqual(['## task\n', made])
  })

  it('is finished where only the note was left', async () => {
    const made = await cutShort([], { lock: false })
    inTree('switch', '-q', 'task')
    expect([await bring(), status(), treeOf(at())]).toEqual([undefined, '## task\n', made])
  })

  it.each([
    ['before the switch', []],
    ['in it', ['a.txt', 'new/c.txt']],
  ])('brings files back that were moved aside %s', async (_, wrote) => {
    const made = await cutShort(wrote, { asides: [{ path: 'new/c.txt', aside: 'new/.c.txt.relay-aside-1' }] })
    expect(await bring()).toBeUndefined()
    expect([status(), treeOf(at())]).toEqual(['## task\n', made])
  })

  it('keeps what the user wrote since, and names it', async () => {
    await cutShort(['a.txt', 'new/c.txt'])
    write(at(), { 'a.txt': 'mine\n', 'b.txt': 'mine too\n' })
    expect(await bring()).toContain('there is a.txt')
    expect(readFileSync(join(at(), 'a.txt'), 'utf8')).toBe('mine\n')
    expect(status()).toBe('## HEAD (no branch)\n M a.txt\n M b.txt\n')
  })

  it('is undone where relay begins to work again', async () => {
    await cutShort(['a.txt', 'to', 'run', 'new/c.txt'])
    await detach()
    expect(status()).toBe('## HEAD (no branch)\n')
    expect(lstatSync(join(at(), 'to')).isSymbolicLink()).toBe(true)
  })
})
