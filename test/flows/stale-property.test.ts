import { expect, it } from 'vitest'
import type { AnswerChoice, OverlapPlace } from '../../src/model/stale.ts'
import { fc } from '../support/chance.ts'
import { type JournalWorld, journalWorld } from '../support/journal-world.ts'
import { respond, uuid } from '../support/respond.ts'

/**
 * A user types while a model answers: whole files and edits, made from what the model knows, which is what it wrote itself
 * or was told; undone now and then, behind a formatter or not.
 *
 * After each step every line that the user has typed, not removed, not shown to the model and not given up at an overlap is
 * still in the file.
 */

const path = 'src/a.ts'
const spot = fc.nat(30)
const choice = fc.constantFrom<AnswerChoice>('mine', 'markers', 'model')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('type' as const), how: fc.constantFrom('add', 'add', 'change', 'cut'), spot }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), how: fc.constantFrom('add', 'change', 'cut'), spot, choice }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), spot, choice }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tell' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('redo' as const) }) },
) // biome-ignore format: one line a step
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const lines = (text: string) => text.split('\n').slice(0, -1)
const joined = (all: readonly string[]) => all.map(line => `${line}\n`).join('')

/** As it was typed, before it was formatted. */
const bare = (line: string) => line.replace(/;$/, '')

class History {
  readonly world: JournalWorld
  /** The file as the model knows it. */
  view: readonly string[] = Array.from({ length: 8 }, (_, at) => `base${at}()`)
  readonly done: Record<string, number> = {}
  /** Lines of the user's that the model was not told of. */
  readonly typed = new Set<string>()
  #words = 0

  constructor(formats: boolean) {
    const commands = {
      lint: { output: '', exit: 0 },
      format: {
        effect: (disk: {
          readText(path: string): string
          exists(path: string): boolean
          write(path: string, text: string): void
        }) => {
          if (disk.exists(path)) disk.write(path, disk.readText(path).replace(/\)$/gm, ');'))
        },
      },
    }
    const config = { linter: 'lint', ...(formats ? { postCommand: 'format' } : {}) }
    this.world = journalWorld({}, { config, commands })
  }

  get now(): readonly string[] {
    return lines(this.world.disk.text({ journal: false })[path] ?? '')
  }

  async begin(): Promise<void> {
    await this.apply(joined(this.view), 'mine')
  }

  async take(each: Step): Promise<void> {
    const count = (what: string) => {
      this.done[what] = (this.done[what] ?? 0) + 1
    }
    if (each.do === 'type') this.type(each)
    else if (each.do === 'tell') {
      this.view = this.now
      this.typed.clear()
    } else if (each.do === 'undo' || each.do === 'redo') {
      await this.world.run([each.do, '--yes', '--trust', '--on-overlap', 'skip'])
      count(each.do)
    } else if (each.do === 'answer') {
      const answer = this.changed(this.view, each.how, each.spot, 'model')
      const told = await this.apply(joined(answer), each.choice)
      count(told)
      if (told !== 'refused') this.view = answer
    } else {
      const at = each.spot % Math.max(1, this.view.length)
      const old = this.view[at]
      if (old === undefined) return
      const word = this.word('edit')
      const told = await this.run(
        `So.\n\n\`\`\`diff // ${path}\n@@\n-${old}\n+${word}\n\`\`\`\n\n\`\`\`yaml\nprojectId: demo\nuuid: ${this.uuid()}\nchangeSummary:\n  - edit: ${path}\n\`\`\`\n`,
        each.choice,
      )
      count(`edit ${told}`)
      if (told !== 'refused') this.view = this.view.with(at, word)
    }
  }

  type({ how, spot: at }: Extract<Step, { do: 'type' }>): void {
    const before = this.now
    const after = this.changed(before, how, at, 'mine')
    for (const line of before) if (!after.includes(line)) this.typed.delete(bare(line))
    for (const line of after) if (!before.includes(line)) this.typed.add(bare(line))
    this.world.disk.write(path, joined(after))
  }

  changed(all: readonly string[], how: string, at: number, who: string): readonly string[] {
    const place = at % (all.length + 1)
    if (how === 'add' || all.length === 0) return all.toSpliced(place, 0, this.word(who))
    return how === 'cut' ? all.toSpliced(place, 1) : all.toSpliced(place % all.length, 1, this.word(who))
  }

  apply(content: string, way: AnswerChoice): Promise<string> {
    return this.run(respond({ [path]: content }, { uuid: this.uuid() }), way)
  }

  async run(text: string, way: AnswerChoice): Promise<string> {
    this.world.disk.write('answer.md', text)
    if (way === 'model') await this.giveUp()
    const { code, stderr } = await this.world.run(['apply', 'answer.md', '--yes', '--trust', '--on-overlap', way])
    this.world.disk.remove('answer.md')
    if (code === 6) return 'refused'
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return stderr.includes('merged with') ? 'merged' : 'kept'
  }

  /** The text of the model is chosen: the user's lines at the places that both changed go, and no others. */
  async giveUp(): Promise<void> {
    const { stdout } = await this.world.run(['parse', 'answer.md', '--json'])
    // `null`: it is refused as a text already.
    const { here } = JSON.parse(stdout) as { here: { overlaps: readonly { places: readonly OverlapPlace[] }[] } | null }
    const places = here?.overlaps.flatMap(overlap => overlap.places) ?? []
    for (const line of places.flatMap(({ ours }) => ours)) this.typed.delete(bare(line))
  }

  word(who: string): string {
    this.#words++
    return `${who}${this.#words}()`
  }

  uuid(): string {
    this.#words++
    return `${String(this.#words).padStart(8, '0')}${uuid.slice(8)}`
  }
}

it('loses no line that the user typed and the model was not told of', async () => {
  const seen: Record<string, number> = {}
  const history = fc.record({ formats: fc.boolean(), steps: fc.array(step, { minLength: 2, maxLength: 12 }) })
  await fc.assert(
    fc.asyncProperty(history, async ({ formats, steps }) => {
      const made = new History(formats)
      await made.begin()
      for (const each of steps) {
        await made.take(each)
        const there = made.now.map(bare)
        for (const line of made.typed) expect(there).toContain(line)
      }
      for (const [what, count] of Object.entries(made.done)) seen[what] = (seen[what] ?? 0) + count
    }),
    { numRuns: 150 },
  )
  // What the property is about did happen.
  for (const what of ['merged', 'kept', 'edit kept', 'undo']) expect(seen[what]).toBeGreaterThan(10)
}, 120_000)
