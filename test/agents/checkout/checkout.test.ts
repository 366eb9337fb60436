import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCheckout } from '../../../src/agents/checkout/checkout.ts'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

describe('a checkout', () => {
  it('holds the folder as it is, with what is not committed', async () => {
    world.commit({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'gone.txt': 'gone\n',
      '.gitignore': 'ignored/\n',
      'run.sh': '#!/bin/sh\n',
    })
    world.write({ 'b.txt': 'edited\n', 'new/c.txt': 'c\n', 'ignored/d.txt': 'd\n', link: '-> a.txt' })
    unlinkSync(join(world.top, 'gone.txt'))
    const checkout = await world.open()
    expect(treeOf(checkout.cwd)).toEqual({
      '.gitignore': 'ignored/\n',
      'a.txt': 'a\n',
      'b.txt': 'edited\n',
      'new/c.txt': 'c\n',
      'run.sh': 'x #!/bin/sh\n',
      link: '-> a.txt',
    })
    expect(checkout.leftOut).toEqual([])
    expect(await madeIn(checkout)).toEqual({})
  })

  it('tells what was written, deleted, moved and linked, and which file may be executed', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
    world.commit({
      'a.txt': 'a\n',
      'gone.txt': 'gone\n',
      'old.txt': 'moved\n',
      tool: 'tool\n',
      'f/x.txt': 'x\n',
      g: 'g\n',
    })
    const checkout = await world.open()
    write(checkout.cwd, {
      'a.txt': 'a\r\nb\r\n',
      'new/binary': bytes,
      'to-a': '-> a.txt',
      'blank \n ü "quoted".txt': 'odd\n',
    })
    unlinkSync(join(checkout.cwd, 'gone.txt'))
    renameSync(join(checkout.cwd, 'old.txt'), join(checkout.cwd, 'new/place.txt'))
    chmodSync(join(checkout.cwd, 'tool'), 0o755)
    rmSync(join(checkout.cwd, 'f'), { recursive: true })
    rmSync(join(checkout.cwd, 'g'))
    write(checkout.cwd, { f: '-> /etc', 'g/y.txt': 'y\n' })
    const expected = {
      'a.txt': '"a\\n" => "a\\r\\nb\\r\\n"',
      'blank \n ü "quoted".txt': 'nothing => "odd\\n"',
      f: 'nothing => -> /etc',
      'f/x.txt': '"x\\n" => nothing',
      g: '"g\\n" => nothing',
      'g/y.txt': 'nothing => "y\\n"',
      'gone.txt': '"gone\\n" => nothing',
      'new/binary': `nothing => ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`,
      'new/place.txt': 'nothing => "moved\\n"',
      'old.txt': '"moved\\n" => nothing',
      'to-a': 'nothing => -> a.txt',
      tool: '"tool\\n" => x "tool\\n"',
    }
    expect(await madeIn(checkout)).toEqual(expected)
    expect(await madeIn(checkout)).toEqual(expected)
  })

  it('is brought to the folder as it is now', async () => {
    world.commit({ 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': '/out/\n' })
    const checkout = await world.open()
    write(checkout.cwd, {
      'a.txt': 'agent\n',
      'new.txt': 'new\n',
      'out/built': '1\n',
      '.git/hooks/post-commit': '#!/bin/sh\n',
    })
    world.write({ 'b.txt': 'mine\n', '.gitignore': '/out/\n/new.txt\n' })
    await checkout.renew()
    expect(treeOf(checkout.cwd)).toEqual({ ...treeOf(world.top), 'out/built': '1\n' })
    expect(await madeIn(checkout)).toEqual({})
    write(checkout.cwd, { 'b.txt': 'agent\n', 'new.txt': 'ignored\n' })
    expect(await madeIn(checkout)).toEqual({ 'b.txt': '"mine\\n" => "agent\\n"' })
    expect(existsSync(join(checkout.cwd, '.git/hooks/post-commit'))).toBe(false)
  })

  it('is brought there whatever was done in it since its changes were told', async () => {
    const checkout = await world.commit({ a: '1' }).open()
    write(checkout.cwd, { a: '2', told: '2' })
    expect((await checkout.changes()).changes.map(({ path }) => path)).toEqual(['a', 'told'])
    await checkout.setUp(() => Promise.reject(new Error('there is none')))
    write(checkout.cwd, { a: '3', later: '3' })
    await checkout.renew()
    expect(await checkout.changes()).toEqual({ changes: [], outside: [] })
    expect(readdirSync(checkout.cwd).toSorted()).toEqual(['.git', 'a'])
  })

  it('is opened as it stands by a later relay, unless it was never finished', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const folder = join(world.home, 'left')
    mkdirSync(folder)
    const checkout = await openCheckout(world.top, folder, world.system)
    write(checkout.cwd, { 'a.txt': 'agent\n' })
    world.write({ 'a.txt': 'mine\n' })
    expect(await madeIn(await openCheckout(world.top, folder, world.system))).toEqual({
      'a.txt': '"a\\n" => "agent\\n"',
    })
    rmSync(join(folder, 'checkout.json'))
    const again = await openCheckout(world.top, folder, world.system)
    expect(treeOf(again.cwd)).toEqual({ 'a.txt': 'mine\n' })
    expect(await madeIn(again)).toEqual({})
  })

  it('is removed whole, also where folders in it are closed', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const checkout = await world.open()
    write(checkout.cwd, { 'closed/b.txt': 'b\n' })
    chmodSync(join(checkout.cwd, 'closed'), 0o555)
    await checkout.remove()
    expect(readdirSync(join(checkout.cwd, '..'))).toEqual([])
    expect(treeOf(world.top)).toEqual({ 'a.txt': 'a\n' })
  })

  it('has a repository for the agent that shows its work, and has nothing of the user', async () => {
    world.commit({ 'a.txt': 'a\n' })
    world.git('remote', 'add', 'origin', 'https://example.com/x.git')
    const { cwd } = await world.open()
    write(cwd, { 'a.txt': 'b\n' })
    const git = (...args: readonly string[]) => world.gitIn(cwd, ...args)
    expect(git('status', '--porcelain', '--branch')).toBe('## main\n M a.txt\n')
    expect(git('log', '--format=%an %s')).toBe('relay The start\n')
    expect(git('remote')).toBe('')
    git('commit', '-q', '-am', 'mine')
    expect(git('fsck', '--strict', '--no-dangling')).toBe('')
  })

  it('tells the same whatever the agent did in its repository', async () => {
    world.commit({ 'a.txt': 'a\n' })
    const checkout = await world.open()
    write(checkout.cwd, { 'a.txt': 'b\n', 'b.txt': 'new\n' })
    const expected = { 'a.txt': '"a\\n" => "b\\n"', 'b.txt': 'nothing => "new\\n"' }
    world.gitIn(checkout.cwd, 'add', '-A')
    world.gitIn(checkout.cwd, 'commit', '-q', '-m', 'mine')
    expect(await madeIn(checkout)).toEqual(expected)
    rmSync(join(checkout.cwd, '.git'), { recursive: true })
    expect(await madeIn(checkout)).toEqual(expected)
    write(checkout.cwd, { '.git': `gitdir: ${join(world.top, '.git')}\n` })
    expect(await madeIn(checkout)).toEqual(expected)
  })
})
