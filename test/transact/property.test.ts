import { expect, it } from 'vitest'
import { relay } from '../../src/flows/relay.ts'
import type { Answer } from '../../src/model/talk.ts'
import { withLock } from '../../src/transact/lock/lock.ts'
import { recover } from '../../src/transact/recover/recover.ts'
import { casesOf, fc } from '../support/chance.ts'
import { isWhole } from '../support/drawn.ts'
import { diskError, FakeDisk } from '../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { respond, uuid } from '../support/respond.ts'
import { tally } from '../support/tally.ts'

/**
 * Any tree, any patch, any trouble: what is there at the end is what a model of three lines says.
 *
 * The model: the tree before; the tree after (each write put there, each delete removed); and which of the two it must
 * be, told by whether there is an applied entry.
 */

const paths = [
  'a.ts',
  'b.ts',
  'dir/a.ts',
  'dir/sub/b.ts',
  'dir/sub/deep/c.ts',
  'other/x.ts',
  'Ünïcode/ñ.ts',
  'with blank/y z.ts',
]

const text = fc.constantFrom(
  '',
  'one\n',
  'two\nlines\n',
  'no end',
  'tab\there \n',
  '\n',
  'ünï ✓\n',
  'crlf\r\nlines\r\n',
  '\uFEFFbom\n',
)
const tree = fc.dictionary(fc.constantFrom(...paths), fc.record({ text, mode: fc.constantFrom(0o644, 0o755, 0o600) }), {
  minKeys: 0,
  noNullPrototype: true,
})
const asked = fc.dictionary(
  fc.constantFrom(...paths),
  fc.option(fc.constantFrom('new\n', 'one\n', 'several\nnew\nlines\n'), { nil: null }),
  { minKeys: 1, noNullPrototype: true },
)
const trouble = fc.oneof(
  fc.constant({ kind: 'none' } as const),
  fc.record({ kind: fc.constant('kill' as const), step: fc.nat(140), again: fc.option(fc.nat(60)) }),
  fc.record({
    kind: fc.constant('error' as const),
    step: fc.nat(140),
    code: fc.constantFrom('EIO', 'ENOSPC', 'EACCES', 'EROFS', 'EMFILE'),
    sticky: fc.boolean(),
  }),
)
const settings = fc.record({
  approval: fc.constantFrom('yes' as const, 'no' as const),
  postCommand: fc.constantFrom('', 'format', 'fail'),
  durability: fc.constantFrom('full' as const, 'fast' as const),
})
const answer = fc.constantFrom('yes' as const, 'no' as const, 'unasked' as const)

/** A formatter that touches whatever of the patch it finds. */
function commandsFor(patch: Readonly<Record<string, string | null>>) {
  const format = (disk: FakeDisk) => {
    for (const path of formatted(patch)) {
      if (disk.exists(path)) disk.write(path, `${disk.readText(path)}// formatted\n`)
    }
  }
  return { fail: { exit: 1 }, format: { effect: format } }
}

function formatted(patch: Readonly<Record<string, string | null>>): readonly string[] {
  return Object.keys(patch).slice(0, 2)
}

const runs = process.env['FAULTS'] === 'all' ? 5000 : 300

it('ends as before or as after, whatever happens', { timeout: 3_600_000 }, async () => {
  const ends = { before: 0, after: 0 }
  const struck = { kill: 0, error: 0, again: 0 }
  await fc.assert(
    fc.asyncProperty(tree, asked, settings, answer, trouble, async (files, patch, config, said, hurt) => {
      const layOut = () => layOutOf(files)
      const run = (disk: FakeDisk) => runOn(disk, patch, config, said)

      // Undisturbed: what "after" is, formatter included.
      const calm = layOut()
      const before = calm.tree({ journal: false })
      const { ended: calmly } = await run(calm)
      if (!(calmly instanceof Error) && calmly.kind === 'committed')
        expect(calm.text({ journal: false })).toEqual(modelOf(files, patch, config.postCommand))
      else expect(calm.tree({ journal: false })).toEqual(before)
      const after = calm.tree({ journal: false })

      const disk = layOut()
      const from = disk.calls
      if (hurt.kind === 'kill') disk.crashAt(from + 1 + hurt.step)
      if (hurt.kind === 'error') {
        disk.onCall = (_name, _path, n) => {
          const at = from + 1 + hurt.step
          if (n !== at && !(hurt.sticky && n > at && n < at + 25)) return
          if (n === at) struck.error += 1
          throw diskError(hurt.code)
        }
      }
      const { world, ended } = await run(disk)
      struck.kill += disk.strikes
      if (!(ended instanceof Error) && ended.kind === 'committed')
        expect(disk.exists(`.relaycode/${uuid}.yml`)).toBe(true)
      disk.onCall = undefined
      world.kill()
      if (hurt.kind === 'kill' && hurt.again !== null) {
        const { strikes } = disk
        disk.crashAt(disk.calls + 1 + hurt.again)
        await recoverOn(disk)
        disk.onCall = undefined
        struck.again += disk.strikes - strikes
      }
      expect(await recoverOn(disk)).toBe('recovered')
      expect(leftIn(disk)).toEqual([])
      const isAfter = disk.exists(`.relaycode/${uuid}.yml`)
      expect(disk.tree({ journal: false })).toEqual(isAfter ? after : before)
      ends[isAfter ? 'after' : 'before'] += 1
    }),
    casesOf('random troubles', runs, tree, asked, settings, answer, trouble),
  )
  tally({ kind: 'in process: random troubles', points: ends.before + ends.after, wrong: 0, seconds: 0 })
  // No end and no trouble may be missing: a property that never sees it says nothing.
  if (isWhole) expect(Math.min(...Object.values(ends), ...Object.values(struck))).toBeGreaterThan(10)
})

const typed = 'typed by the user'
const edit = fc.record({
  step: fc.nat(140),
  path: fc.constantFrom(...paths),
  way: fc.constantFrom('write' as const, 'swap' as const),
  /** In the recovery, instead. */
  later: fc.option(fc.nat(40)),
})

it('loses no edit of the user, whatever else happens, and touches nothing else', { timeout: 3_600_000 }, async () => {
  let edits = 0
  await fc.assert(
    fc.asyncProperty(tree, asked, settings, answer, trouble, edit, async (files, patch, config, said, hurt, user) => {
      const calm = layOutOf(files)
      const before = calm.tree({ journal: false })
      await runOn(calm, patch, config, said)
      const after = calm.tree({ journal: false })

      const disk = layOutOf(files)
      let edited = false
      const type = () => {
        edited = true
        disk[user.way](user.path, `${typed}\n`)
      }
      const from = disk.calls
      disk.onCall = (_name, _path, n) => {
        if (user.later === null && n === from + 1 + user.step) type()
        if (hurt.kind === 'kill' && n === from + 1 + hurt.step) disk.crash()
        if (hurt.kind === 'error' && n === from + 1 + hurt.step) throw diskError(hurt.code)
      }
      const { world } = await runOn(disk, patch, config, said)
      disk.onCall = undefined
      world.kill()
      if (user.later !== null) {
        const at = disk.calls + 1 + user.later
        disk.onCall = (_name, _path, n) => {
          if (n === at) type()
        }
        await recoverOn(disk)
        disk.onCall = undefined
      }
      if (!edited) return
      edits += 1
      // The first one may end with a conflict; then nothing is left to be said.
      const first = await recoverOn(disk)
      expect(await recoverOn(disk), first).toBe('recovered')
      expect(leftIn(disk)).toEqual([])
      const isAfter = disk.exists(`.relaycode/${uuid}.yml`)
      expect(others(disk.tree({ journal: false }), user.path)).toEqual(others(isAfter ? after : before, user.path))
      expect(Object.values(disk.text()).some(content => content.includes(typed))).toBe(true)
    }),
    casesOf('random edits', runs, tree, asked, settings, answer, trouble, edit),
  )
  tally({ kind: 'in process: random edits', points: edits, wrong: 0, seconds: 0 })
  if (isWhole) expect(edits).toBeGreaterThan(runs / 4)
})

/** A tree without one file and the folders that it needs. */
function others<T>(all: Readonly<Record<string, T>>, path: string): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([each]) => each !== path && !path.startsWith(`${each}/`)))
}

type Files = Readonly<Record<string, { readonly text: string; readonly mode: number }>>

function layOutOf(files: Files): FakeDisk {
  const disk = new FakeDisk()
  disk.folder('.relaycode/lock', 0o700)
  disk.folder('.relaycode/rescue', 0o700)
  for (const [path, { text: content, mode }] of Object.entries(files)) disk.write(path, content, mode)
  return disk
}

async function runOn(
  disk: FakeDisk,
  patch: Readonly<Record<string, string | null>>,
  config: Parameters<typeof fakeProject>[0],
  said: Answer,
) {
  const world = fakeSystem({ disk, commands: commandsFor(patch), autoAdvance: true })
  const response = { source: 'stdin', text: respond(patch) } as const
  const ended = relay(response, fakeProject(config), world.system, fakeTalk([said, said, said]))
  return { world, ended: await ended.catch((error: unknown) => error as Error) }
}

/** What no end leaves behind. */
function leftIn(disk: FakeDisk): readonly string[] {
  return Object.keys(disk.tree()).filter(path => /\.(stage|pending\.yml|tmp)|lock\/./.test(path))
}

async function recoverOn(disk: FakeDisk): Promise<string> {
  const { system, layout } = fakeSystem({ disk, autoAdvance: true })
  const work = withLock(layout, system, fakeTalk(), () => recover(layout, system, fakeTalk()))
  return work.then(
    () => 'recovered',
    (error: unknown) => String(error),
  )
}

/** What an undisturbed run must leave, said without any of relay's code. */
function modelOf(
  files: Readonly<Record<string, { readonly text: string }>>,
  patch: Readonly<Record<string, string | null>>,
  postCommand: string,
): Record<string, string> {
  const result = new Map(Object.entries(files).map(([path, { text: content }]) => [path, content]))
  for (const [path, content] of Object.entries(patch)) {
    if (content === null) {
      result.delete(path)
      continue
    }
    const old = files[path]?.text
    const crlf = old?.includes('\r\n') === true
    const mark = old?.startsWith('\uFEFF') === true ? '\uFEFF' : ''
    result.set(path, mark + (crlf ? content.replaceAll('\n', '\r\n') : content))
  }
  if (postCommand === 'format') {
    for (const path of formatted(patch)) if (result.has(path)) result.set(path, `${result.get(path)}// formatted\n`)
  }
  return Object.fromEntries([...result].sort(([a], [b]) => (a < b ? -1 : 1)))
}
