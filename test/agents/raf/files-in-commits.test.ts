import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { filesInCommits } from '../../../src/agents/raf/files-in-commits.ts'
import { realSystem } from '../../../src/system/system.ts'
import { World } from '../checkout/world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

describe('the files of plans in commits', () => {
  it('are read for many commits at once, each as it is there', async () => {
    const latin = Uint8Array.of(0x61, 0xe9, 0x62)
    world.commit({ 'a.txt': 'a' })
    world.write({ 'RAF/abcdef-one/plans/01-a.md': 'é\n\n', 'RAF/abcdef-one/input.md': '' }).git('add', '-A')
    world.git('commit', '-qm', 'one')
    world.write({ 'RAF/abcdef-one/plans/01-a.md': 'later', 'RAF/abcdef-one/note.txt': 'n\n' })
    world.write({ 'RAF/abcdef-one/plans/02-b.md': latin, 'RAF/abcdef-one/plans/03-c.md': 'last' }).git('add', '-A')
    world.git('commit', '-qm', 'two')
    const system = {
      ...realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() }),
      ...world.system,
    }
    const calls: string[] = []
    const run: typeof system.programs.run = (argv, options) => {
      calls.push(argv.join(' '))
      return system.programs.run(argv, options)
    }
    const places = ['HEAD~2', 'HEAD~1', 'HEAD'].map(commit => ({ commit, folder: 'RAF/abcdef-one' }))
    const [none, one, two] = await filesInCommits(`${world.top}/.git`, places, {
      ...system,
      programs: { ...system.programs, run },
    })
    expect(calls).toHaveLength(3)
    const text = async (files: typeof one, path: string) => {
      const found = await files?.inspect(`/RAF/abcdef-one/${path}`)
      return found?.kind === 'file' ? new TextDecoder().decode(found.bytes) : found
    }
    expect(await none?.list('/RAF/abcdef-one')).toBeNull()
    expect(await one?.list('/RAF/abcdef-one')).toEqual(['input.md', 'plans'])
    expect([await text(one, 'plans/01-a.md'), await text(one, 'input.md')]).toEqual(['é\n\n', ''])
    expect(await text(two, 'plans/01-a.md')).toBe('later')
    expect(calls).toHaveLength(3)
    // What is no UTF-8 has another size in the answer: it, and what follows it, is read alone.
    expect([await text(two, 'plans/02-b.md'), await text(two, 'plans/03-c.md')]).toEqual(['a\ufffdb', 'last'])
    expect(await text(two, 'note.txt')).toBe('n\n')
  })
})
