import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
  world.commit({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n', 'pack/c.txt': 'c\n', run: 'r\n' })
})
afterEach(() => world.remove())

type Side = (folder: string) => void
const edit =
  (files: Readonly<Record<string, string>>): Side =>
  folder =>
    write(folder, files)
const remove =
  (path: string): Side =>
  folder =>
    rmSync(join(folder, path), { recursive: true })

describe('a checkout that is brought forward', () => {
  it.each<[string, Side, Side, object]>([
    ['an edit in another file', edit({ 'a.txt': 'w\n' }), edit({ 'b.txt': 'm\n' }), { 'a.txt': 'w\n', 'b.txt': 'm\n' }],
    [
      'an edit elsewhere in the file',
      edit({ 'a.txt': 'w\n2\n3\n4\n5\n' }),
      edit({ 'a.txt': '1\n2\n3\n4\nm\n' }),
      { 'a.txt': 'w\n2\n3\n4\nm\n' },
    ],
    ['the same edit', edit({ 'a.txt': 'w\n' }), edit({ 'a.txt': 'w\n' }), { 'a.txt': 'w\n' }],
    ['a deletion of another file', edit({ 'a.txt': 'w\n' }), remove('b.txt'), { 'b.txt': undefined }],
    ['an edit beside a deletion', remove('b.txt'), edit({ 'a.txt': 'm\n' }), { 'a.txt': 'm\n', 'b.txt': undefined }],
    ['a mode beside an edit', f => chmodSync(join(f, 'a.txt'), 0o755), edit({ 'a.txt': 'm\n' }), { 'a.txt': 'x m\n' }],
    [
      'a link',
      edit({ 'new.txt': '-> b.txt' }),
      edit({ 'odd\nname': 'm\n' }),
      { 'new.txt': '-> b.txt', 'odd\nname': 'm\n' },
    ],
  ])('has the work and %s', async (_, work, mine, expected) => {
    const checkout = await world.open()
    const { id } = checkout
    work(checkout.cwd)
    mine(world.top)
    const there = treeOf(world.top)
    expect(await checkout.bringForward()).toMatchObject({ kind: 'forward' })
    expect({ b: undefined, ...treeOf(checkout.cwd) }).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, text]) => text !== undefined)),
    )
    for (const [path, text] of Object.entries(expected)) expect(treeOf(checkout.cwd)[path]).toBe(text)
    expect(checkout.id).not.toBe(id)
    const again = await world.reopen(checkout)
    expect([again.id, await madeIn(again)]).toEqual([checkout.id, await madeIn(checkout)])
    expect(treeOf(world.top)).toEqual(there)
  })

  it.each<[string, Side, Side, string]>([
    ['an edit of the same line', edit({ 'b.txt': 'w\n' }), edit({ 'b.txt': 'm\n' }), 'b.txt'],
    ['a deletion', edit({ 'b.txt': 'w\n' }), remove('b.txt'), 'b.txt'],
    ['a folder in the place of a file', edit({ new: 'w\n' }), edit({ 'new/x.txt': 'm\n' }), 'new'],
    ['a file in the place of a folder', edit({ 'new/x.txt': 'w\n' }), edit({ new: 'm\n' }), 'new/x.txt'],
  ])('stays as it is where the work overlaps with %s', async (_, work, mine, path) => {
    const checkout = await world.open()
    const { id } = checkout
    work(checkout.cwd)
    mine(world.top)
    const before = treeOf(checkout.cwd)
    expect(await checkout.bringForward()).toEqual({ kind: 'overlap', paths: [path] })
    expect([treeOf(checkout.cwd), checkout.id]).toEqual([before, id])
  })

  it('has another id with each renewal, and the same one while nothing changes', async () => {
    const checkout = await world.open()
    const { id } = checkout
    expect(await checkout.bringForward()).toEqual({ kind: 'forward', beneath: [] })
    expect([checkout.id, (await world.reopen(checkout)).id]).toEqual([id, id])
    await checkout.sync()
    await checkout.renew()
    expect(checkout.id).not.toBe(id)
  })

  it('holds the merged work where relay was stopped in the middle', async () => {
    const checkout = await world.open()
    write(checkout.cwd, { 'a.txt': 'w\n', 'new.txt': 'n\n' })
    world.write({ 'b.txt': 'm\n' })
    const { files } = world.system
    let notes = 0
    const { replace } = files
    files.replace = async (path, ...more) => {
      if (path.endsWith('checkout.json') && ++notes > 1) throw new Error('relay was stopped')
      return replace.call(files, path, ...more)
    }
    await expect(checkout.bringForward()).rejects.toThrow('relay was stopped')
    files.replace = replace
    const note = readFileSync(join(dirname(checkout.cwd), 'checkout.json'), 'utf8')
    expect(note).toContain('"coming"')
    rmSync(join(checkout.cwd, 'new.txt'))
    const again = await world.reopen(checkout)
    expect(treeOf(again.cwd)).toMatchObject({ 'a.txt': 'w\n', 'b.txt': 'm\n', 'new.txt': 'n\n' })
    expect(await madeIn(again)).toMatchObject({ 'new.txt': 'nothing => "n\\n"' })
    expect(Object.keys(await madeIn(again))).toEqual(['a.txt', 'new.txt'])
  })
})
