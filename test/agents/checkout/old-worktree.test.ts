import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBranchCheckout } from '../../../src/agents/checkout/branch-checkout.ts'
import { giveBackOld } from '../../../src/agents/checkout/old-worktree.ts'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
  world.commit({ 'a.txt': 'a\n', 'gone.txt': 'g\n' })
})
afterEach(() => world.remove())

const folder = () => join(world.home, 'relay/projects/p/task')
const outside = () => join(world.home, 'worktrees/task')
const inside = () => join(world.home, 'relay/worktree')
const lockAt = () =>
  join(world.top, '.git/worktrees', readdirSync(join(world.top, '.git/worktrees'))[0] ?? '', 'locked')
const lent = 'relay works here\n'

/** A folder as an older relay left it, with work in the work tree. */
function leave(is: string, at: string, more: object = {}): string {
  world.git('worktree', 'add', '-q', '-b', 'task', at)
  const gitFile = readFileSync(join(at, '.git'), 'utf8')
  mkdirSync(folder(), { recursive: true })
  write(folder(), { 'git-file': gitFile })
  world.git('init', '-q', '--bare', join(folder(), 'git'))
  write(folder(), {
    'git/objects/info/alternates': `${world.top}/.git/objects\n`,
    'git/info/attributes': '* -text -filter\n',
    'git/info/exclude': '.relaycode/\n',
  })
  const [start, base] = world.git('rev-parse', 'main', 'main^{tree}').trim().split('\n')
  world.gitIn(folder(), `--git-dir=${folder()}/git`, `--work-tree=${at}`, 'read-tree', base ?? '')
  write(folder(), {
    index: readFileSync(join(folder(), 'git/index')),
    'worktree.json': JSON.stringify({ is, start, base, ...more }),
  })
  if (is === 'lent') {
    rmSync(join(at, '.git'))
    world.gitIn(at, 'init', '-q')
    writeFileSync(lockAt(), lent)
  }
  write(at, { 'a.txt': 'work\n', 'new.txt': 'n\n' })
  rmSync(join(at, 'gone.txt'))
  return gitFile
}

async function open() {
  return openBranchCheckout({ root: world.top, branch: 'task', folder: folder() }, world.system)
}

const work = { 'a.txt': '"a\\n" => "work\\n"', 'gone.txt': '"g\\n" => nothing', 'new.txt': 'nothing => "n\\n"' }

describe('what an older relay left', () => {
  it.each(['lent', 'left'])(
    "(%s) in a work tree of the user is work in the checkout, and the tree is the user's",
    async is => {
      const gitFile = leave(is, outside())
      const files = treeOf(outside())
      await expect(open()).rejects.toThrow('The branch task is checked out in')
      expect([readFileSync(join(outside(), '.git'), 'utf8'), treeOf(outside())]).toEqual([gitFile, files])
      expect(existsSync(lockAt())).toBe(false)
      world.gitIn(outside(), 'switch', '-q', '--detach')
      expect(await madeIn(await open())).toEqual(work)
      expect(treeOf(outside())).toEqual(files)
      expect(existsSync(join(folder(), 'worktree.json'))).toBe(false)
    },
  )

  it.each(['lent', 'left'])("(%s) in relay's own folder is work in the checkout, and the tree is gone", async is => {
    leave(is, inside())
    expect(await madeIn(await open())).toEqual(work)
    expect(existsSync(inside())).toBe(false)
    expect(await madeIn(await open())).toEqual(work)
  })

  it('(landing) is the work that was to be judged', async () => {
    leave('making', inside())
    const git = [`--git-dir=${folder()}/git`, `--work-tree=${inside()}`]
    world.gitIn(inside(), ...git, 'add', '-A')
    world.gitIn(inside(), ...git, 'rm', '-q', '--cached', '--ignore-unmatch', '.git')
    const tree = world.gitIn(inside(), ...git, 'write-tree').trim()
    const note = JSON.parse(readFileSync(join(folder(), 'worktree.json'), 'utf8'))
    write(folder(), { 'worktree.json': JSON.stringify({ ...note, is: 'landing', landing: { uuid: '1', work: tree } }) })
    write(inside(), { 'a.txt': 'a\n' })
    expect(await madeIn(await open())).toEqual(work)
  })

  it('(making) is begun anew', async () => {
    leave('making', inside())
    expect(await madeIn(await open())).toEqual({})
    expect(existsSync(join(folder(), 'worktree.json'))).toBe(false)
  })

  it('is whole where relay was stopped while it removed the tree', async () => {
    leave('lent', inside())
    const { files } = world.system
    const stopped = Object.assign(Object.create(files), {
      remove: async (path: string) => {
        if (path.endsWith('worktree.json')) throw new Error('relay was stopped')
        return files.remove(path)
      },
    })
    const programs = { ...world.system.programs, run: world.system.programs.run.bind(world.system.programs) }
    const half: typeof programs.run = async (call, ...more) => {
      if (!JSON.stringify(call).includes('"remove"')) return programs.run(call, ...more)
      rmSync(join(inside(), 'a.txt'))
      throw new Error('relay was stopped')
    }
    const system = { ...world.system, files: stopped, programs: { ...programs, run: half } }
    await expect(
      openBranchCheckout({ root: world.top, branch: 'task', folder: folder() }, system as never),
    ).rejects.toThrow('relay was stopped')
    expect(existsSync(join(inside(), 'a.txt'))).toBe(false)
    expect(await madeIn(await open())).toEqual(work)
  })

  it('is given back also where the agent has made a file of its repository', async () => {
    const gitFile = leave('lent', outside())
    rmSync(join(outside(), '.git'), { recursive: true })
    writeFileSync(join(outside(), '.git'), 'gitdir: /nowhere\n')
    expect(await giveBackOld(folder(), world.system)).toBe(outside())
    expect(readFileSync(join(outside(), '.git'), 'utf8')).toBe(gitFile)
  })
})
