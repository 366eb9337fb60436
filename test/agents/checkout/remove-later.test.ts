import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeLater } from '../../../src/agents/checkout/remove-later.ts'
import { removeForGood } from '../../../src/agents/work/remove-for-good.ts'
import type { System } from '../../../src/ports.ts'
import { systemFiles } from '../../../src/system/files/files.ts'
import { systemPrograms } from '../../../src/system/run-program.ts'
import { World } from './world.ts'

let world: World
let state: string
let system: System
beforeEach(() => {
  world = new World()
  state = join(world.home, 'state')
  mkdirSync(join(state, 'checkout/work/src'), { recursive: true })
  mkdirSync(join(state, 'other/work'), { recursive: true })
  writeFileSync(join(state, 'checkout/work/src/a.txt'), 'a\n')
  system = { ...world.system, stateFolder: state, uid: process.getuid?.() } as System
})
afterEach(() => world.remove())

const both = () => [join(state, 'checkout/work'), join(state, 'other/work'), join(state, 'gone')]

it('frees the names at once, and removes the rest at the end', async () => {
  await removeLater(both(), system)
  expect(both().filter(path => existsSync(path))).toEqual([])
  await removeLater([join(state, 'checkout')], system)
  expect(readdirSync(join(state, 'removed')).length).toBeGreaterThan(0)
  await removeForGood(system)
  expect(readdirSync(state)).toEqual(['other'])
})

it('removes at once what cannot be moved, also where an agent took away the right to write', async () => {
  chmodSync(join(state, 'checkout/work'), 0o500)
  const files = { ...systemFiles(world.home), rename: () => Promise.reject(new Error('another disk')) }
  await removeLater([join(state, 'checkout/work')], { ...system, files })
  expect(existsSync(join(state, 'checkout/work'))).toBe(false)
})

it('leaves to a later run what cannot be removed, and says nothing of it', async () => {
  const programs = { ...systemPrograms, run: async () => ({ kind: 'exit', code: 1 }) as const }
  await removeLater(both(), system)
  await removeForGood({ ...system, programs })
  expect(readdirSync(join(state, 'removed')).length).toBeGreaterThan(0)
  await removeForGood(system)
  expect(existsSync(join(state, 'removed'))).toBe(false)
})

it('removes nothing where others can write to the state folder', async () => {
  await removeLater(both(), system)
  chmodSync(state, 0o777)
  await removeForGood(system)
  expect(readdirSync(join(state, 'removed')).length).toBeGreaterThan(0)
})
