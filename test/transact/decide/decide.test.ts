import { describe, expect, it } from 'vitest'
import { relay } from '../../../src/flows/relay.ts'
import type { Entry } from '../../../src/model/entry.ts'
import type { Answer, Outcome, Question } from '../../../src/model/talk.ts'
import type { ProcessMark } from '../../../src/ports.ts'
import { readEntry } from '../../../src/transact/entry/read-entry.ts'
import { recover } from '../../../src/transact/recover/recover.ts'
import { resumeHeld } from '../../../src/transact/recover/resume-held.ts'
import { diskError, FakeDisk } from '../../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { respond, uuid } from '../../support/respond.ts'
import { atEach, stepsBetween } from '../../support/steps.ts'
import { take } from '../../support/take.ts'

const start = { 'src/a.ts': 'a\n', 'src/old.ts': 'old\n', 'src/b.ts': 'b\n' }
const text = respond({ 'src/a.ts': 'A\n', 'src/b.ts': 'B\n', 'src/old.ts': null, 'new/deep/c.ts': 'c\n' })
const after = { 'src/a.ts': 'A\n', 'src/b.ts': 'B\n', 'new/deep/c.ts': 'c\n' }

type Step = Answer | ((disk: FakeDisk, question: Extract<Question, { kind: 'gate' }>) => Answer)
type Settings = Parameters<typeof fakeProject>[0]

/** A patch that is asked about, with what the user answers and does meanwhile. */
async function decide(steps: readonly Step[], settings: Settings = {}, commands = {}, disk?: FakeDisk) {
  const world = fakeSystem({ ...(disk === undefined ? { files: start } : { disk }), commands })
  const talk = talkWith(steps, world.disk)
  const project = fakeProject({ approval: 'no', ...settings })
  const outcome = await relay({ text, source: 'stdin' }, project, world.system, talk)
  return { outcome, talk, ...world, questions: talk.questions as Gate[] }
}

type Gate = Extract<Question, { kind: 'gate' }>

function talkWith(steps: readonly Step[], disk: FakeDisk) {
  return fakeTalk(
    steps.map(step => (question: Question) => (typeof step === 'function' ? step(disk, question as Gate) : step)),
  )
}

/** The next start: what was left open is asked about. */
async function resume(disk: FakeDisk, steps: readonly Step[], settings: Settings = {}, commands = {}) {
  const world = fakeSystem({ disk, commands })
  const talk = talkWith(steps, disk)
  const project = fakeProject({ approval: 'no', ...settings })
  const outcomes = await resumeHeld(project, world.layout, world.system, talk)
  return { outcomes, talk, world, questions: talk.questions as Gate[] }
}

function entryOf(disk: FakeDisk): Entry | undefined {
  return readEntry(disk.readText(`.relaycode/${uuid}.yml`))
}

function stateOf(disk: FakeDisk): readonly string[] {
  return Object.keys(disk.text()).filter(path => /\.(stage|pending)|lock\//.test(path))
}

function pathsOf(changes: readonly { readonly path: string }[] | undefined): readonly string[] | undefined {
  return changes?.map(({ path }) => path)
}

describe('choosing files', () => {
  it('keeps only what was chosen, and the entry holds nothing else', async () => {
    const { outcome, disk, questions, talk } = await decide([{ choose: ['src/a.ts'] }, 'yes'])
    expect(outcome).toMatchObject({ kind: 'committed', by: 'user', files: 1 })
    expect(disk.text({ journal: false })).toEqual({ ...start, 'src/a.ts': 'A\n' })
    expect(disk.exists('new')).toBe(false)
    expect(questions.map(({ changes, leftOut }) => [pathsOf(changes), pathsOf(leftOut)])).toEqual([
      [['src/a.ts', 'src/b.ts', 'src/old.ts', 'new/deep/c.ts'], []],
      [['src/a.ts'], ['src/b.ts', 'src/old.ts', 'new/deep/c.ts']],
    ])
    const entry = entryOf(disk)
    expect(pathsOf(entry?.operations)).toEqual(['src/a.ts'])
    expect([...(entry?.snapshot.keys() ?? [])]).toEqual(['src/a.ts'])
    expect(entry).toMatchObject({ createdFolders: [], asked: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect([...(entry?.written?.keys() ?? [])]).toEqual(['src/a.ts'])
    expect(stateOf(disk)).toEqual([])
    expect(talk.told.filter(({ kind }) => kind === 'chosen')).toEqual([
      { kind: 'chosen', files: 1, of: 4, rescued: [], blocked: [] },
    ])
  })

  it('runs the post command and the check on what was chosen', async () => {
    const { shell, questions } = await decide(
      [{ choose: ['src/a.ts', 'src/b.ts', 'src/old.ts'] }, 'yes'],
      { linter: 'lint', postCommand: 'post', approval: 'yes' },
      {
        post: {},
        lint: [{ exit: 0 }, { exit: 2, output: 'new/deep/c.ts(1,1): error TS1: Wrong.\n' }, { exit: 0 }],
      },
    )
    expect(shell.ran.map(({ command }) => command)).toEqual(['lint', 'post', 'lint', 'post', 'lint'])
    expect(questions.map(({ reasons }) => reasons.map(({ kind }) => kind))).toEqual([['new-errors'], []])
  })

  it('brings back what had been left out, as the patch has it', async () => {
    const all = ['src/a.ts', 'src/b.ts', 'src/old.ts', 'new/deep/c.ts']
    const { outcome, disk } = await decide([{ choose: ['src/b.ts'] }, { choose: all }, 'yes'])
    expect(outcome).toMatchObject({ kind: 'committed', files: 4 })
    expect(disk.text({ journal: false })).toEqual(after)
    expect(entryOf(disk)).not.toHaveProperty('asked')
  })

  it('leaves nothing beside the places, on another file system, of what was left out', async () => {
    const mounted = new FakeDisk()
    mounted.mount('src')
    for (const [path, content] of Object.entries(start)) mounted.write(path, content)
    const { outcome, disk } = await decide([{ choose: ['src/a.ts'] }, 'yes'], {}, {}, mounted)
    expect(outcome).toMatchObject({ kind: 'committed' })
    expect(disk.text({ journal: false })).toEqual({ ...start, 'src/a.ts': 'A\n' })
  })

  it.each([
    ['no file at all', [{ choose: [] }]],
    ['a no after a choice', [{ choose: ['src/a.ts'] }, 'no']],
    ['a no after a file came back', [{ choose: ['new/deep/c.ts'] }, { choose: ['new/deep/c.ts', 'src/old.ts'] }, 'no']],
  ] as const)('leaves everything as before for %s', async (_name, steps) => {
    const before = fakeSystem({ files: start }).disk.tree({ journal: false })
    const { outcome, disk } = await decide(steps)
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' }, restoration: { rescued: [] } })
    expect(disk.tree({ journal: false })).toEqual(before)
    expect(stateOf(disk)).toEqual([])
  })

  it('puts aside what the user typed in a file that goes back, and names it', async () => {
    const { disk, talk } = await decide([
      on => {
        on.write('src/b.ts', 'mine\n')
        return { choose: ['src/a.ts'] }
      },
      'yes',
    ])
    expect(disk.text({ journal: false })).toEqual({ ...start, 'src/a.ts': 'A\n' })
    expect(disk.readText(`.relaycode/rescue/${uuid}/src/b.ts.rescued`)).toBe('mine\n')
    expect(talk.told).toContainEqual({
      kind: 'chosen',
      files: 1,
      of: 4,
      rescued: [{ path: 'src/b.ts', rescue: `.relaycode/rescue/${uuid}/src/b.ts.rescued` }],
      blocked: [],
    })
  })

  it('does not overwrite what the user made of a file that was left out', async () => {
    const { disk, talk, outcome } = await decide([
      { choose: ['src/a.ts'] },
      on => {
        on.write('src/b.ts', 'mine\n')
        on.write('new/deep/c.ts', 'mine too\n')
        on.remove('src/old.ts')
        return { choose: ['src/a.ts', 'src/b.ts', 'src/old.ts', 'new/deep/c.ts'] }
      },
      'yes',
    ])
    expect(outcome).toMatchObject({ kind: 'committed', files: 1 })
    expect(disk.text({ journal: false })).toEqual({
      'src/a.ts': 'A\n',
      'src/b.ts': 'mine\n',
      'new/deep/c.ts': 'mine too\n',
    })
    expect(disk.exists(`.relaycode/rescue/${uuid}`)).toBe(false)
    expect(talk.told).toContainEqual({
      kind: 'chosen',
      files: 1,
      of: 4,
      rescued: [],
      blocked: ['src/b.ts', 'src/old.ts', 'new/deep/c.ts'],
    })
  })

  const format = (on: FakeDisk) => {
    on.write('src/b.ts', 'formatted\n')
    on.write('new/deep/c.ts', 'generated\n')
  }
  const formats = [{ postCommand: 'format' }, { format: { effect: format } }] as const
  const rescued = `.relaycode/rescue/${uuid}/src/b.ts.rescued`

  it('brings a file that was left out, and that a command has changed since, back on a no', async () => {
    const { outcome, disk } = await decide([{ choose: ['src/a.ts'] }, 'no'], ...formats)
    expect(disk.text({ journal: false })).toEqual({ ...start, 'new/deep/c.ts': 'generated\n' })
    expect(disk.readText(rescued)).toBe('formatted\n')
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      restoration: { restored: ['src/a.ts', 'src/b.ts', 'src/old.ts'], kept: [] },
    })
  })

  it('keeps what a command made of a file that was left out on a yes, with the original put aside and named', async () => {
    const { outcome, disk } = await decide([{ choose: ['src/a.ts'] }, 'yes'], ...formats)
    expect(disk.readText('src/b.ts')).toBe('formatted\n')
    // What the first run made of it lies there since the choice.
    expect(disk.readText(rescued)).toBe('formatted\n')
    expect(disk.readText(`${rescued}.2`)).toBe('b\n')
    expect(outcome).toMatchObject({
      kind: 'committed',
      replaced: [{ path: 'src/b.ts', rescue: `${rescued}.2` }],
    })
  })

  it('brings it back in a recovery, where relay is killed while the command runs on what was chosen', async () => {
    let runs = 0
    const killed = (on: FakeDisk) => {
      format(on)
      if (++runs === 2) on.crash()
    }
    const disk = new FakeDisk()
    for (const [path, content] of Object.entries(start)) disk.write(path, content)
    const commands = { format: { effect: killed } }
    await decide([{ choose: ['src/a.ts'] }], { postCommand: 'format' }, commands, disk).catch(() => undefined)
    const { layout, system } = fakeSystem({ disk })
    await recover(layout, system, fakeTalk())
    expect(disk.text({ journal: false })).toEqual({ ...start, 'new/deep/c.ts': 'generated\n' })
    expect(disk.readText(rescued)).toBe('formatted\n')
  })

  it('does not bring back a file that was left out and that the user deleted, where it is chosen once more', async () => {
    const { disk, talk } = await decide(
      [
        { choose: ['src/a.ts'] },
        on => {
          on.remove('src/old.ts')
          return { choose: ['src/a.ts', 'src/old.ts'] }
        },
        'yes',
      ],
      { postCommand: 'post' },
      { post: {} },
    )
    expect(disk.text({ journal: false })).toEqual({ 'src/a.ts': 'A\n', 'src/b.ts': 'b\n' })
    expect(talk.told).toContainEqual({ kind: 'chosen', files: 1, of: 4, rescued: [], blocked: ['src/old.ts'] })
    expect(disk.readText(`.relaycode/rescue/${uuid}/src/old.ts.rescued`)).toBe('old\n')
  })

  it('goes back without a file that was left out and cannot be read any more', async () => {
    const { outcome, disk } = await decide([
      { choose: ['src/a.ts'] },
      on => {
        on.onCall = (name, path) => {
          if (/^(inspect|read)$/.test(name) && /src\/(b|old)\.ts$/.test(path)) throw diskError('EACCES')
        }
        return 'no'
      },
    ])
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
    expect(disk.text({ journal: false })).toEqual(start)
    expect(stateOf(disk)).toEqual([])
  })

  it('knows the same response when it is copied again', async () => {
    const { disk } = await decide([{ choose: ['src/a.ts'] }, 'yes'])
    const again = await decide([], {}, {}, disk)
    expect(again.outcome).toMatchObject({ kind: 'skipped', number: 1, state: 'committed' })
    disk.remove('.relaycode/history.jsonl')
    expect((await decide([], {}, {}, disk)).outcome).toMatchObject({ kind: 'skipped', number: 1 })
  })
})

describe('editing and checking again', () => {
  const edit =
    (path: string, said: Answer = 'edited') =>
    (disk: FakeDisk): Answer => {
      disk.write(path, 'typed\n')
      return said
    }

  it.each(['edited', 'again'] as const)('takes what was typed into the result: %s', async said => {
    const { outcome, disk, talk, questions, shell } = await decide(
      [edit('src/a.ts', said), 'yes'],
      { linter: 'lint' },
      { lint: [{ exit: 0 }] },
    )
    expect(outcome).toMatchObject({ kind: 'committed' })
    expect(shell.ran).toHaveLength(3)
    expect(disk.text({ journal: false })).toEqual({ ...after, 'src/a.ts': 'typed\n' })
    expect(talk.told).toContainEqual({ kind: 'edited', paths: ['src/a.ts'] })
    expect(questions[1]?.changes[0]?.after).toMatchObject({ bytes: Buffer.from('typed\n') })
    const entry = entryOf(disk)
    expect(entry?.operations[0]).toMatchObject({ content: 'A\n' })
    expect(entry?.written?.get('src/a.ts')).toMatchObject({ bytes: Buffer.from('typed\n') })
    expect(entry?.written?.get('src/b.ts')).not.toHaveProperty('bytes')
  })

  it('does not check again when nothing was changed in the editor', async () => {
    const { shell, talk } = await decide(['edited', 'yes'], { linter: 'lint' }, { lint: [{ exit: 0 }] })
    expect(shell.ran).toHaveLength(2)
    expect(talk.told).toContainEqual({ kind: 'edited', paths: [] })
  })

  it('asks where a command has removed what the patch wrote, and takes that back where nobody can be asked', async () => {
    const remove = (on: FakeDisk) => {
      for (const path of ['src/a.ts', 'src/b.ts', 'new/deep/c.ts']) on.remove(path)
    }
    const { questions, disk, outcome } = await decide(
      ['unasked'],
      { postCommand: 'clean', approval: 'yes' },
      { clean: { effect: remove } },
    )
    const paths = ['src/a.ts', 'src/b.ts', 'new/deep/c.ts']
    expect(questions[0]?.reasons).toEqual([{ kind: 'missing', paths }])
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'unasked' } })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('asks where a failure of another tool stands beside the old errors', async () => {
    const old = 'src/x.ts(1,1): error TS1: Wrong.\n'
    const { questions } = await decide(
      ['no'],
      { linter: 'lint', approval: 'yes' },
      {
        lint: [
          { exit: 0, output: old },
          { exit: 1, output: `${old}ours: no good\n` },
        ],
      },
    )
    const why = 'exit 1, before 0, without a new error'
    expect(questions[0]?.reasons).toEqual([{ kind: 'uncounted', check: 'after', why }])
  })

  it('runs the commands again whenever it is asked to', async () => {
    const { shell, questions } = await decide(
      ['again', 'yes'],
      { linter: 'lint', approval: 'yes' },
      { lint: [{ exit: 0 }, { exit: 2, output: 'src/a.ts(1,1): error TS1: Wrong.\n' }, { exit: 0 }] },
    )
    expect(shell.ran).toHaveLength(3)
    expect(questions[1]?.reasons).toEqual([])
  })

  it('puts what was typed aside on a no, and names it', async () => {
    const { outcome, disk } = await decide([edit('src/a.ts'), 'no'], { linter: 'lint' }, { lint: [{ exit: 0 }] })
    expect(outcome).toMatchObject({
      restoration: { rescued: [{ path: 'src/a.ts', rescue: `.relaycode/rescue/${uuid}/src/a.ts.rescued` }] },
    })
    expect(disk.text({ journal: false })).toEqual(start)
    expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('typed\n')
  })

  it('asks once more before it keeps what nobody has checked', async () => {
    const { questions, outcome, disk } = await decide([edit('src/b.ts', 'yes'), 'yes'])
    expect(questions.map(({ reasons }) => reasons.at(-1))).toEqual([
      { kind: 'approval-no' },
      { kind: 'unchecked-edits', paths: ['src/b.ts'] },
    ])
    expect(outcome).toMatchObject({ kind: 'committed' })
    expect(disk.readText('src/b.ts')).toBe('typed\n')
    expect(entryOf(disk)?.written?.get('src/b.ts')?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('keeps what a formatter made of a file beside what the patch asked for', async () => {
    const { disk } = await decide(
      ['yes'],
      { postCommand: 'format' },
      { format: { effect: (on: FakeDisk) => on.write('src/a.ts', 'A, formatted\n') } },
    )
    expect(entryOf(disk)?.written?.get('src/a.ts')).toMatchObject({ bytes: Buffer.from('A, formatted\n') })
  })

  it('does not count the time that the user takes', async () => {
    const world = fakeSystem({ files: start })
    const talk = fakeTalk([
      async (): Promise<Answer> => {
        await world.clock.advance(60_000)
        return 'yes'
      },
    ])
    const outcome = await take(world.system, text, { approval: 'no' }, talk)
    expect(outcome).toMatchObject({ kind: 'committed', ms: 0 })
  })
})

describe('what the user typed while the linter ran', () => {
  const lint = [{}, { effect: (on: FakeDisk) => on.write('src/a.ts', 'A\nmine()\n') }, {}]
  const settings = { linter: 'lint' }
  const left = (disk: FakeDisk) => entryOf(disk)?.written?.get('src/a.ts')

  it.each<[string, readonly Step[]]>([
    ['a yes', ['yes']],
    ['another check', ['again', 'yes']],
    ['a choice', [{ choose: ['src/a.ts', 'src/b.ts'] }, 'yes']],
  ])('is no part of what is kept after %s', async (_, steps) => {
    const { disk } = await decide(steps, settings, { lint })
    const plain = await decide(steps, settings, { lint: {} })
    expect(disk.readText('src/a.ts')).toBe('A\nmine()\n')
    expect(left(disk)).toEqual(left(plain.disk))
    expect(left(disk)).not.toHaveProperty('bytes')
    expect(entryOf(disk)?.outcome).not.toHaveProperty('edited')
  })

  it('is none either where the question was left open', async () => {
    const { disk } = await decide(['hold'], settings, { lint })
    expect((await resume(disk, ['yes'], settings, { lint: {} })).outcomes).toMatchObject([{ kind: 'committed' }])
    expect(disk.readText('src/a.ts')).toBe('A\nmine()\n')
    expect(left(disk)).not.toHaveProperty('bytes')
  })

  it("is put aside where the file goes back, and the file is the patch's once more when it comes back", async () => {
    const all = ['src/a.ts', 'src/b.ts']
    const { disk } = await decide([{ choose: ['src/b.ts'] }, { choose: all }, 'yes'], settings, { lint })
    expect(disk.readText('src/a.ts')).toBe('A\n')
    expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('A\nmine()\n')
  })
})

describe('leaving it open', () => {
  async function held(steps: readonly Step[] = [], settings: Settings = {}, commands = {}) {
    const done = await decide([...steps, 'hold'], settings, commands)
    expect(done.outcome).toMatchObject({ kind: 'held', number: 1, uuid })
    return done
  }

  it('ends with everything changed, nothing kept, and the project free for others to read', async () => {
    const { disk } = await held()
    expect(disk.text({ journal: false })).toEqual(after)
    expect(disk.readText(`.relaycode/${uuid}.pending.yml`)).toMatch(/\nheld: true\n$/)
    expect(disk.exists(`.relaycode/${uuid}.yml`)).toBe(false)
    expect(stateOf(disk).filter(path => path.includes('lock/'))).toEqual([])
  })

  it('forbids any other writing until it is answered', async () => {
    const { disk, system, layout } = await held()
    await expect(decide(['yes'], {}, {}, disk)).rejects.toMatchObject({ kind: 'unfinished' })
    await expect(recover(layout, system, fakeTalk())).rejects.toMatchObject({ kind: 'unfinished' })
    expect(await resumeHeld(fakeProject(), layout, system, fakeTalk())).toEqual([])
    expect(disk.text({ journal: false })).toEqual(after)
  })

  it('goes on where it was left: kept on a yes', async () => {
    const { disk } = await held([{ choose: ['src/a.ts', 'new/deep/c.ts'] }])
    const { outcomes, questions } = await resume(disk, ['yes'])
    expect(outcomes).toMatchObject([{ kind: 'committed', by: 'user', files: 2 }])
    expect(questions).toMatchObject([{ held: true, title: 'I changed what you asked for', number: 1 }])
    expect(pathsOf(questions[0]?.leftOut)).toEqual(['src/b.ts', 'src/old.ts'])
    expect(disk.text({ journal: false })).toEqual({ ...start, 'src/a.ts': 'A\n', 'new/deep/c.ts': 'c\n' })
    expect(entryOf(disk)).not.toHaveProperty('held')
    expect(stateOf(disk)).toEqual([])
  })

  it('goes on where it was left: rolled back on a no, and remembered for later', async () => {
    const { disk } = await held()
    const { outcomes } = await resume(disk, ['no'])
    expect(outcomes).toMatchObject([{ kind: 'rolled-back', reason: { kind: 'declined' } }])
    expect(disk.text({ journal: false })).toEqual(start)
    expect(disk.readText('.relaycode/last-declined.yml')).toContain('I changed what you asked for.')
    expect(stateOf(disk)).toEqual([])
  })

  it('compares with the check before the patch when it is run again', async () => {
    const lint = [{ exit: 2, output: 'src/old.ts(1,1): error TS1: Wrong.\n' }]
    const { disk } = await held([], { linter: 'lint' }, { lint })
    const { questions } = await resume(disk, ['again', 'yes'], { linter: 'lint' }, { lint: { exit: 0 } })
    expect(questions[1]?.checks.comparison).toMatchObject({ new: 0, fixed: 1 })
  })

  it('takes no result of a check from a note that lacks a part of it', async () => {
    const lint = { exit: 2, output: 'src/old.ts(1,1): error TS1: Wrong.\n' }
    const { disk } = await held([], { linter: 'lint' }, { lint })
    const path = `.relaycode/${uuid}.stage/question.json`
    disk.write(path, disk.readText(path).replaceAll(/"failed":\[\],?/g, ''))
    const { outcomes } = await resume(disk, ['again', 'yes'], { linter: 'lint' }, { lint })
    expect(outcomes).toMatchObject([{ kind: 'committed' }])
  })

  it.each([
    ['yes', 'edited meanwhile\n'],
    ['no', 'a\n'],
  ] as const)('names what was edited meanwhile; %s', async (answer, expected) => {
    const { disk } = await held()
    disk.write('src/a.ts', 'edited meanwhile\n')
    const { questions } = await resume(disk, [answer])
    expect(questions[0]?.reasons).toContainEqual({ kind: 'unchecked-edits', paths: ['src/a.ts'] })
    expect(disk.readText('src/a.ts')).toBe(expected)
    const rescued = disk.exists(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)
    expect(rescued).toBe(answer === 'no')
  })

  const chosen = [{ choose: ['src/a.ts'] }, 'yes'] as const
  it.each([
    ['taken back', ['no'], [], false],
    ['taken back on a full disk', ['no'], [], true],
    ['chosen from', chosen, [{ ...start, 'src/a.ts': 'A\n' }], false],
    ['chosen from on a full disk', chosen, [], true],
  ] as const)(
    'is asked about in no state in between, wherever relay is killed while it is %s',
    async (_, answers, more, isFull) => {
      const hurt = (disk: FakeDisk, step: number) => {
        const last = disk.calls + step
        disk.onCall = (name, _path, at) => {
          if (at === last) disk.crash()
          if (isFull && /^(create|replace|append)$/.test(name)) throw diskError('ENOSPC')
        }
      }
      const calm = (await held()).disk
      const from = calm.calls
      hurt(calm, Number.POSITIVE_INFINITY)
      await resume(calm, [...answers])
      await atEach(stepsBetween(1, calm.calls - from), async step => {
        const { disk } = await held()
        hurt(disk, step)
        await resume(disk, [...answers]).catch(() => undefined)
        disk.onCall = undefined
        await resume(disk, ['yes'])
        const { layout, system } = fakeSystem({ disk })
        await recover(layout, system, fakeTalk())
        expect([start, after, ...more], `step ${step}`).toContainEqual(disk.text({ journal: false }))
        expect(stateOf(disk), `step ${step}`).toEqual([])
      })
    },
  )

  it('ends the commands of a check that was cut short before it asks, and knows no result of it', async () => {
    const [settings, lint] = [{ linter: 'lint' }, { exit: 1, output: 'src/a.ts(1,1): error TS1: Wrong.\n' }]
    const { disk } = await held([], settings, { lint })
    await resume(disk, ['again'], settings, { lint: { effect: () => disk.crash() } }).catch(() => undefined)
    const { group } = JSON.parse(disk.readText(`.relaycode/${uuid}.stage/command.json`)) as { group: ProcessMark }
    disk.processes.set(group.pid, group)
    const look = () => (disk.processes.has(group.pid) ? 'yes' : 'no')
    const { outcomes, questions } = await resume(disk, [look], settings, { lint })
    expect(questions[0]?.checks).toMatchObject({ before: { kind: 'counted', errors: 1 }, after: { kind: 'uncounted' } })
    expect(outcomes).toMatchObject([{ kind: 'rolled-back' }])
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it.each(['hold', 'unasked'] as const)('stays as it is for %s', async answer => {
    const { disk } = await held()
    const before = disk.tree({ journal: false })
    const { outcomes } = await resume(disk, [answer])
    expect(outcomes.map(({ kind }: Outcome) => kind)).toEqual(['held'])
    expect(disk.tree({ journal: false })).toEqual(before)
    expect((await resume(disk, ['no'])).outcomes).toMatchObject([{ kind: 'rolled-back' }])
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it.each([
    '{}',
    '"x"',
    '{"title": "t", "checks": {}}',
    '{"title": "t", "doubts": [], "byHand": [], "checks": {"before": 1}}',
  ])('asks also where the note about it says something else than relay writes: %s', async note => {
    const { disk } = await held()
    disk.write(`.relaycode/${uuid}.stage/question.json`, note)
    const { outcomes, questions } = await resume(disk, ['yes'])
    expect(questions.map(({ title }) => title)).toEqual([questions[0]?.title])
    expect(outcomes).toMatchObject([{ kind: 'committed', by: 'user' }])
    expect(disk.text({ journal: false })).toEqual(after)
  })

  it('can be taken up when the notes about it are gone', async () => {
    const { disk } = await held()
    for (const note of ['question.json', 'written.json']) disk.remove(`.relaycode/${uuid}.stage/${note}`)
    const { outcomes, questions } = await resume(disk, ['no'])
    expect(questions[0]).toMatchObject({ title: 'I changed what you asked for' })
    expect(outcomes).toMatchObject([{ kind: 'rolled-back' }])
    expect(disk.text({ journal: false })).toEqual(start)
  })
})
