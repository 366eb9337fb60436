import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProgram } from '../../../src/agents/checkout/program.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

describe('a rules file of git that is none', () => {
  it.each(['.gitignore', '.gitattributes', 'in/.gitignore', 'new/.gitattributes', 'ignored/deep/.GITIGNORE'])(
    'is refused before git waits for it, and does not stand in the way of the next attempt: %s',
    async path => {
      world.commit({ '.gitignore': 'ignored\n', 'in/a': 'a\n' })
      const checkout = await world.open()
      const at = join(checkout.cwd, path)
      mkdirSync(join(at, '..'), { recursive: true })
      rmSync(at, { force: true })
      execFileSync('mkfifo', [at])
      const message = `The agent made ${path} a pipe, device or socket, which git cannot read`
      await expect(checkout.changes()).rejects.toMatchObject({ kind: 'agent', message })
      expect(existsSync(at)).toBe(false)
      write(checkout.cwd, { '.gitignore': 'ignored\n', 'in/a': 'b\n' })
      expect((await checkout.changes()).changes.map(change => change.path)).toEqual(['in/a'])
    },
  )

  it('may also be a socket', async () => {
    world.commit({ a: 'a\n' })
    const checkout = await world.open()
    const server = createServer()
    try {
      await new Promise<void>(done => server.listen(join(checkout.cwd, '.gitignore'), done))
      await expect(checkout.changes()).rejects.toMatchObject({ kind: 'agent' })
    } finally {
      server.close()
    }
  })
})

describe('a git that does not end', () => {
  it('is named after ten seconds, and ended at the limit', async () => {
    write(join(world.home, 'bin'), { git: '#!/bin/sh\nsleep 60\n' })
    const clock = new FakeClock()
    const slow: string[] = []
    const patience = { limit: 0.5, onSlow: (what: string) => slow.push(what) }
    const env = { PATH: `${join(world.home, 'bin')}:${process.env['PATH']}` }
    const argv = ['git', '-c', 'gc.auto=0', 'status', '-z']
    const running = runProgram(argv, { cwd: world.top }, { ...world.system, env, clock, patience })
    await clock.advance(9_999)
    expect(slow).toEqual([])
    await clock.advance(1)
    const message = '`git status` did not come to its end: it took longer than 0.5 s'
    await expect(running).rejects.toMatchObject({ kind: 'failed', message })
    expect(slow).toEqual(['git status'])
  })
})
