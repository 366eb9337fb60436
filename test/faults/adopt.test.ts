import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { AgentChange } from '../../src/model/agent-changes.ts'
import type { PathState } from '../../src/model/plan.ts'
import { builtSource } from '../support/built-source.ts'
import { fakeConfig } from '../support/fake-project.ts'
import { change, linkTo, program } from '../support/made.ts'
import { plainEnv } from '../support/real-relay.ts'
import { points, tryEach } from './sample.ts'
import { inWorld, leftOver, type World } from './world.ts'

/** What an agent made: text, bytes, programs and links, in each other's places. */
const made = [
  change('modified.ts', 'modified\n', 'changed\n'),
  change('tool', program('#!/bin/sh\n'), linkTo('real.ts')),
  change('linked.ts', linkTo('real.ts'), 'linked no more\n'),
  change('gone-link.ts', linkTo('real.ts'), linkTo('untouched.ts')),
  change('empty.ts', '', Uint8Array.of(0, 255)),
  change('fresh/run', null, program('#!/bin/sh\necho new\n')),
  change('fresh/deep/up', null, linkTo('../..')),
  change('new.ts', null, 'new\n'),
  change('only/one.ts', 'the last one\n', null),
  change('deleted.ts', 'deleted\n', null),
]

const built = builtSource()
const folder = mkdtempSync(join(tmpdir(), 'relay-adopt-'))
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Adopts what it is told to, says yes to everything, and prints how that ended. */
const driver = join(folder, 'adopt.mjs')
writeFileSync(
  driver,
  `import { adopt } from '${built.url('flows/adopt.js')}'
import { realSystem } from '${built.url('system/system.js')}'
import { syncBuiltinESMExports } from 'node:module'
// The faults are in the calls of what is loaded already.
syncBuiltinESMExports()
const [changes, umask, config] = JSON.parse(process.env.MADE, (key, value) => key === 'bytes' ? Buffer.from(value, 'base64') : value)
process.umask(umask)
const system = realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() })
const talk = { present: true, report() {}, ask: async () => 'yes' }
const made = { changes, source: 'agent:fake', reasoning: 'Done.' }
const { kind } = await adopt(made, { root: process.cwd(), config }, system, talk)
console.log(kind)
`,
)

interface Options {
  readonly fault?: string
  readonly log?: string
  readonly umask?: number
}

/** Runs the driver to its end, hurt where it is told to be. */
function run({ root }: World, changes: readonly AgentChange[], { fault, log, umask = 0o022 }: Options = {}) {
  const plain = changes.map(({ path, base, made }) => ({ path, base: inText(base), made: inText(made) }))
  const load = fault === undefined && log === undefined ? [] : ['--import', resolve('test/faults/faulty.js')]
  const env = plainEnv({
    MADE: JSON.stringify([plain, umask, fakeConfig()]),
    ...(fault === undefined ? {} : { RELAY_FAULT: fault }),
    ...(log === undefined ? {} : { RELAY_FAULT_LOG: log }),
  })
  const child = spawn(process.execPath, [...load, driver], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return new Promise<{ readonly said: string; readonly signal: string | null }>(done => {
    child.on('close', (_, signal) => done({ said: said.trim(), signal }))
  })
}

function inText(state: PathState): unknown {
  return state?.kind === 'file' ? { ...state, bytes: Buffer.from(state.bytes).toString('base64') } : state
}

/** Its uuid is known to nobody beforehand. */
function committed({ root }: World): boolean {
  return readdirSync(join(root, '.relaycode')).some(name => /^[0-9a-f-]{36}\.yml$/.test(name))
}

describe('what an agent made, on the real disk', () => {
  it('gets the permission bits that the umask leaves', async () => {
    await inWorld({}, async world => {
      expect(await run(world, made, { umask: 0o027 })).toEqual({ said: 'committed', signal: null })
      const { 'fresh/run': ran, 'new.ts': text, 'linked.ts': linked, tool } = world.tree()
      expect([ran, text, linked, tool].map(each => each?.split(' ').slice(0, 2))).toEqual([
        ['file', '750'],
        ['file', '640'],
        ['file', '640'],
        ['link', 'to'],
      ])
    })
  })

  it('is there as a whole or not at all when relay is killed', async () => {
    const log = join(folder, 'log')
    const whole = await inWorld({}, async world => {
      const before = world.tree()
      await run(world, made, { log })
      const steps = readFileSync(log, 'utf8').match(/^\d+ /gm)?.length ?? 0
      return { before, after: world.tree(), steps }
    })
    const wrong = await tryEach('adopted, killed', points(whole.steps, 16), step =>
      inWorld({}, async world => {
        const killed = await run(world, made, { fault: `kill change ${step}` })
        if (killed.signal !== 'SIGKILL') return [`was not killed, but said ${killed.said}`]
        const again = await run(world, [])
        expect(again.said).toBe('unchanged')
        expect(world.tree()).toEqual(committed(world) ? whole.after : whole.before)
        return leftOver(world, false)
      }),
    )
    expect(wrong).toEqual([])
  })
})
