import { existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bringBack, withConfirmed } from '../../../src/agents/checkout/turn-files.ts'
import type { ConfirmedFiles } from '../../../src/model/agent.ts'
import { treeOf, World, write } from './world.ts'

let world: World
/** The project's folder in the checkout lies in a folder of its own. */
let place: { readonly folder: string; readonly cwd: string; readonly aside: string }
beforeEach(() => {
  world = new World()
  const folder = join(world.home, 'work')
  place = { folder, cwd: join(folder, 'app/'), aside: join(world.home, 'aside') }
  mkdirSync(place.cwd, { recursive: true })
})
afterEach(() => world.remove())

const names = ['.claude/settings.json', '.tools', 'opencode.json', '.env']

function confirmed(files: Readonly<Record<string, string>>): ConfirmedFiles {
  const top = world.top
  return {
    root: join(top, 'app'),
    names,
    files: Object.entries(files).map(([each, text]) => {
      const isAbove = !each.startsWith('app/')
      const path = isAbove ? each : each.slice('app/'.length)
      return { folder: isAbove ? top : join(top, 'app'), isAbove, path, bytes: new TextEncoder().encode(text) }
    }),
  }
}

/** A relay that is killed before one of its steps that change something. */
function dyingAfter(steps: number): World['system'] {
  let left = steps
  const dying = <T extends object>(doors: T): T =>
    new Proxy(doors, {
      get(target, name) {
        const call = Reflect.get(target, name)
        if (typeof call !== 'function') return call
        const isChange = ['replace', 'create', 'rename', 'remove', 'makeFolder', 'removeFolder', 'start'].includes(
          String(name),
        )
        return (...words: readonly unknown[]) => {
          if (left <= 0 || (isChange && left-- <= 0)) throw new Error('killed')
          return Reflect.apply(call, target, words)
        }
      },
    })
  return { ...world.system, files: dying(world.system.files), programs: dying(world.system.programs) }
}

const run = (what: ConfirmedFiles, turn: () => void = () => {}) =>
  withConfirmed(what, place, world.system, async () => {
    const seen = treeOf(place.folder)
    turn()
    return seen
  })

describe('a turn', () => {
  it('begins with what was confirmed, and what the work holds there is back afterwards', async () => {
    const work = {
      'app/.claude/settings.json': 'the work holds it\n',
      'app/.tools/mine/run.sh': 'new\n',
      'app/.tools/same': 'same\n',
      'app/a.txt': 'a\n',
      'opencode.json': 'the work holds it\n',
    }
    write(place.folder, work)
    const was = treeOf(place.folder)
    const files = {
      'app/.claude/settings.json': 'yes\n',
      'app/.tools/same': 'same\n',
      'app/.tools/b/c': 'c\n',
      '.tools/d': 'd\n',
    }
    expect(await run(confirmed(files))).toEqual({
      ...{ 'app/.claude/settings.json': 'yes\n', 'app/.tools/same': 'same\n', 'app/.tools/b/c': 'c\n' },
      ...{ '.tools/d': 'd\n', 'app/a.txt': 'a\n' },
    })
    expect(treeOf(place.folder)).toEqual(was)
    expect([existsSync(place.aside), existsSync(join(place.folder, '.tools'))]).toEqual([false, false])
  })

  it('keeps what it writes there itself', async () => {
    write(place.cwd, { 'opencode.json': 'attempt 1\n', '.tools/a': 'attempt 1\n', '.tools/b': 'attempt 1\n' })
    await run(confirmed({ 'app/opencode.json': 'yes\n', 'app/.tools/b': 'yes\n' }), () => {
      write(place.cwd, { 'opencode.json': 'attempt 2\n', '.tools/c': 'attempt 2\n' })
      rmSync(join(place.cwd, '.tools/b'))
    })
    expect(treeOf(place.cwd)).toEqual({
      'opencode.json': 'attempt 2\n',
      '.tools/a': 'attempt 1\n',
      '.tools/c': 'attempt 2\n',
    })
  })

  it('follows no link of the work', async () => {
    const outside = join(world.home, 'outside')
    write(outside, { 'settings.json': 'outside\n' })
    symlinkSync(outside, join(place.cwd, '.claude'))
    expect(await run(confirmed({ 'app/.claude/settings.json': 'yes\n' }))).toEqual({
      'app/.claude/settings.json': 'yes\n',
    })
    expect(treeOf(outside)).toEqual({ 'settings.json': 'outside\n' })
    expect(readlinkSync(join(place.cwd, '.claude'))).toBe(outside)
  })

  it('takes a folder of many files out as a whole', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`.tools/node_modules/${at}`, 'x\n']))
    write(place.cwd, many)
    expect(await run(confirmed({ 'app/.tools/a': 'yes\n' }))).toEqual({ 'app/.tools/a': 'yes\n' })
    expect(Object.keys(treeOf(place.cwd))).toHaveLength(300)
  })

  it('gets no secrets that its copy does not have', async () => {
    const files = confirmed({ 'app/.env': 'KEY=secret\n' })
    expect(await run(files)).toEqual({})
    write(place.cwd, { '.env': 'NODE_OPTIONS=--require ./x\n' })
    expect(await run(files)).toEqual({ 'app/.env': 'KEY=secret\n' })
    expect(treeOf(place.cwd)).toEqual({ '.env': 'NODE_OPTIONS=--require ./x\n' })
  })

  it('loses nothing that it has in its place, wherever relay is killed', async () => {
    const work = {
      '.claude/settings.json': 'the work holds it\n',
      '.tools/a': 'a\n',
      'opencode.json': 'the work holds it\n',
    }
    const files = confirmed({ 'app/.claude/settings.json': 'yes\n', 'app/opencode.json': 'yes\n' })
    for (let steps = 0, isDone = false; !isDone; steps++) {
      rmSync(place.cwd, { recursive: true })
      write(place.cwd, work)
      isDone = await withConfirmed(files, place, dyingAfter(steps), async () => true).catch(() => false)
      await bringBack(place.aside, world.system)
      expect({ steps, tree: treeOf(place.cwd) }).toEqual({ steps, tree: work })
      expect(existsSync(place.aside)).toBe(false)
    }
  })
})
