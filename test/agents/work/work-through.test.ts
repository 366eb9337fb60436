import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dropKept, listKept, readKept } from '../../../src/agents/work/kept-work.ts'
import { workSteps } from '../../../src/agents/work/work-parts.ts'
import { everything, tryEach } from '../../faults/sample.ts'
import { builtSource } from '../../support/built-source.ts'
import { fakeConfig } from '../../support/fake-project.ts'
import { isRunning } from '../../support/is-running.ts'
import { treeOf, write } from '../checkout/world.ts'
import { driverIn, type KillAt, WorkWorld } from './world.ts'

const built = builtSource()
const folder = mkdtempSync(join(tmpdir(), 'relay-work-'))
const driver = driverIn(folder, built.url)
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

const files = {
  'a.txt': 'a\n',
  'relaycode.config.json': '{"projectId":"demo"}',
  '.gitignore': '/.relaycode/\n/ignored\n',
}
/** The user's git knows who commits. */
const project = () => {
  const world = new WorkWorld(driver).commit(files)
  world.git('config', 'user.name', 'user')
  world.git('config', 'user.email', 'user@example.com')
  return world
}

let world: WorkWorld
beforeEach(() => {
  world = project()
})
afterEach(() => world.remove())

describe('the flow', () => {
  it('brings each task home as a change and a commit, and leaves nothing behind', async () => {
    world.agent('echo "$ID" >> a.txt; echo "$ID" > "new-$ID.txt"')
    world.write({ 'mine.txt': 'not committed\n' })
    const { end, err, events } = await world.run({ tasks: 2 })
    expect({ err, stopped: end?.stopped }).toEqual({ err: '', stopped: { kind: 'all-done' } })
    expect(world.subjectsOf('main')).toEqual(['TEST[02] Do it', 'TEST[01] Do it', 'first'])
    expect(world.git('show', '--format=', '--name-only', 'HEAD~1').trim().split('\n')).toEqual([
      'a.txt',
      'new-01.txt',
      'outcomes/01.md',
    ])
    expect(world.git('status', '--short')).toBe('?? mine.txt\n')
    expect(treeOf(world.top)).toMatchObject({
      'a.txt': 'a\n01\n02\n',
      'new-02.txt': '02\n',
      'mine.txt': 'not committed\n',
    })
    expect(end?.tasks).toMatchObject([
      { task: { id: '01' }, attempts: 1, usage: { inputTokens: 100, outputTokens: 10 }, result: { kind: 'landed' } },
      { task: { id: '02' }, result: { landed: { number: 2, files: 3, committed: { kind: 'commit' } } } },
    ])
    const each = ['choose', 'checkout', 'set-up', 'envelope', 'turn', 'settle', 'land', 'commit', 'write-down']
    const steps = events.flatMap(event => (event.kind === 'step' ? event.step : []))
    expect(steps).toEqual(['begin', ...each, ...each, 'choose', 'end'])
    expect(world.state).toEqual([])
  })

  it("hands the reason back, a limited number of times, and goes on with the agent's work", async () => {
    world.agent('echo "$N" >> tries.txt', 'I am not sure.')
    const { end, events } = await world.run({ attempts: 2 })
    expect(world.calls).toEqual(['TASK 01\nattempt 1', 'TASK 01\nattempt 2\nThe agent did not say that it is done.'])
    expect(end?.tasks).toMatchObject([
      { attempts: 2, result: { kind: 'failed', why: 'The agent did not say that it is done.' } },
    ])
    expect(events.filter(({ kind }) => kind === 'attempt-failed')).toHaveLength(2)
    expect(treeOf(world.top)).toEqual({
      ...files,
      'outcomes/01.md': 'failed: The agent did not say that it is done.\n',
    })
    expect(world.subjectsOf('main')).toEqual(['first'])
  })

  it('pays no turn where the checks cannot run in the checkout, and takes nothing that they leave there', async () => {
    world.agent('echo "$ID" >> a.txt')
    world.write({ 'ignored/check.sh': 'echo seen > report.txt\n' })
    const linter = 'sh ignored/check.sh'
    const { err, end } = await world.run({ branch: 'work', config: { linter } })
    expect(err).toContain('The linter gives no result in the checkout')
    expect({ end, calls: world.calls }).toEqual({ end: undefined, calls: [] })
    const checkout = { ...fakeConfig().checkout, link: ['ignored'] }
    await world.run({ branch: 'work', config: { linter, checkout } })
    expect(world.calls).toEqual(['TASK 01\nattempt 1'])
    expect(world.git('diff', '--name-only', 'main', 'work')).toBe('a.txt\noutcomes/01.md\n')
  })

  it.each([undefined, 'work'])('begins no turn by rules of an attempt before, on branch %s', async branch => {
    world.write({ '.codex/config.toml': 'confirmed' }).git('add', '-A')
    world.git('commit', '-qm', 'rules')
    const look = `cat .codex/* >> '${world.home}/seen'; echo >> '${world.home}/seen'`
    const write = 'echo wide > .codex/config.toml; echo hook > .codex/hooks.json'
    world.agent(`${look}; [ "$N" = 1 ] && { ${write}; exit 1; }; echo 2 > b.txt`)
    const { end } = await world.run({ attempts: 2, branch, confirmed: 'confirmed' })
    expect(readFileSync(join(world.home, 'seen'), 'utf8')).toBe('confirmed\nconfirmed\n')
    expect(end?.tasks).toMatchObject([{ attempts: 2, result: { kind: 'failed', kept: 1 } }])
    const kept = world.state.find(name => name.startsWith('kept/')) ?? ''
    const texts = Object.values(treeOf(join(world.home, '.local/state/relaycode', kept)))
    expect(texts).toEqual(expect.arrayContaining(['wide\n', 'hook\n', '2\n']))
  })

  it('does not commit what the user had not committed, and merges it', async () => {
    world.write({ 'a.txt': 'a\nmine\n' })
    world.agent('sed -i "1i theirs" a.txt')
    const { end } = await world.run()
    const why = 'a.txt had edits that were not committed'
    expect(end?.tasks).toMatchObject([{ result: { landed: { committed: { kind: 'not-committed', why } } } }])
    expect(treeOf(world.top)).toMatchObject({ 'a.txt': 'theirs\na\nmine\n' })
    expect(world.subjectsOf('main')).toEqual(['first'])
  })

  it('gives the folder as it is now to the next turn where the user changed the same place', async () => {
    const edit = `[ "$N" = 1 ] && echo mine > '${world.top}/a.txt'`
    world.agent(`${edit}; echo "theirs $N" > a.txt`)
    const { end } = await world.run({ attempts: 1 })
    expect(end?.tasks).toMatchObject([{ attempts: 1, result: { kind: 'landed' } }])
    expect(world.calls[1]).toMatch(
      /^TASK 01\nattempt 1\noverlap a.txt\nYou work in the folder as it is now[\s\S]*^-a$\n^\+theirs 1$/m,
    )
    expect(treeOf(world.top)).toMatchObject({ 'a.txt': 'theirs 2\n' })
  })

  it('fails where the edits of the user are in the way twice', async () => {
    world.agent(`echo "mine $N" > '${world.top}/a.txt'; echo "theirs $N" > a.txt`)
    const { end } = await world.run()
    expect(end?.tasks).toMatchObject([{ result: { kind: 'failed', why: 'your edits in a.txt were in the way twice' } }])
    expect(treeOf(world.top)).toMatchObject({ 'a.txt': 'mine 2\n' })
  })

  it('keeps what the user edited over once, where it was killed before that was noted', async () => {
    world.agent(`echo mine > '${world.top}/a.txt'; echo theirs > a.txt`)
    // The first attempt is noted once before its turn.
    for (const time of [2, 1]) {
      const { signal } = await world.run({ kill: { step: 'note the attempt', when: 'before', time } })
      expect(signal).toBe('SIGKILL')
      const [kept = '', ...others] = world.state.filter(name => name.startsWith('kept/'))
      expect([others, readdirSync(join(world.home, '.local/state/relaycode', kept))]).toEqual([[], ['1']])
    }
    expect(world.calls).toHaveLength(1)
  })

  it('brings home a turn that was paid for, and stops then, where it went over a limit', async () => {
    world.agent('echo "$ID" >> a.txt')
    const { end } = await world.run({ tasks: 2, tokens: 50 })
    expect(end).toMatchObject({
      tasks: [{ task: { id: '01' }, result: { kind: 'landed' } }],
      stopped: { kind: 'work-left', why: 'the tokens of --max-tokens are used' },
    })
    expect(world.calls).toHaveLength(1)
  })

  it('ends a turn under way at a limit: it is paid for, and no attempt', async () => {
    const print = (...lines: readonly object[]) => lines.map(line => `echo '${JSON.stringify(line)}'`).join('; ')
    const message = (id: string, usage: object, ...content: readonly object[]) => {
      return { type: 'assistant', message: { id, content, usage } }
    }
    const used = { input_tokens: 1000, output_tokens: 1 }
    const working = ['a', 'b', 'c', 'd'].map(id => message(id, used, { type: 'text', text: 'Working.' }))
    const said = { type: 'text', text: '<promise>COMPLETE</promise>' }
    const result = { type: 'result', usage: { input_tokens: 10, output_tokens: 10 }, total_cost_usd: 0.5 }
    world.agent(
      `echo "$@" > '${world.home}/words'
       [ "$N" = 1 ] && { echo half > b.txt; ${print(...working)}; sleep 60; }
       ${print(message('e', {}, said), result)}; exit 0`,
    )
    const first = await world.run({ agent: 'claude', tokens: 3000, cost: 2 })
    expect(readFileSync(join(world.home, 'words'), 'utf8')).toContain('--max-budget-usd 2.0000')
    expect(first.events.filter(({ kind }) => kind === 'attempt-failed')).toEqual([])
    expect(first.end).toMatchObject({
      ...{ tasks: [], turns: 1, usage: { inputTokens: 4000, outputTokens: 4 } },
      stopped: { kind: 'work-left', why: 'the tokens of --max-tokens are used' },
    })
    const { end } = await world.run({ agent: 'claude' })
    const usage = { inputTokens: 4010, outputTokens: 14, cost: 0.5 }
    expect(end).toMatchObject({
      ...{ turns: 1, usage: { inputTokens: 10, outputTokens: 10, cost: 0.5 } },
      tasks: [{ attempts: 1, usage, result: { kind: 'landed', landed: { files: 2 } } }],
    })
  })

  it('takes the time of the run for no fault of the attempt that it ends', async () => {
    world.agent('echo half > b.txt; sleep 60')
    const { end, events } = await world.run({ time: 2 })
    expect(end).toMatchObject({ tasks: [], stopped: { kind: 'work-left', why: 'the time of --max-time is over' } })
    expect(events.filter(({ kind }) => kind === 'attempt-failed')).toEqual([])
  })

  it('ends what the agent has left running in the checkout, whatever it has done to hide', async () => {
    const daemon = `cd "$PWD" && env -i setsid sh -c 'echo $$ > ${world.home}/pid; exec sleep 600' > /dev/null 2>&1 &`
    world.agent(`${daemon}\nwhile [ ! -s '${world.home}/pid' ]; do sleep 0.05; done; echo "$TMPDIR" > tmp.txt`)
    await world.run()
    expect(isRunning(Number(readFileSync(join(world.home, 'pid'), 'utf8')))).toBe(false)
    expect(treeOf(world.top)['tmp.txt']).toMatch(/\/checkout\/tmp\n$/)
  })

  it("takes no change to another book's files, and says so", async () => {
    world.commit({ 'prd.json': '{}\n', 'prompt.md': 'Be careful.\n' })
    world.agent(
      'mkdir -p RAF/abcdef-x/plans; echo x > RAF/abcdef-x/plans/01-a.md; echo Push. > prompt.md; echo 1 > one',
    )
    const { end, events } = await world.run()
    expect(end?.stopped).toEqual({ kind: 'all-done' })
    const paths = ['RAF/abcdef-x/plans/01-a.md', 'prompt.md']
    expect(events).toContainEqual({ kind: 'dropped', paths })
    expect(world.git('show', '--format=', '--name-only', 'HEAD').trim().split('\n')).toEqual(['one', 'outcomes/01.md'])
    expect(world.git('status', '--short')).toBe('')
  })

  it('leaves one book to one relay', async () => {
    writeFileSync(join(world.home, 'go'), '')
    world.agent(`rm -f '${world.home}/go'; while [ ! -e '${world.home}/go' ]; do sleep 0.05; done; echo 1 > b.txt`)
    const first = world.run()
    while (world.calls.length === 0) await new Promise(resolve => setTimeout(resolve, 20))
    const second = await world.run()
    expect(second.err).toMatch(/Another relay \(process \d+\) works on numbers/)
    writeFileSync(join(world.home, 'go'), '')
    expect((await first).end?.stopped).toEqual({ kind: 'all-done' })
  })

  it.each(['note the last attempt', 'keep the work', 'note the failure', 'write down', 'forget the task'])(
    'keeps the work of a failed task once where it was killed before: %s',
    async step => {
      world.agent('echo made > made.txt', 'I am not sure.')
      const { signal } = await world.run({ attempts: 1, kill: { step, when: 'before' } })
      expect(signal).toBe('SIGKILL')
      const { end, err } = await world.run({ attempts: 1 })
      expect({ err, tasks: end?.tasks.map(({ result }) => result.kind) }).toEqual({ err: '', tasks: ['failed'] })
      expect(world.calls).toHaveLength(1)
      const [kept = '', ...others] = world.state
      expect([others, readdirSync(join(world.home, '.local/state/relaycode', kept))]).toEqual([[], ['1']])
      expect(treeOf(world.top)).toMatchObject({ 'outcomes/01.md': expect.stringMatching(/^failed: /) })
    },
  )

  it.each([undefined, 'work'])(
    'counts a turn only with the checkout in which it was made, on branch %s',
    async branch => {
      world.agent('echo "$N" > a.txt')
      await world.run({ branch, kill: { step: 'note the turn', when: 'after' } })
      const [work = ''] = world.state
      const checkout = join(world.home, '.local/state/relaycode', work, 'checkout')
      rmSync(checkout, { recursive: true })
      const { end, events } = await world.run({ branch })
      expect(end?.tasks).toMatchObject([{ attempts: 1, result: { kind: 'landed' } }])
      expect(events).toContainEqual(
        expect.objectContaining({ kind: 'attempt-failed', why: expect.stringContaining('is gone') }),
      )
      expect(world.git('show', `${branch ?? 'main'}:a.txt`)).toBe('2\n')
    },
  )

  it('keeps a damaged checkout as it is, and makes the attempt again', async () => {
    world.agent('echo "$N" > a.txt')
    await world.run({ kill: { step: 'note the turn', when: 'after' } })
    const [work = ''] = world.state
    writeFileSync(join(world.home, '.local/state/relaycode', work, 'checkout/checkout.json'), '')
    const { end } = await world.run()
    expect(end?.tasks).toMatchObject([{ result: { kind: 'landed' } }])
    const [left, ...others] = await listKept(world.top, world.keeping)
    expect([left?.number, others]).toEqual([1, []])
    expect(readFileSync(join(left?.left ?? '', 'work/a.txt'), 'utf8')).toBe('1\n')
    await expect(readKept(world.top, 1, world.keeping)).rejects.toMatchObject({
      message: expect.stringContaining('Kept work 1 cannot be read'),
      hint: `Its files lie in ${left?.left}/work`,
    })
    await dropKept(world.top, 1, world.keeping)
    expect([existsSync(left?.left ?? ''), await listKept(world.top, world.keeping)]).toEqual([false, []])
  })

  it.each([undefined, 'work'])(
    'keeps an attempt from before a boot, of which nobody knows whether it is whole, on branch %s',
    async branch => {
      world.agent('echo "$N" > a.txt')
      await world.run({ branch, kill: { step: 'run the turn', when: 'after' } })
      const [work = ''] = world.state
      const note = join(world.home, '.local/state/relaycode', work, 'work.json')
      writeFileSync(note, readFileSync(note, 'utf8').replace(/"boot":"[^"]*"/, '"boot":"another"'))
      const { end } = await world.run({ branch })
      expect(end?.tasks).toMatchObject([{ attempts: 1, result: { kind: 'landed' } }])
      expect(world.git('show', `${branch ?? 'main'}:a.txt`)).toBe('2\n')
      const { changes } = await readKept(world.top, 1, world.keeping)
      expect(changes).toMatchObject([{ path: 'a.txt', made: { kind: 'file', bytes: Buffer.from('1\n') } }])
    },
  )

  it.each([undefined, 'work'])(
    'shows the agent after a no what has changed beneath its work, on branch %s',
    async branch => {
      // Somebody renames an export, and the linter wants each import to have one.
      const users =
        branch === undefined
          ? `echo 'export const renamed' > '${world.top}/src.txt'`
          : `cd '${world.top}' && git checkout -q work && echo 'export const renamed' > src.txt && git commit -qam renamed && git checkout -q main`
      world.commit({ 'src.txt': 'export const zz\n', 'lint.sh': 'grep -q "$(cut -d" " -f2 use.txt)" src.txt' })
      if (branch !== undefined) world.git('branch', branch)
      world.agent(`
if [ "$N" = 1 ]; then echo "import zz" > use.txt; (${users}); else echo "import $(cut -d" " -f3 src.txt)" > use.txt; fi`)
      const { end, err } = await world.run({
        branch,
        attempts: 2,
        config: { linter: 'test ! -e use.txt || sh lint.sh' },
      })
      expect({ err, tasks: end?.tasks }).toMatchObject({
        err: '',
        tasks: [{ attempts: 2, result: { kind: 'landed' } }],
      })
      expect(world.calls[1]).toContain('Meanwhile others have changed, and your work is merged with it: src.txt')
      expect(world.git('show', `${branch ?? 'main'}:use.txt`)).toBe('import renamed\n')
    },
  )

  it('merges accepted work into a branch that has moved meanwhile, without another turn', async () => {
    world.git('branch', 'work')
    const users = `cd '${world.top}' && git checkout -q work && echo 1 > users.txt && git add . && git commit -qm users && git checkout -q main`
    world.agent(`echo "$ID" >> a.txt; (${users})`)
    const { end, err } = await world.run({ branch: 'work' })
    expect({ err, tasks: end?.tasks }).toMatchObject({ err: '', tasks: [{ attempts: 1, result: { kind: 'landed' } }] })
    expect(world.calls).toHaveLength(1)
    expect(world.subjectsOf('work')).toEqual(['TEST[01] Do it', 'users', 'first'])
    expect([world.git('show', 'work:a.txt'), world.git('show', 'work:users.txt')]).toEqual(['a\n01\n', '1\n'])
  })

  it.each(['if grep -rq EVIL a.txt; then exit 1; fi', 'true'])(
    'commits what was checked, and not what a test of the agent writes meanwhile: %s',
    async check => {
      const linter = `${check}; for f in *.sh; do test ! -e $f || sh $f; done`
      world.agent('echo "$N" > a.txt; echo "echo EVIL >> a.txt" > t.sh')
      const { end } = await world.run({ branch: 'work', attempts: 1, config: { linter } })
      expect(end?.tasks).toMatchObject([{ result: { kind: 'failed' } }])
      expect(world.subjectsOf('work')).toEqual(['first'])
    },
  )

  // After a step is before the next one.
  const kills: readonly KillAt[] = [
    ...workSteps.map(step => ({ step, when: 'before' }) as const),
    { step: 'run the turn', when: 'after' },
    { step: 'leave the book', when: 'after' },
  ]
  const parts = 8
  // Every other step on a branch; with FAULTS=all each step in both places.
  const points = kills.flatMap((kill, at) => {
    const places = [
      { kill, branch: undefined },
      { kill, branch: 'work' },
    ]
    return everything ? places : places.slice(at % 2, (at % 2) + 1)
  })
  it.each(Array.from({ length: parts }, (_, part) => part))(
    'goes on after a kill at any of its steps, and does none of them twice (%#)',
    async part => {
      const some = points.filter((_, at) => at % parts === part)
      const wrong = await tryEach('work, killed', some, async ({ kill, branch }) => {
        const each = project()
        try {
          return await killedAt(kill, branch, each)
        } finally {
          each.remove()
        }
      })
      expect(wrong).toEqual([])
    },
    300_000,
  )
})

async function killedAt(
  kill: KillAt,
  branch: string | undefined,
  each: WorkWorld,
): Promise<readonly string[] | 'over'> {
  each.agent('echo "$ID" >> a.txt; echo "$ID" > "new-$ID.txt"')
  write(each.top, { ignored: 'mine\n' })
  const killed = await each.run({ tasks: 2, kill, branch })
  // Only a failure has these steps.
  if (killed.signal === null) return 'over'
  const again = await each.run({ tasks: 2, branch })
  expect({ err: again.err, stopped: again.end?.stopped }).toEqual({ err: '', stopped: { kind: 'all-done' } })
  const at = branch ?? 'main'
  expect(each.subjectsOf(at)).toEqual(['TEST[02] Do it', 'TEST[01] Do it', 'first'])
  expect(each.git('status', '--short')).toBe('')
  expect([each.state, each.git('worktree', 'list').trim().split('\n')]).toEqual([[], [expect.any(String)]])
  // A turn that was not noted is run again, on what it left.
  const isRunAgain = kill.step === 'note the turn' || (kill.step === 'run the turn' && kill.when === 'after')
  expect(each.calls).toHaveLength(isRunAgain ? 3 : 2)
  const made = `a\n01\n${isRunAgain ? '01\n' : ''}02\n`
  expect(each.git('show', `${at}:a.txt`)).toBe(made)
  expect(treeOf(each.top)).toMatchObject({ 'a.txt': branch === undefined ? made : 'a\n', ignored: 'mine\n' })
  return []
}
