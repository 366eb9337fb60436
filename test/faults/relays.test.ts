import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tally } from '../support/tally.ts'
import { until } from '../support/until.ts'
import { pause, relay, start } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { type Scenario, undisturbed, wrongEnd, wrongRecovery } from './scenarios.ts'
import { answer, inWorld, layOut, leftOver, type World } from './world.ts'

const long = everything ? 3_600_000 : 180_000
const args = ['apply', '--yes', '--allow-sensitive', '-']

/** The lines of the history, oldest first. */
function history(world: World): { readonly number: number; readonly uuid: string; readonly outcome: string }[] {
  return world
    .read('.relaycode/history.jsonl')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** An xclip that gives what is in a file. */
function fakeClipboard() {
  const folder = mkdtempSync(join(tmpdir(), 'relay-clipboard-'))
  const [text, looks] = [join(folder, 'text'), join(folder, 'looks')]
  writeFileSync(text, 'nothing\n')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'xclip'), `#!/bin/sh\ncat '${text}'\necho >> '${looks}'\n`)
  chmodSync(join(folder, 'bin', 'xclip'), 0o755)
  return {
    env: { DISPLAY: ':99', PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    copy: (what: string) => {
      writeFileSync(`${text}.new`, what)
      renameSync(`${text}.new`, text)
    },
    /** What is there at the first look has not been copied for relay. */
    wasSeen: () => existsSync(looks),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

it.each([
  ['at once', 0],
  ['with a formatter', 1],
] as const)(
  'lets twenty relays apply twenty responses one after the other: %s',
  { timeout: long },
  async (_name, format) => {
    const count = everything ? 20 : 6
    await inWorld(format === 1 ? { postCommand: 'echo formatted >> shared.ts' } : {}, async world => {
      const uuids = Array.from({ length: count }, () => randomUUID())
      const began = performance.now()
      const runs = await Promise.all(
        uuids.map((uuid, n) =>
          relay(args, {
            cwd: world.root,
            stdin: answer({ 'shared.ts': `by ${n}\n`, [`own/${n}.ts`]: `${n}\n` }, uuid),
          }),
        ),
      )
      tally({ kind: 'relays at once', points: count, wrong: 0, seconds: (performance.now() - began) / 1000 })
      expect(runs.map(({ code }) => code)).toEqual(uuids.map(() => 0))
      expect(history(world).map(({ number }) => number)).toEqual(uuids.map((_, n) => n + 1))
      expect(
        history(world)
          .map(({ uuid }) => uuid)
          .sort(),
      ).toEqual([...uuids].sort())
      for (const [n, uuid] of uuids.entries()) {
        expect(world.read(`own/${n}.ts`)).toBe(`${n}\n`)
        expect(world.has(`.relaycode/${uuid}.yml`)).toBe(true)
      }
      const last = (uuids as string[]).indexOf(history(world).at(-1)?.uuid ?? '')
      expect(world.read('shared.ts')).toBe(`by ${last}\n${format === 1 ? 'formatted\n' : ''}`)
      expect(leftOver(world, false)).toEqual([])
    })
  },
)

it('goes on soon when the one that works is killed', { timeout: long }, async () => {
  const first = randomUUID()
  const second = randomUUID()
  const rounds = Array.from({ length: everything ? 10 : 1 }, (_, n) => n + 1)
  const wrong = await tryEach('a holder killed', rounds, async () => {
    return inWorld({ postCommand: `if [ "$RELAY_UUID" = ${first} ]; then touch there; sleep 100; fi` }, async world => {
      const holder = start(args, { cwd: world.root, stdin: answer({ 'modified.ts': 'first\n' }, first) })
      await until(() => world.has('there'), 'the first one at work')
      const other = start(args, { cwd: world.root, stdin: answer({ 'modified.ts': 'second\n' }, second) })
      await other.says(/process \d+/)
      const waits = other.said()
      holder.child.kill('SIGKILL')
      const from = performance.now()
      await other.says(/rolled back[\s\S]*── #/)
      const ms = performance.now() - from
      const { code, stderr } = await other.end
      // In a sample the machine has other tests to run.
      const wrong = everything && ms > 2000 ? [`took ${Math.round(ms)} ms`] : []
      if (!waits.includes(`process ${holder.pid}`)) wrong.push(`did not say who: ${waits}`)
      if (code !== 0 || world.read('modified.ts') !== 'second\n') wrong.push(`ended with ${code}: ${stderr}`)
      if (world.has(`.relaycode/${first}.yml`)) wrong.push('the killed one is kept')
      return [...wrong, ...leftOver(world, false)]
    })
  })
  expect(wrong).toEqual([])
})

/** Starts a watch, and ends when it has looked at the clipboard, or was killed. */
async function watch(world: World, clipboard: ReturnType<typeof fakeClipboard>, fault?: string) {
  const running = start(['watch'], {
    cwd: world.root,
    env: clipboard.env,
    ...(fault === undefined ? {} : { fault }),
  })
  while (!clipboard.wasSeen() && running.child.exitCode === null && running.child.signalCode === null) await pause(10)
  return running
}

it('lets a watch and an apply work in one project', { timeout: long }, async () => {
  const clipboard = fakeClipboard()
  const world = layOut({ postCommand: 'sleep 0.3', clipboard: 'poll', clipboardPollInterval: 100 })
  try {
    const watching = await watch(world, clipboard)
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    clipboard.copy(answer({ 'modified.ts': 'by watch\n' }, first))
    const applied = await Promise.all(
      [second, third].map((uuid, n) =>
        relay(args, { cwd: world.root, stdin: answer({ [`own/${n}.ts`]: 'x\n' }, uuid) }),
      ),
    )
    await watching.says(/kept #/)
    watching.child.kill('SIGINT')
    const { code } = await watching.end
    expect([code, ...applied.map(run => run.code)]).toEqual([0, 0, 0])
    expect(history(world).map(({ number }) => number)).toEqual([1, 2, 3])
    expect(
      history(world)
        .map(({ uuid }) => uuid)
        .sort(),
    ).toEqual([first, second, third].sort())
    expect(world.read('modified.ts')).toBe('by watch\n')
    expect(leftOver(world, false)).toEqual([])
  } finally {
    world.remove()
    clipboard.remove()
  }
})

it('is as before or as after when a watch is killed before any change', { timeout: long }, async () => {
  // Nothing that has to be asked about: nobody is there.
  const files = { 'modified.ts': 'changed\n', 'formatted.ts': 'changed\n', 'deleted.ts': null, 'fresh/new.ts': 'new\n' }
  const settings = {
    postCommand: 'echo formatted >> formatted.ts',
    clipboard: 'poll' as const,
    clipboardPollInterval: 100,
  }
  const scenario: Scenario = { name: 'watch', settings, ends: 'committed', formats: true }
  const whole = await undisturbed(scenario, ['apply', '-'], answer(files))
  const wrong = await tryEach('a watch killed', points(whole.changes + 12, 4), async at => {
    const clipboard = fakeClipboard()
    const world = layOut(settings)
    try {
      const watching = await watch(world, clipboard, `kill change ${at}`)
      clipboard.copy(answer(files))
      await Promise.race([
        watching.end,
        watching
          .says(/kept #/)
          .then(() => pause(200))
          .catch(() => undefined),
      ])
      watching.child.kill('SIGKILL')
      const { stderr } = await watching.end
      const wrong = /kept #/.test(stderr) && !world.committed() ? ['said "kept" of what was not'] : []
      return [...wrong, ...(await wrongRecovery(world, true)), ...wrongEnd(world, whole)]
    } finally {
      world.remove()
      clipboard.remove()
    }
  })
  expect(wrong).toEqual([])
})
