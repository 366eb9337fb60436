import { expect, it } from 'vitest'
import { relay } from '../../src/flows/relay.ts'
import { type BackOutcome, type UndoRequest, undoEntry } from '../../src/flows/undo.ts'
import type { OverlapChoice } from '../../src/model/back.ts'
import { Journal } from '../../src/transact/journal/journal.ts'
import { withLock } from '../../src/transact/lock/lock.ts'
import { recover } from '../../src/transact/recover/recover.ts'
import { fc } from '../support/chance.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { respond } from '../support/respond.ts'

/**
 * Patches, edits, undo, redo and revert in any order, on any files, killed at any step.
 *
 * The model knows which transactions stand, with the tree around each of them, and every line that the user has typed
 * and not removed. After each step: the right transaction was taken back; where nothing had changed since, the tree is
 * exactly the one from before it; and no line of the user's is anywhere but in the tree or in the rescue folder.
 */

const paths = ['a.ts', 'dir/b.ts', 'dir/deep/c.ts', 'd.ts'] as const
const path = fc.constantFrom(...paths, 'a.ts', 'dir/b.ts')
const spot = fc.nat(30)
const kill = fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(90) })

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('patch' as const), edits: fc.uniqueArray(fc.record({ path, how: fc.constantFrom('insert', 'change', 'cut', 'delete', 'create'), spot }), { selector: edit => edit.path, minLength: 1, maxLength: 3 }), formats: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), path, how: fc.constantFrom('type', 'type', 'type', 'create', 'cut', 'delete', 'convert', 'chmod'), spot }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), choice: fc.constantFrom<OverlapChoice | 'nothing'>('markers', 'skip', 'old', 'nothing'), kill }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('redo' as const), choice: fc.constantFrom<OverlapChoice | 'nothing'>('markers', 'skip', 'old', 'nothing'), kill: fc.constant(null) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revert' as const), which: spot, choice: fc.constantFrom<OverlapChoice | 'nothing'>('markers', 'skip', 'old', 'nothing'), kill }) },
) // biome-ignore format: one line an action
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

interface Kept {
  readonly number: number
  readonly kind: 'patch' | 'undo' | 'redo' | 'revert'
  readonly takesBack: number | undefined
  readonly before: Readonly<Record<string, string>>
  readonly after: Readonly<Record<string, string>>
  readonly touched: readonly string[]
}

/** How often a thing happened that the property is about. */
type Seen = Record<'exact' | 'merged' | 'overlap' | 'killed' | 'redone', number>

class Model {
  readonly disk = new FakeDisk()
  readonly kept: Kept[] = []
  /** The user's own lines that must be somewhere. */
  readonly typed = new Set<string>()
  #words = 0

  constructor() {
    this.disk.folder('.relaycode/lock', 0o700)
    this.disk.folder('.relaycode/rescue', 0o700)
    for (const each of paths.slice(0, 3))
      this.disk.write(each, lines(...Array.from({ length: 8 }, () => this.word('base'))))
  }

  word(kind: string): string {
    this.#words += 1
    return `${kind}-${this.#words}`
  }

  tree(): Record<string, string> {
    return this.disk.text({ journal: false })
  }

  isUndone(number: number): boolean {
    return this.kept.some(each => each.takesBack === number && !this.isUndone(each.number))
  }

  /** Which one a wish means, said without any of relay's code. */
  meant(wish: Action['do'], which: number): Kept | undefined {
    const newest = this.kept.toReversed()
    if (wish === 'revert') return this.kept[which % Math.max(1, this.kept.length)]
    if (wish === 'undo')
      return newest.find(each => ['patch', 'revert'].includes(each.kind) && !this.isUndone(each.number))
    const end = newest.findIndex(each => each.kind === 'patch')
    const steps = newest.slice(0, end < 0 ? undefined : end)
    return steps.find(each => ['undo', 'revert'].includes(each.kind) && !this.isUndone(each.number))
  }
}

const lines = (...all: string[]) => all.map(line => `${line}\n`).join('')
const linesOf = (text: string) => text.replaceAll('\r\n', '\n').split('\n').slice(0, -1)

it('takes back what is meant, exactly or merged, and loses no line of the user', { timeout: 3_600_000 }, async () => {
  const seen: Seen = { exact: 0, merged: 0, overlap: 0, killed: 0, redone: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async actions => {
      const model = new Model()
      for (const each of actions) {
        if (each.do === 'patch') await applyPatch(model, each)
        else if (each.do === 'edit') editByHand(model, each)
        else await takeBack(model, each, seen)
        const everywhere = Object.entries(model.disk.text())
          .filter(([name]) => !name.startsWith('.relaycode/') || name.startsWith('.relaycode/rescue/'))
          .flatMap(([, text]) => linesOf(text))
        for (const line of model.typed) expect(everywhere).toContain(line)
      }
    }),
    process.env['FAULTS'] === 'all' ? { numRuns: 2000 } : { numRuns: 130 },
  )
  // A property that never sees one of them says nothing about it.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5)
})

type Edit = Extract<Action, { do: 'patch' }>['edits'][number]

/** The whole file as a patch is to leave it; it changes no line that the user typed. */
function patched(model: Model, { path: at, how, spot: where }: Edit): string | null {
  if (!model.disk.exists(at)) return lines(model.word('patch'), model.word('patch'))
  if (how === 'delete') return null
  const text = linesOf(model.disk.readText(at))
  const to = where % (text.length + 1)
  const old = how === 'insert' || text[to]?.startsWith('typed') ? 0 : 1
  return lines(...text.toSpliced(to, old, ...(how === 'cut' ? [] : [model.word('patch')])))
}

async function applyPatch(model: Model, { edits, formats }: Extract<Action, { do: 'patch' }>): Promise<void> {
  const { disk } = model
  const asked = Object.fromEntries(edits.map(edit => [edit.path, patched(model, edit)]))
  const touched = Object.keys(asked)
  const before = model.tree()
  const format = () => {
    for (const at of touched.filter(at => disk.exists(at))) disk.write(at, disk.readText(at).replace('patch', 'Patch'))
  }
  const { system } = fakeSystem({ disk, commands: { format: { effect: format } }, autoAdvance: true })
  const text = respond(asked, { uuid: system.randomUuid() })
  const config = { postCommand: formats ? 'format' : '' }
  const outcome = await relay({ source: 'stdin', text }, fakeProject(config), system, fakeTalk(['yes', 'yes']))
  if (outcome.kind !== 'committed' || outcome.number === undefined) return
  // What the patch deletes with a file is the patch's doing.
  for (const at of touched.filter(at => asked[at] === null))
    for (const line of linesOf(before[at] ?? '')) model.typed.delete(line)
  model.kept.push({ number: outcome.number, kind: 'patch', takesBack: undefined, before, after: model.tree(), touched })
}

function editByHand(model: Model, { path: at, how, spot: where }: Extract<Action, { do: 'edit' }>): void {
  const { disk, typed } = model
  const text = disk.exists(at) ? disk.readText(at) : undefined
  if (text === undefined) {
    if (how !== 'create') return
    const line = model.word('typed')
    typed.add(line)
    disk.write(at, lines(line))
    return
  }
  const all = linesOf(text)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const write = (now: readonly string[]) => disk.swap(at, now.map(line => line + end).join(''))
  if (how === 'type') {
    const line = model.word('typed')
    typed.add(line)
    write(all.toSpliced(where % (all.length + 1), 0, line))
  } else if (how === 'cut') {
    typed.delete(all[where % Math.max(1, all.length)] ?? '')
    write(all.toSpliced(where % Math.max(1, all.length), 1))
  } else if (how === 'delete') {
    for (const line of all) typed.delete(line)
    disk.remove(at)
  } else if (how === 'convert') disk.write(at, all.map(line => line + (end === '\n' ? '\r\n' : '\n')).join(''))
  else if (how === 'chmod') disk.chmod(at, where % 2 === 0 ? 0o755 : 0o644)
}

type Back = Extract<Action, { do: 'undo' | 'redo' | 'revert' }>

async function takeBack(model: Model, act: Back, seen: Seen): Promise<void> {
  const meant = model.meant(act.do, 'which' in act ? act.which : 0)
  if (meant === undefined && act.do === 'revert') return
  const before = model.tree()
  const { answer, number, overlaps, kills } = await undoAs(act, model, meant)
  seen.killed += kills
  if (answer !== undefined) expect(answer).toBe(owedAnswer(model, meant) ?? answer)
  const after = model.tree()
  if (number === undefined || meant === undefined) {
    expect(after).toEqual(before)
    return
  }
  const others = Object.keys(before).filter(at => !meant.touched.includes(at))
  expect(textsOf(after, others)).toEqual(textsOf(before, others))
  const isAsLeft = meant.touched.every(at => before[at] === meant.after[at])
  if (isAsLeft) expect(textsOf(after, meant.touched)).toEqual(textsOf(meant.before, meant.touched))
  seen[overlaps > 0 ? 'overlap' : isAsLeft ? 'exact' : 'merged'] += 1
  if (act.do === 'redo') seen.redone += 1
  model.kept.push({ number, kind: act.do, takesBack: meant.number, before, after, touched: meant.touched })
}

const textsOf = (tree: Readonly<Record<string, string>>, names: readonly string[]) => names.map(at => tree[at])

/** What relay has to answer where only one answer is right. */
function owedAnswer(model: Model, meant: Kept | undefined): BackOutcome['kind'] | undefined {
  if (meant === undefined) return 'none'
  return model.isUndone(meant.number) ? 'already-undone' : undefined
}

/** Lets relay go back: what it answered unless it was killed, the number of what is kept, the overlaps it asked about. */
async function undoAs(act: Back, model: Model, meant: Kept | undefined) {
  const { disk } = model
  const { strikes } = disk
  const wish: UndoRequest = act.do === 'revert' ? { kind: 'revert', which: `#${meant?.number}` } : { kind: act.do }
  const world = fakeSystem({ disk, autoAdvance: true })
  let overlaps = 0
  const talk = {
    ...fakeTalk(['yes', 'yes']),
    decide: async (overlap: { readonly markers: unknown }) => {
      overlaps += 1
      return act.choice === 'markers' && overlap.markers === undefined ? ('skip' as const) : act.choice
    },
    confirm: async () => 'yes' as const,
  }
  if (act.kill !== null) disk.crashAt(disk.calls + 1 + act.kill)
  const end = await undoEntry(wish, fakeProject(), world.system, talk).catch((error: unknown) => error as Error)
  disk.onCall = undefined
  if (end instanceof Error && act.kill === null) throw end
  const answer = end instanceof Error ? undefined : end.kind
  const number = act.kill !== null ? await afterKill(model, world) : end instanceof Error ? undefined : numberOf(end)
  return { answer, number, overlaps, kills: disk.strikes - strikes }
}

function numberOf(end: BackOutcome): number | undefined {
  return end.kind === 'ended' && end.outcome.kind === 'committed' ? end.outcome.number : undefined
}

/** Starts again after a kill, and answers the number of the transaction that was kept all the same. */
async function afterKill(model: Model, world: { kill(): void }): Promise<number | undefined> {
  world.kill()
  const { disk } = model
  const { system, layout } = fakeSystem({ disk, autoAdvance: true })
  await withLock(layout, system, fakeTalk(), () => recover(layout, system, fakeTalk()))
  const [newest] = [...(await Journal.open(layout)).newestFirst()].filter(
    ({ outcome }) => outcome === 'committed' || outcome === 'undone',
  )
  const leftOver = Object.keys(disk.tree()).filter(name => /\.(stage|pending\.yml|tmp)/.test(name))
  expect(leftOver).toEqual([])
  return newest !== undefined && newest.number > (model.kept.at(-1)?.number ?? 0) ? newest.number : undefined
}
