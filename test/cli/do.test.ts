import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { isRunning } from '../support/is-running.ts'
import { schemas } from '../support/json-schemas.ts'
import { endRelays, relayBin, relayBinary, relayCommand, runRelay, testPath } from '../support/real-relay.ts'
import { githubToken } from '../support/secrets.ts'
import { until } from '../support/until.ts'
import { blocked, complete, failed, PlanWorld, raf } from './plan-world.ts'

/** The relay under test, as a word of a shell script. */
const ownRelay = relayCommand.map(word => `'${word}'`).join(' ')

const worlds: PlanWorld[] = []
function world(...given: ConstructorParameters<typeof PlanWorld>): PlanWorld {
  const made = new PlanWorld(...given)
  worlds.push(made)
  return made
}
afterEach(async () => {
  await endRelays()
  for (const made of worlds.splice(0)) made.remove()
})

/** Makes a file a task, and writes an outcome. */
const works = 'echo $ID > made-$ID.js; done_with "Make $ID."'
const lastLine = (text: string | undefined) => text?.trimEnd().split('\n').at(-1)
/** What of checkouts lies in relay's own folder. */
const left = ({ home }: PlanWorld) => {
  const folder = join(home, 'state/relaycode/work')
  return existsSync(folder) ? readdirSync(folder) : []
}

describe('relay do', () => {
  it('carries out a plan in its order, and commits each task with its outcome', async () => {
    const plan = world({
      '01-one': { needs: '0a' },
      '02-two': { needs: 'none' },
      '0a-ten': {},
      '10-last': { needs: '01, 02' },
    })
    plan.claude(works)
    // No terminal is there: the user's own command tells of the end, and relay does not end before it.
    const env = { ...plan.env, RELAY_NOTIFY: `printf %s "$RELAY_EVENT $RELAY_JSON" >> '${plan.home}/ended'` }
    expect((await runRelay(['do', 'demo'], { cwd: plan.cwd, env })).code).toBe(0)
    const [event, json = ''] = readFileSync(join(plan.home, 'ended'), 'utf8').split(/ (.*)/)
    expect([event, JSON.parse(json)]).toMatchObject(['ended', { book: 'Demo', stopped: 'all-done', done: 4 }])
    expect(plan.called).toEqual(['02', '0a', '01', '10'])
    expect(plan.subjects()).toEqual(['first', ...['02', '0a', '01', '10'].map(id => `RAF[abcdef:${id}] Make ${id}`)])
    expect(plan.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual([
      `${raf}/outcomes/10-last.md`,
      'made-10.js',
    ])
    expect(plan.git('status', '--short')).toBe('')
    expect(plan.outcome('0a-ten')).toMatch(
      /^## Summary\nMake 0a\.\n\n## Details\n\n- Attempts: 1\n- Elapsed time: \d+s\n(?:- (?:Tokens|Cost): .+\n)*- Completed at: \S+Z\n- Agent: claude\n\n<promise>COMPLETE<\/promise>\n$/,
    )
    expect(left(plan)).toEqual([])
  })

  it('tells an agent what the tasks before it left, and nothing of the others', async () => {
    const plan = world({ '01-one': {}, '02-two': {}, '03-three': { needs: '02' } })
    plan.claude(works)
    await plan.do()
    const [, , third = ''] = plan.calls
    expect(third).toContain('This is task 3 of 3 of the plan "Demo" (abcdef): 03, 03-three.')
    expect(third).toContain('Make 02.')
    expect(third).not.toContain('Make 01.')
  })

  it('runs nothing where all is done, and with --force all of it once more', async () => {
    const plan = world().claude(works)
    await plan.do()
    expect(await plan.do()).toEqual({
      code: 0,
      stdout: '',
      stderr: 'All tasks of abcdef-demo are done. `relay do abcdef-demo --force` does them again.\n',
    })
    plan.claude('echo $ID >> made-$ID.js; done_with "Make $ID again."')
    expect((await plan.do('--force')).code).toBe(0)
    expect(plan.called).toEqual(['01', '02', '01', '02'])
    expect(plan.subjects().at(-1)).toBe('RAF[abcdef:02] Make 02 again')
  })

  it('reports a task that failed and those that it blocks, and a later run does all of them', async () => {
    const plan = world({ '01-one': {}, '02-two': { needs: '01' }, '03-three': { needs: '02' }, '04-four': {} })
    plan.claude(`if [ $ID = 01 ]; then SAID='Reason: no such API ${failed}'; else ${works}; fi`)
    const { code, stderr } = await plan.program('do', 'demo', '--attempts', '2')
    expect({ code, stderr }).toEqual({ code: 9, stderr: expect.stringContaining('a task failed') })
    expect(stderr).toContain('1 of 4 tasks done')
    expect(stderr).toContain('02 02-two is blocked: it needs 01')
    expect(stderr).toContain('03 03-three is blocked: it needs 02')
    expect(plan.called).toEqual(['01', '01', '04'])
    const report = plan.outcome('01-one') ?? ''
    expect(report).toMatch(/^## Status: FAILED\n/)
    expect(report).toContain('The agent says that the task failed: no such API')
    expect([report, plan.outcome('02-two'), plan.outcome('03-three')].map(lastLine)).toEqual([failed, blocked, blocked])
    expect(plan.subjects()).toEqual(['first', 'RAF[abcdef:04] Make 04'])
    plan.claude(works)
    expect((await plan.do()).code).toBe(0)
    expect(plan.called.slice(3)).toEqual(['01', '02', '03'])
    expect(plan.subjects().slice(2)).toEqual(['01', '02', '03'].map(id => `RAF[abcdef:${id}] Make ${id}`))
    expect(plan.git('status', '--short')).toBe('')
    expect(plan.calls[3]).toContain('no such API')
  })

  it('hands the errors of the checks to the next attempt', async () => {
    const plan = world({ '01-one': {} })
    plan.configure({ linter: '! ls *.js | grep bad | sed "s/$/:1:1: error: this is bad/" | grep .' })
    plan.commit('with a linter')
    plan.claude('if [ $N = 1 ]; then echo x > bad.js; else rm -f bad.js; fi; echo $N > made.js; done_with "Make it."')
    const { code } = await plan.do('--trust')
    expect({ code, calls: plan.calls.length }).toEqual({ code: 0, calls: 2 })
    expect(plan.calls[1]).toContain('This is attempt 2.')
    expect(plan.calls[1]).toContain('this is bad')
    expect([plan.read('made.js'), plan.read('bad.js')]).toEqual(['2\n', undefined])
    expect(plan.outcome('01-one')).toContain('- Attempts: 2\n')
  })

  const deletesMany = 'rm -r old'
  it.each<[string, string, readonly string[]]>([
    ['a sensitive file', 'echo \'{"a":1}\' > package.json', []],
    ['a secret', `echo "const token = '${githubToken}'" > t.js`, []],
    ['many deleted files', deletesMany, []],
    ['a secret, on a branch', `echo "const token = '${githubToken}'" > t.js`, ['-w', '--after', 'leave']],
  ])('names the option that agrees to what nobody could be asked about: %s', async (_, script, options) => {
    const plan = world({ '01-one': {} }).claude(`${script}; ${works}`)
    for (let at = 0; at < 11; at++) plan.write(`old/${at}.js`, `${at}\n`)
    plan.commit('old')
    const { code, stderr } = await plan.do(...options)
    expect({ code, stderr }).toEqual({
      code: 9,
      stderr: expect.stringContaining('To agree to it beforehand: --allow-sensitive'),
    })
    expect(stderr).not.toContain(githubToken)
    // The agent could only leave out what it was sent for.
    expect(plan.called).toEqual(['01'])
    expect(await plan.do(...options, '--allow-sensitive')).toMatchObject({ code: 0 })
  })

  it('does not try again what an agent says cannot be done', async () => {
    const plan = world({ '01-one': {} }).claude(`SAID='Reason: this cannot be done ${failed}'`)
    expect((await plan.do()).code).toBe(9)
    expect(plan.calls).toHaveLength(1)
  })

  it.each<[string, string, boolean]>([
    ['in its last message alone', 'echo 1 > b.js', true],
    ['in its outcome alone', 'SAID=Done.; echo 1 > b.js; done_with "Make it."', true],
    ['nowhere', 'SAID=Done.; echo 1 > b.js', false],
    ['with nothing done', 'true', false],
    ['with a file of the plan changed alone', `echo more >> ${raf}/input.md`, false],
    ['but its outcome says that it failed', `echo 1 > b.js; echo '${failed}' > $OUT`, false],
    ['but its outcome says that it is blocked', `echo 1 > b.js; echo '${blocked}' > $OUT`, false],
    ['in its outcome, but not in its message', `SAID='${failed}'; done_with "Make it."`, false],
  ])('looks for the marker: %s', async (_, script, isDone) => {
    const plan = world({ '01-one': {} }).claude(script)
    expect((await plan.do('--attempts', '1')).code).toBe(isDone ? 0 : 9)
    expect(lastLine(plan.outcome('01-one'))).toBe(isDone ? complete : failed)
  })

  it('writes the outcome that an agent forgot, and puts the marker last in one that has more behind it', async () => {
    const plan = world()
    plan.claude(
      `echo $ID > $ID.js; if [ $ID = 02 ]; then printf '${complete}\\n\\n## Summary\\nMake two.\\n\\nMore to say.\\n' > $OUT; fi`,
    )
    expect((await plan.do()).code).toBe(0)
    expect(plan.outcome('01-one')).toMatch(/^## Status: SUCCESS\n\n# Task 01 - Completed\n\nTask completed\./)
    expect(plan.outcome('02-two')).toMatch(/^## Summary\nMake two\.\n\nMore to say\.\n\n## Details\n/)
    expect(['01-one', '02-two'].map(task => lastLine(plan.outcome(task)))).toEqual([complete, complete])
    expect(plan.subjects().slice(1)).toEqual(['RAF[abcdef:01] 01-one', 'RAF[abcdef:02] Make two'])
  })

  it('takes of the files of the plan its own outcome alone', async () => {
    const plan = world()
    const before = plan.read(`${raf}/plans/02-two.md`)
    plan.claude(
      [
        `if [ $ID = 01 ]; then`,
        `  echo '${complete}' > ${raf}/outcomes/02-two.md; echo odd > ${raf}/plans/02-two.md; rm ${raf}/input.md`,
        `  echo odd > ${raf}/decisions.md; echo '# Task: More' > ${raf}/plans/03-more.md`,
        `fi`,
        works,
      ].join('\n'),
    )
    const { code, stderr } = await plan.do()
    const dropped = ['decisions.md', 'input.md', 'outcomes/02-two.md', 'plans/02-two.md', 'plans/03-more.md']
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`may not change it: ${dropped.map(path => `${raf}/${path}`).join(', ')}.`),
    })
    expect(plan.called).toEqual(['01', '02'])
    expect(plan.calls[1]).toContain('Do 02-two.')
    expect(plan.read(`${raf}/plans/02-two.md`)).toBe(before)
    expect(plan.read(`${raf}/input.md`)).toBe('Make it demo.\n')
    expect([plan.read(`${raf}/decisions.md`), plan.read(`${raf}/plans/03-more.md`)]).toEqual([undefined, undefined])
    expect(plan.git('status', '--short')).toBe('')
  })

  it('works where there is no git', async () => {
    const plan = world().claude(works)
    rmSync(join(plan.cwd, '.git'), { recursive: true })
    expect((await plan.do()).code).toBe(0)
    expect(['made-01.js', 'made-02.js'].map(path => plan.read(path))).toEqual(['01\n', '02\n'])
    expect(lastLine(plan.outcome('02-two'))).toBe(complete)
  })

  it('works on a plan that git ignores', async () => {
    const plan = world()
    plan.write('.gitignore', '/.relaycode/\n/RAF/\n')
    plan.git('rm', '-rq', '--cached', 'RAF')
    plan.commit('ignore it')
    plan.claude(`cat ${raf}/plans/$ID-*.md > seen-$ID.js; ${works}`)
    expect((await plan.do()).code).toBe(0)
    expect(plan.read('seen-02.js')).toContain('Do 02-two.')
    expect(lastLine(plan.outcome('02-two'))).toBe(complete)
    expect(plan.git('show', '--name-only', '--format=%s').trim().split('\n')).toEqual([
      'RAF[abcdef:02] Make 02',
      '',
      'made-02.js',
      'seen-02.js',
    ])
    expect(plan.git('status', '--short')).toBe('')
  })

  it('leaves what the user has not committed out of its commits', async () => {
    const plan = world().claude('echo $ID >> a.js; done_with "Make $ID."')
    plan.write('a.js', '1\nmine\n')
    plan.write('new.js', 'mine\n')
    const { code, stderr } = await plan.do()
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('a.js had edits that were not committed'),
    })
    expect(plan.read('a.js')).toBe('1\nmine\n01\n02\n')
    expect(plan.subjects()).toEqual(['first'])
  })

  it('commits nothing with --no-commit', async () => {
    const plan = world({ '01-one': {} }).claude(works)
    expect((await plan.do('--no-commit')).code).toBe(0)
    expect([plan.subjects(), plan.read('made-01.js')]).toEqual([['first'], '01\n'])
  })

  it('takes one task back with relay undo, and the task is open again', async () => {
    const plan = world().claude(works)
    await plan.do()
    expect((await plan.run('undo', '--yes')).code).toBe(0)
    expect([plan.read('made-02.js'), plan.outcome('02-two')]).toEqual([undefined, undefined])
    const { projects } = JSON.parse((await plan.run('status', 'demo', '--json')).stdout)
    expect(projects[0].state.tasks.map(({ status }: { status: string }) => status)).toEqual(['completed', 'pending'])
  })

  it('waits for no usage limit with --wait 0, and the task is still to be done', async () => {
    const plan = world({ '01-one': {} })
    const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } }
    plan.claude(`echo '${JSON.stringify(limit)}'; exit 1`)
    const { code, stderr } = await plan.do('--wait', '0')
    expect({ code, stderr }).toEqual({ code: 9, stderr: expect.stringContaining('usage limit') })
    expect([plan.calls.length, plan.outcome('01-one')]).toEqual([1, undefined])
    plan.claude(works)
    expect((await plan.do()).code).toBe(0)
    expect(plan.outcome('01-one')).toContain('- Attempts: 1\n')
  })

  it('stops without an outcome where claude is not logged in', async () => {
    const plan = world({ '01-one': {} })
    const message = { content: [{ type: 'text', text: 'Invalid API key · Please run /login' }] }
    plan.claude(`echo '${JSON.stringify({ type: 'assistant', error: 'authentication_failed', message })}'; exit 1`)
    expect((await plan.do()).code).toBe(8)
    expect([plan.calls.length, plan.outcome('01-one')]).toEqual([1, undefined])
  })

  it('lets one relay at a time work on a plan', async () => {
    const plan = world({ '01-one': {} })
    plan.claude(`touch '${plan.home}/begun'; while ! [ -e '${plan.home}/go' ]; do sleep 0.05; done; ${works}`)
    const first = plan.start('do', 'demo')
    await until(() => existsSync(join(plan.home, 'begun')), 'the agent is at work')
    expect(await plan.do()).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/Another relay \(process \d+\) works on Demo/),
    })
    expect(await plan.do('-w')).toMatchObject({ code: 8, stderr: expect.stringContaining('works on Demo') })
    expect((await plan.run('status', 'demo')).stdout).toContain('● 01 01-one')
    writeFileSync(join(plan.home, 'go'), '')
    expect((await first.end).code).toBe(0)
    expect(plan.subjects().at(-1)).toBe('RAF[abcdef:01] Make 01')
  })

  it.each<[string, NodeJS.Signals, number | null]>([
    ['Ctrl+C', 'SIGINT', 130],
    ['a kill', 'SIGKILL', null],
  ])('goes on after %s', async (_, signal, code) => {
    const plan = world()
    plan.claude(
      `if [ $ID = 02 ]; then echo half > half.js; echo '${complete}' > $OUT; touch '${plan.home}/begun'; sleep 600; fi; ${works}`,
    )
    const first = plan.start('do', 'demo')
    await until(() => existsSync(join(plan.home, 'begun')), 'the agent is at work')
    first.kill(signal)
    expect((await first.end).code).toBe(code)
    expect([plan.read('half.js'), plan.outcome('02-two')]).toEqual([undefined, undefined])
    plan.claude(works)
    expect((await plan.do()).code).toBe(0)
    expect(plan.called).toEqual(['01', '02', '02'])
    expect(plan.calls[2]).toContain('An earlier run was stopped in the middle of this attempt.')
    expect([plan.read('half.js'), plan.read('made-02.js')]).toEqual(['half\n', '02\n'])
    expect(plan.subjects()).toEqual(['first', 'RAF[abcdef:01] Make 01', 'RAF[abcdef:02] Make 02'])
    expect(left(plan)).toEqual([])
  })

  it.each([
    ['once', ''],
    ['twice, where git does not listen', "trap '' INT TERM;"],
  ])('leaves no git behind after Ctrl+C %s', async (_, trap) => {
    const plan = world({ '01-one': {} }).claude(works)
    const [pids, begun] = [join(plan.home, 'pids'), join(plan.home, 'begun')]
    const hangs = `${trap} echo $$ > '${pids}'; sleep 600 & echo $! >> '${pids}'; touch '${begun}'; wait; wait`
    const script = `#!/bin/sh\ncase " $* " in *" commit "*) ${hangs}; exit 1;; esac\nPATH='${testPath}' exec git "$@"\n`
    writeFileSync(join(plan.home, 'bin/git'), script, { mode: 0o755 })
    const relay = plan.start('do', 'demo')
    await until(() => existsSync(begun), 'git commits')
    relay.kill('SIGINT')
    // The second is another one only after the first has been taken.
    const again = trap === '' ? undefined : setInterval(() => relay.kill('SIGINT'), 100)
    expect((await relay.end.finally(() => clearInterval(again))).code).toBe(130)
    const running = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    await until(() => !running.some(isRunning), 'git has ended')
  })

  // The binary takes no file to load beforehand.
  it.skipIf(relayBinary !== undefined)('starts few programs, and a shell before none but the agents', async () => {
    const plan = world({ '01-one': {}, '02-two': {}, '03-three': { needs: '02' }, '04-four': {} }).claude(works)
    const [counts, started] = [join(plan.home, 'counts.cjs'), join(plan.home, 'started')]
    writeFileSync(
      counts,
      `const { ChildProcess } = require('node:child_process')
       const { spawn } = ChildProcess.prototype
       ChildProcess.prototype.spawn = function (options) {
         require('node:fs').appendFileSync('${started}', JSON.stringify(options.args) + '\\n')
         return spawn.call(this, options)
       }`,
    )
    const command = [process.execPath, '--require', counts, relayBin] as const
    const { code } = await runRelay(['do', 'demo'], { cwd: plan.cwd, env: plan.env, command })
    expect({ code, called: plan.called.length }).toEqual({ code: 0, called: 4 })
    const programs = readFileSync(started, 'utf8').trim().split('\n')
    // With relay itself, the agents behind their shells and the 28 programs of their script, these make 159.
    expect(programs.length).toBeLessThanOrEqual(126)
    const shells = programs.filter(argv => argv.startsWith('["/bin/sh"'))
    expect(shells).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('bin/claude')))
  })

  it('shows with --dry-run what would be done, and starts nothing', async () => {
    const plan = world({ '01-one': { needs: '02' }, '02-two': {} }).claude(works)
    const { code, stdout } = await plan.do('--dry-run')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^○ Demo: at most 2 tasks x 3 attempts x 1 h, with claude [\s\S]*\n {2}02 02-two \(envelope: 1\.\d kB\)\n {2}01 01-one [\s\S]*--allowedTools/,
      ),
    })
    expect(plan.calls).toEqual([])
  })

  it('tells programs what happens', async () => {
    const plan = world({ '01-one': {} }).claude(works)
    const { stdout } = await plan.do('--json')
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    for (const event of events) expect(v.safeParse(schemas.event, event).issues).toBeUndefined()
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'task-ended', task: { id: '01', title: '01-one' }, result: 'landed' }),
    )
    expect(events.at(-1)).toMatchObject({ event: 'work-ended', stopped: 'all-done', done: 1, failed: 0 })
  })

  it('tells its next turn what the user says elsewhere, and ends after a turn where the user wants that', async () => {
    const plan = world({ '01-one': {}, '02-two': {}, '03-three': {} })
    // The user, in another terminal, while the first and the second turn are under way.
    const other = (words: string) =>
      `(cd '${plan.cwd}' && RELAY_AGENT= ${ownRelay} ${words} 2>&1) >> '${plan.home}/said'`
    const says = [
      `if [ $ID = 01 ]; then ${other("tell 'Use  tabs' demo")}; ${other('status')}; fi`,
      `if [ $ID = 02 ]; then ${other('stop')}; ${other('status --json')}; fi`,
    ]
    plan.claude([...says, works].join('\n'))
    const { code, stderr } = await plan.program('do', 'demo')
    const [, told, ...shown] = readFileSync(join(plan.home, 'said'), 'utf8').split(/^(✔.*)$/m)
    expect(told).toBe('✔ The next turn of abcdef-demo is told: Use tabs')
    expect(shown[0]).toContain('is told next: Use tabs')
    expect(shown[1]).toMatch(/^✔ The run of abcdef-demo \(pid \d+\) ends after this turn$/)
    expect(JSON.parse(shown[2] ?? '')).toMatchObject({
      agents: [{ task: { id: '02' }, sentences: [], isStopping: true }],
    })
    expect(plan.calls.map(call => call.includes('The user says: Use tabs'))).toEqual([false, true])
    expect([code, plan.called]).toEqual([9, ['01', '02']])
    expect(stderr).toContain('The agent is told: Use tabs')
    expect(stderr).toContain('2 of 3 tasks done')
    expect((await plan.do()).code).toBe(0)
    expect(plan.called).toEqual(['01', '02', '03'])
  })

  it('ends at once where the user wants that elsewhere, and never for its agent', async () => {
    const plan = world({ '01-one': {} })
    const stop = (env: string) => `(cd '${plan.cwd}' && ${env} ${ownRelay} stop --now 2>> '${plan.home}/said')`
    plan.claude(`${stop('')}; ${stop('RELAY_AGENT=')}; sleep 600`)
    expect((await plan.program('do', 'demo')).code).toBe(130)
    expect(readFileSync(join(plan.home, 'said'), 'utf8')).toContain('An agent of relay runs this')
    expect((await plan.claude(works).do()).code).toBe(0)
  })

  it('says which command comes next where something is missing', async () => {
    const plan = world({})
    const hint = async (...args: readonly string[]) => {
      const { code, stderr } = await plan.run(...args)
      return [code, stderr.trimEnd().split('\n').at(-1)]
    }
    plan.claude(works)
    expect(await hint('do', 'demo')).toEqual([2, 'Hint: Plan them: `relay plan --amend abcdef-demo`'])
    expect(await hint('do', 'other')).toEqual([2, 'Hint: There is abcdef-demo.'])
    expect(await hint('do')).toEqual([2, 'Hint: Name it: `relay do abcdef-demo`'])
    rmSync(join(plan.cwd, 'RAF'), { recursive: true })
    expect(await hint('do')).toEqual([2, 'Hint: Make one: `relay plan <name>`'])
    expect(await hint('do', 'demo')).toEqual([2, 'Hint: Make one: `relay plan <name>`'])
  })

  it('refuses a plan that could never come to its end', async () => {
    const plan = world({ '01-one': { needs: '02' }, '02-two': { needs: '01' } }).claude(works)
    const { code, stderr } = await plan.do()
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('depend on each other in a circle') })
    expect(plan.calls).toEqual([])
  })

  it('refuses plans behind links', async () => {
    const plan = world({ '01-one': {} }).claude(works)
    rmSync(join(plan.cwd, raf, 'input.md'))
    symlinkSync('/etc/passwd', join(plan.cwd, raf, 'input.md'))
    expect(await plan.do()).toMatchObject({ code: 2, stderr: expect.stringContaining('is a link') })
  })
})

describe('relay do --worktree', () => {
  const branch = 'abcdef-demo'
  const at = ({ home }: PlanWorld) => join(home, '.raf/worktrees/project', branch)

  it('works on the branch of the plan, without a configuration, and leaves the folder as it is', async () => {
    const plan = world()
    plan.git('rm', '-q', 'relaycode.config.json')
    plan.commit('no configuration')
    plan.write('mine.js', 'mine\n')
    plan.claude(works)
    const { code, stderr } = await plan.do('-w')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('nothing is checked') })
    expect(plan.subjects(branch).slice(2)).toEqual(['RAF[abcdef:01] Make 01', 'RAF[abcdef:02] Make 02'])
    expect([plan.subjects().at(-1), plan.git('status', '--short')]).toEqual(['no configuration', '?? mine.js\n'])
    expect(existsSync(at(plan))).toBe(false)
    expect(stderr).toContain('relay do abcdef-demo --worktree --after merge')
    expect((await plan.run('status')).stdout).toContain('abcdef demo ○○ (0/2)\nBranches:\nabcdef demo ✓✓ (2/2)\n')
    const status = (await plan.run('status', 'demo')).stdout
    expect(status).toMatch(/Main:\n[\s\S]*Branch:\n[\s\S]*2 of 2 done\n`relay do -w abcdef --after merge` merges/)
    const json = JSON.parse((await plan.run('status', '--json')).stdout)
    expect(json.branches).toMatchObject([{ number: 'abcdef', status: 'completed' }])
    expect((await plan.do('-w', '--after', 'merge')).code).toBe(0)
    expect([plan.subjects().at(-1), plan.read('made-02.js')]).toEqual(['RAF[abcdef:02] Make 02', '02\n'])
    expect((await plan.run('status')).stdout).not.toContain('Branches:')
    expect(plan.calls).toHaveLength(2)
  })

  it('commits tasks again that were undone: what relay took back is no edit of the user', async () => {
    const plan = world({ '01-one': {}, '02-two': {} })
    plan.claude('echo $N >> a.js; echo $N > b.js; rm -f c.js; done_with "Add $N."')
    plan.write('c.js', 'c\n')
    plan.commit('more')
    expect((await plan.do()).code).toBe(0)
    expect((await plan.run('undo', '--yes')).code).toBe(0)
    expect((await plan.run('undo', '--yes')).code).toBe(0)
    expect([plan.read('a.js'), plan.read('b.js'), plan.read('c.js')]).toEqual(['1\n', undefined, 'c\n'])
    const again = await plan.do()
    expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not committed') })
    const [, , ...made] = plan.subjects()
    expect(made).toEqual(['01', '02', '01', '02'].map((id, at) => `RAF[abcdef:${id}] Add ${at + 1}`))
    expect([plan.read('a.js'), plan.git('status', '--short')]).toEqual(['1\n3\n4\n', ''])
  })

  it.each<[string, (plan: PlanWorld) => void]>([
    ['was edited after an undo', plan => plan.write('a.js', '1\nmine\n')],
    ['was edited before an undo', () => {}],
    ['is a program since an undo', plan => chmodSync(join(plan.cwd, 'a.js'), 0o755)],
    ['was staged after an undo', plan => plan.git('add', 'a.js')],
  ])('does not commit a file that %s', async (name, edit) => {
    const plan = world({ '01-one': {} }).claude('sed -i "s/^1/1$N/" a.js; done_with "Add $N."')
    plan.write('a.js', '1\n\n\n\n\n2\n')
    plan.commit('longer')
    expect((await plan.do()).code).toBe(0)
    if (name.includes('before')) plan.write('a.js', `${plan.read('a.js')}mine\n`)
    expect((await plan.run('undo', '--yes')).code).toBe(0)
    edit(plan)
    const { stderr } = await plan.do()
    expect(stderr).toContain('not committed: a.js had edits that were not committed')
    expect(plan.subjects().slice(2)).toEqual(['RAF[abcdef:01] Add 1'])
  })

  it('leaves a merge to git: relay undo names the command, and reaches behind it only by number', async () => {
    const plan = world({ '01-one': {} }).claude(works)
    expect((await plan.do()).code).toBe(0)
    plan.write(`${raf}/plans/02-two.md`, '# Task: 02\n\n## Objective\nDo it.\n')
    plan.commit('one more')
    const before = plan.git('rev-parse', '--short=12', 'HEAD').trim()
    const merged = await plan.do('-w', '--after', 'merge')
    const command = `git revert ${before}..${plan.git('rev-parse', '--short=12', 'HEAD').trim()}`
    expect(merged).toMatchObject({ code: 0, stderr: expect.stringContaining(`to take it back: ${command}`) })
    const undone = await plan.run('undo', '--yes')
    expect(undone).toMatchObject({ code: 2, stderr: expect.stringContaining(`Hint: \`${command}\` takes it back.`) })
    expect(undone.stderr).toContain('`relay undo 1` undoes the change before it')
    expect([plan.read('made-01.js'), plan.read('made-02.js')]).toEqual(['01\n', '02\n'])
    plan.git(...command.split(' ').slice(1), '--no-edit')
    expect(plan.read('made-02.js')).toBeUndefined()
    expect((await plan.run('undo', '1', '--yes')).code).toBe(0)
    expect(plan.read('made-01.js')).toBeUndefined()
    // Now something newer than the merge is there.
    expect((await plan.run('undo', '--yes')).code).toBe(0)
    expect(plan.read('made-01.js')).toBe('01\n')
  })

  it('says nothing of a change where there was a merge and none', async () => {
    const plan = world({ '01-one': {} }).claude(works)
    expect((await plan.do('-w', '--after', 'merge')).code).toBe(0)
    expect(await plan.run('undo')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Error: The last step was a merge, of abcdef-demo into main\nHint: `git revert \w+\.\.\w+` takes it back\.\n$/,
      ),
    })
  })

  it('keeps the branch and its work tree where a task failed, merges nothing, and goes on there', async () => {
    const plan = world({ '01-one': {}, '02-two': {}, '03-three': { needs: '02' }, '04-four': {} })
    plan.claude(`if [ $ID = 02 ]; then echo half > half.js; SAID='${failed}'; else ${works}; fi`)
    const { code, stderr } = await plan.do('-w', '--after', 'merge', '--attempts', '1')
    expect({ code, stderr }).toEqual({ code: 9, stderr: expect.stringContaining('is left as it is') })
    expect(plan.subjects()).toEqual(['first'])
    expect(plan.subjects(branch)).toEqual(['first', 'RAF[abcdef:01] Make 01', 'RAF[abcdef:04] Make 04'])
    const { worktrees } = JSON.parse((await plan.run('status', 'demo', '--json')).stdout)
    expect(worktrees[0].state.tasks.map(({ status }: { status: string }) => status)).toEqual([
      ...['completed', 'failed', 'blocked', 'completed'],
    ])
    plan.claude(works)
    expect((await plan.do('-w', '--after', 'merge')).code).toBe(0)
    expect(plan.called.slice(3)).toEqual(['02', '03'])
    expect([plan.subjects().at(-1), plan.read('half.js')]).toEqual(['RAF[abcdef:03] Make 03', undefined])
    expect(existsSync(at(plan))).toBe(false)
  })

  it('brings a plan that is not committed to its branch with the first task', async () => {
    const plan = world({ '01-one': {} })
    plan.write(`${raf}/plans/02-two.md`, '# Task: Two\n')
    plan.claude(`if [ $ID = 01 ]; then rm ${raf}/plans/02-two.md; fi; echo $ID > made-$ID.js; SAID='${complete}'`)
    expect((await plan.do('-w')).code).toBe(0)
    expect(plan.called).toEqual(['01', '02'])
    expect(plan.read(`${raf}/plans/02-two.md`)).toBe('# Task: Two\n')
    expect(plan.git('ls-tree', '-r', '--name-only', branch, 'RAF').trim().split('\n')).toEqual([
      `${raf}/input.md`,
      ...['outcomes/01-one.md', 'outcomes/02-two.md', 'plans/01-one.md', 'plans/02-two.md'].map(
        path => `${raf}/${path}`,
      ),
    ])
  })

  it('merges where files of the plan lie in the folder, and nothing else of the user is in the way', async () => {
    const plan = world({ '01-one': {} })
    plan.write(`${raf}/plans/02-two.md`, '# Task: Two\n')
    plan.claude(`echo $ID > made-$ID.js; SAID='${failed}'`)
    await plan.do('--attempts', '1')
    plan.claude(works)
    await plan.do('-w')
    plan.write('made-02.js', 'mine\n')
    expect((await plan.do('-w', '--after', 'merge')).stderr).toMatch(/made-02\.js\..* Next: the same command/)
    expect(plan.read(`${raf}/plans/02-two.md`)).toBe('# Task: Two\n')
    expect(lastLine(plan.outcome('01-one'))).toBe(failed)
    rmSync(join(plan.cwd, 'made-02.js'))
    expect((await plan.do('-w', '--after', 'merge')).stderr).toContain('merged into main')
    expect(lastLine(plan.outcome('01-one'))).toBe(complete)
    expect(plan.git('status', '--short')).toBe('')
  })

  it('brings back after a kill what made room for a merge', async () => {
    const plan = world({ '01-one': {} })
    plan.claude(`SAID='${failed}'`)
    await plan.do('--attempts', '1')
    const report = plan.outcome('01-one')
    plan.claude(works)
    await plan.do('-w')
    plan.write('b.js', 'b\n')
    plan.git('add', 'b.js')
    plan.git('commit', '-qm', 'meanwhile')
    const hook = `#!/bin/sh\ntouch '${plan.home}/merging'\nwhile [ ! -e '${plan.home}/go' ]; do sleep 0.05; done\nkill -9 $PPID\ntouch '${plan.home}/over'\n`
    writeFileSync(join(plan.cwd, '.git/hooks/pre-merge-commit'), hook, { mode: 0o755 })
    const merging = plan.start('do', 'demo', '-w', '--after', 'merge')
    await until(() => existsSync(join(plan.home, 'merging')), 'git merges')
    expect(plan.outcome('01-one')).not.toBe(report)
    merging.kill('SIGKILL')
    await merging.end
    writeFileSync(join(plan.home, 'go'), '')
    await until(() => existsSync(join(plan.home, 'over')), 'git has ended')
    rmSync(join(plan.cwd, '.git/index.lock'), { force: true })
    plan.git('reset', '-q', '--merge')
    expect((await plan.do('-w')).code).toBe(0)
    expect(plan.outcome('01-one')).toBe(report)
    rmSync(join(plan.cwd, '.git/hooks/pre-merge-commit'))
    expect((await plan.do('-w', '--after', 'merge')).code).toBe(0)
    expect(lastLine(plan.outcome('01-one'))).toBe(complete)
    expect(plan.git('status', '--short')).toBe('')
  })

  it('brings the outcomes of a plan that git ignores to the folder, and into no commit', async () => {
    const plan = world()
    plan.write('.gitignore', '/.relaycode/\n/RAF/\n')
    plan.git('rm', '-rq', '--cached', 'RAF')
    plan.commit('ignore it')
    plan.claude(works)
    expect((await plan.do('-w')).code).toBe(0)
    expect(plan.called).toEqual(['01', '02'])
    expect(['01-one', '02-two'].map(task => lastLine(plan.outcome(task)))).toEqual([complete, complete])
    expect(plan.git('ls-tree', '-r', '--name-only', branch).trim().split('\n')).toEqual([
      ...['.gitignore', 'a.js', 'made-01.js', 'made-02.js', 'relaycode.config.json'],
    ])
  })

  it('goes on after a kill', async () => {
    const plan = world()
    plan.claude(
      `if [ $ID = 02 ]; then echo half > half.js; echo '${complete}' > $OUT; touch '${plan.home}/begun'; sleep 600; fi; ${works}`,
    )
    const first = plan.start('do', 'demo', '-w')
    await until(() => existsSync(join(plan.home, 'begun')), 'the agent is at work')
    first.kill('SIGKILL')
    await first.end
    expect((await plan.run('status')).stdout).toContain('Branches:\nabcdef demo ✓○ (1/2)\n')
    plan.claude(works)
    expect((await plan.do('-w')).code).toBe(0)
    expect(plan.called).toEqual(['01', '02', '02'])
    expect(plan.subjects(branch)).toEqual(['first', 'RAF[abcdef:01] Make 01', 'RAF[abcdef:02] Make 02'])
  })

  it('takes up a plan that is on its branch alone, in a work tree that is there already', async () => {
    const plan = world().claude(works)
    plan.git('worktree', 'add', '-q', at(plan), '-b', branch)
    plan.git('rm', '-rq', 'RAF')
    plan.commit('no plan here')
    expect(await plan.do()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Run `relay do abcdef-demo --worktree`'),
    })
    expect((await plan.run('status')).stdout).toMatch(/Worktrees:\nabcdef demo ○○ \(0\/2\)\n$/)
    writeFileSync(join(at(plan), 'mine.js'), 'mine')
    const { code, stderr } = await plan.do('-w')
    expect(code).toBe(0)
    expect(stderr).toContain(
      'stays: it holds mine.js. When you need nothing of it any more: `git worktree remove --force ',
    )
    expect(readFileSync(join(at(plan), 'mine.js'), 'utf8')).toBe('mine')
    expect(plan.subjects(branch)).toEqual(['first', 'RAF[abcdef:01] Make 01', 'RAF[abcdef:02] Make 02'])
  })

  it('pushes the branch and opens a pull request, of which the next run finds that it is open', async () => {
    const plan = world().claude(works)
    const bare = join(plan.home, 'origin.git')
    plan.git('init', '-q', '--bare', bare)
    plan.git('remote', 'add', 'origin', 'https://github.com/o/r.git')
    plan.git('config', `url.${bare}.insteadOf`, 'https://github.com/o/r.git')
    plan.git('push', '-q', 'origin', 'main')
    const url = 'https://github.com/o/r/pull/7'
    const gh = `#!/bin/sh
      case "$1 $2" in
        "pr list") [ -e '${plan.home}/opened' ] && echo '[{"url":"${url}"}]' || echo '[]' ;;
        "pr create")
          printf '%s\\n' "$@" > '${plan.home}/opened'
          cat > '${plan.home}/body'
          echo '${url}' ;;
      esac
    `
    writeFileSync(join(plan.home, 'bin/gh'), gh, { mode: 0o755 })
    const { code, stderr } = await plan.do('-w', '--after', 'pr')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`pull request ${url}`) })
    expect(readFileSync(join(plan.home, 'opened'), 'utf8')).toContain('\n--title\nDemo\n')
    expect(readFileSync(join(plan.home, 'body'), 'utf8')).toContain('- **02 02-two**: Make 02')
    expect(plan.git('--git-dir', bare, 'log', '-1', '--format=%s', branch).trim()).toBe('RAF[abcdef:02] Make 02')
    expect(existsSync(at(plan))).toBe(true)
    expect((await plan.do('-w', '--after', 'pr')).stderr).toContain(`pull request (open already) ${url}`)
  })

  it('opens no pull request where that cannot be done, and says so before a task is begun', async () => {
    const plan = world({ '01-one': {} }).claude(works)
    expect(await plan.do('-w', '--after', 'pr')).toMatchObject({ code: 8, stderr: expect.stringContaining('origin') })
    expect(plan.calls).toEqual([])
    expect(await plan.do('--after', 'merge')).toMatchObject({ code: 2 })
  })
})
