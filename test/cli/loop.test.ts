import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prdText, story } from '../agents/prd/prd-world.ts'
import { schemas } from '../support/json-schemas.ts'
import { endRelays, type RelayEnd, runRelay, startRelay, testPath } from '../support/real-relay.ts'
import { runInTerminal } from '../support/real-terminal.ts'
import { runHere } from '../support/relay-here.ts'
import { repositoryAt } from '../support/repository.ts'
import { until } from '../support/until.ts'

/** A home with a project in git, a prd.json and a fake `codex`. */
let home: string
let cwd: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-loop-'))
  cwd = join(home, 'project')
  for (const folder of [cwd, join(home, 'bin'), join(home, 'calls')]) mkdirSync(folder)
  repositoryAt(cwd, 'loop', () => {
    git('init', '-q', '-b', 'main')
    write('a.txt', 'a\n')
    write('.gitignore', '/.relaycode/\n')
    configure({})
    git('add', '-A')
    git('commit', '-qm', 'first')
  })
})
afterEach(async () => {
  await endRelays()
  rmSync(home, { recursive: true, force: true })
})

const env = () => ({
  HOME: home,
  XDG_STATE_HOME: join(home, 'state'),
  PATH: `${join(home, 'bin')}:${testPath}`,
  GIT_AUTHOR_NAME: 'user',
  GIT_AUTHOR_EMAIL: 'u@x',
  GIT_COMMITTER_NAME: 'user',
  GIT_COMMITTER_EMAIL: 'u@x',
})
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, env: env(), encoding: 'utf8' })
const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
const configure = (config: object) =>
  write('relaycode.config.json', JSON.stringify({ projectId: 'demo', agent: 'codex', ...config }))
const write = (path: string, text: string) => {
  mkdirSync(join(cwd, path, '..'), { recursive: true })
  writeFileSync(join(cwd, path), text)
}
const stories = (...ids: readonly string[]) => prdText(ids.map(id => story(id)))

const complete = 'Done. <promise>COMPLETE</promise>'
/** The agent runs this script in its checkout, `$ID` is its story and `$N` counts the calls, and says then what `said` tells. */
function codex(script: string, said = complete) {
  const events = [
    { type: 'item.completed', item: { type: 'agent_message', text: '@said@' } },
    { type: 'turn.completed' },
  ]
  const lines = [
    '#!/bin/sh',
    `N=$(($(ls '${home}/calls' | wc -l) + 1))`,
    `cat > '${home}/calls/'$N`,
    `ID=$(sed -n 's/^\\*\\*\\(US-[0-9]*\\): .*/\\1/p' '${home}/calls/'$N)`,
    `SAID='${said}'`,
    `passes() { sed -i "/\\"id\\": \\"$1\\"/,/\\"passes\\"/s/\\"passes\\": false/\\"passes\\": true/" prd.json; }`,
    script,
    `sed "s|@said@|$SAID|" <<'EOF'\n${events.map(event => JSON.stringify(event)).join('\n')}\nEOF`,
  ]
  writeFileSync(join(home, 'bin/codex'), lines.join('\n'), { mode: 0o755 })
}
/** What the agents were told, oldest first. */
const calls = () =>
  readdirSync(join(home, 'calls'))
    .toSorted((a, b) => Number(a) - Number(b))
    .map(name => readFileSync(join(home, 'calls', name), 'utf8'))
/** The ids of the stories that they were given. */
const given = () => calls().map(text => /^\*\*(US-\d+): /m.exec(text)?.[1])
/** Its lines, unwrapped. */
const relay = async (...args: readonly string[]) =>
  unwrapped(await runHere(['loop', '--trust', ...args], { cwd, env: env() }))
/** The program itself. */
const program = async (...args: readonly string[]) =>
  unwrapped(await runRelay(['loop', '--trust', ...args], { cwd, env: env() }))
function unwrapped({ code, stdout, stderr }: RelayEnd) {
  return { code, stdout, stderr: stderr.replaceAll(/\n {2,4}(?=\S)/g, ' ') }
}
const subjects = (branch = 'ralph/priority') => git('log', '--format=%s', branch).trim().split('\n')
const passing = () =>
  (JSON.parse(read('prd.json')) as { userStories: { id: string; passes: boolean }[] }).userStories
    .filter(({ passes }) => passes)
    .map(({ id }) => id)
const left = () => {
  const folder = join(home, 'state/relaycode')
  return ['work', 'kept'].flatMap(name => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : []))
}

describe('relay loop', () => {
  it('does one story after the other, by priority and then by place, each with a fresh agent and a commit', async () => {
    const all = [
      story('US-003', { priority: 2 }),
      story('US-001', { priority: 2 }),
      story('US-002', { priority: 1 }),
      story('US-004', { priority: 0, passes: true }),
    ]
    write('prd.json', prdText(all, { unknown: { kept: [1] } }))
    const before = read('prd.json')
    codex('echo $ID >> a.txt')
    expect((await program()).code).toBe(0)
    expect(given()).toEqual(['US-002', 'US-003', 'US-001'])
    expect(subjects()).toEqual([
      'feat: US-001 - Add US-001 to the list',
      'feat: US-003 - Add US-003 to the list',
      'feat: US-002 - Add US-002 to the list',
      'first',
    ])
    expect(read('prd.json')).toBe(before.replaceAll('"passes": false', '"passes": true'))
    expect(git('show', 'ralph/priority:prd.json')).toBe(read('prd.json'))
    expect(git('show', 'ralph/priority:progress.txt')).toBe(read('progress.txt'))
    expect(git('show', 'ralph/priority:a.txt')).toBe('a\nUS-002\nUS-003\nUS-001\n')
    expect([read('a.txt'), git('branch', '--show-current'), read('.last-branch')]).toEqual([
      'a\n',
      'main\n',
      'ralph/priority\n',
    ])
    expect(left()).toEqual([])
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('takes what the agent writes into prd.json and progress.txt, and puts back what is not its business', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    write('progress.txt', '# Ralph Progress Log\nStarted: now\n---\n')
    codex(
      `passes $ID; sed -i 's/"title": "Add US-00[12] to the list"/"title": "x"/; s/"notes": ""/"notes": "see a.txt"/' prd.json
       printf '## today - %s\\n- did it\\n---\\n' $ID >> progress.txt; echo $ID > $ID`,
      'Done.',
    )
    expect((await relay('1')).code).toBe(9)
    expect(read('prd.json')).toBe(prdText([story('US-001', { passes: true, notes: 'see a.txt' }), story('US-002')]))
    expect(read('progress.txt')).toBe('# Ralph Progress Log\nStarted: now\n---\n## today - US-001\n- did it\n---\n')
  })

  it('believes COMPLETE only where every story passes, and a story only where it was said of it', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    codex(`[ $N = 2 ] && SAID='Not yet.' && passes US-001; echo $N > n.txt`)
    expect((await relay()).code).toBe(0)
    expect(given()).toEqual(['US-001', 'US-002', 'US-002'])
    expect(calls()[2]).toContain('The agent neither set "passes" of US-002 to true in prd.json')
  })

  it('does not believe COMPLETE of an agent that did nothing, unless it says in progress.txt that all was there', async () => {
    write('prd.json', stories('US-001'))
    codex(`[ $N = 2 ] && printf '## now - US-001\\n- was there already\\n---\\n' >> progress.txt`)
    expect((await relay()).code).toBe(0)
    expect(calls()).toHaveLength(2)
    expect(calls()[1]).toContain('The agent says that US-001 is done, and has changed no file.')
  })

  it('tells the next agent what the one before did to prd.json in vain', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    codex('passes US-002; echo { >> prd.json', 'Done.')
    await relay('2')
    expect(calls()[1]).toMatch(
      /nor said <promise>COMPLETE<\/promise>\.\nPut back in prd\.json: prd\.json cannot be read: /,
    )
    codex('passes US-002', 'Done.')
    expect((await relay('1')).stderr).toContain('Put back in prd.json: "passes" of US-002 was changed')
  })

  it('asks the checks: what they refuse goes to the next agent, which finds the work of the one before', async () => {
    configure({ linter: 'if grep -q bad a.txt; then echo "a.txt:1:1: bad"; exit 1; fi' })
    git('commit', '-qam', 'second')
    write('prd.json', stories('US-001'))
    codex('if [ $N = 1 ]; then echo bad > a.txt; else cat a.txt > seen.txt; echo good > a.txt; fi')
    const { code, stderr } = await relay()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('(iteration 2 of 10)') })
    expect(calls()[1]).toMatch(/# What went wrong before[\s\S]*a\.txt:1:1: bad/)
    expect([git('show', 'ralph/priority:seen.txt'), git('show', 'ralph/priority:a.txt')]).toEqual(['bad\n', 'good\n'])
  })

  it('stops after so many iterations, and goes on from there', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    codex(`echo $N > n.txt; [ $N = 2 ] && SAID='Half way.'`)
    const first = await relay('2')
    expect({ code: first.code, stderr: first.stderr }).toEqual({
      code: 9,
      stderr: expect.stringContaining('2 of 2 iterations are used'),
    })
    expect(first.stderr.replaceAll(/\s+/g, ' ')).toContain('What was refused is kept: `relay apply --kept 1`')
    expect(passing()).toEqual(['US-001'])
    codex('cat n.txt > seen.txt')
    expect((await relay()).code).toBe(0)
    expect((await runHere(['apply', '--kept'], { cwd, env: env() })).stdout).toBe('')
    expect([git('show', 'ralph/priority:seen.txt'), passing()]).toEqual(['2\n', ['US-001', 'US-002']])
  })

  it('stops where nothing moves any more, and says why', async () => {
    write('prd.json', stories('US-001'))
    codex(`printf '## again\\n- nothing\\n' >> progress.txt`, 'I wonder.')
    const { code, stderr } = await program()
    expect({ code, stderr }).toEqual({
      code: 9,
      stderr: expect.stringContaining('US-001 made no progress 3 times in a row: The agent neither set'),
    })
    expect(calls()).toHaveLength(3)
  })

  it('stops where only a yes is missing, names the option, and lands the same turn with it', async () => {
    write('prd.json', stories('US-001'))
    codex(`echo '{"a":1}' > package.json; echo $N > n.txt`)
    const { code, stderr } = await relay()
    expect({ code, stderr }).toEqual({
      code: 9,
      stderr: expect.stringContaining(
        'Stopped: US-001: Not accepted: package.json: adds a. The same command with --allow-sensitive takes it',
      ),
    })
    expect((await relay('--allow-sensitive')).code).toBe(0)
    expect(calls()).toHaveLength(1)
    expect(git('show', 'ralph/priority:package.json')).toBe('{"a":1}\n')
  })

  it('goes on as long as something moves', async () => {
    write('prd.json', stories('US-001'))
    codex('echo $N > n.txt', 'Not yet.')
    expect((await relay('5')).code).toBe(9)
    expect(calls()).toHaveLength(5)
  })

  it('hands on why an agent says that it cannot be done', async () => {
    write('prd.json', stories('US-001'))
    codex(`passes $ID; echo 1 > b.txt; [ $N = 1 ] && SAID='Reason: no table\\\\n<promise>BLOCKED</promise>'`)
    expect((await relay()).code).toBe(0)
    expect(calls()[1]).toContain('The agent says that something is missing: no table')
  })

  it('merges what the user writes into prd.json and progress.txt meanwhile', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    const users = prdText([
      story('US-001', { title: 'Another title' }),
      story('US-002', { priority: 5 }),
      story('US-003', { priority: 3 }),
    ])
    writeFileSync(join(home, 'users.json'), users)
    codex(
      `if [ $N = 1 ]; then cp '${home}/users.json' '${cwd}/prd.json'; echo mine >> '${cwd}/progress.txt'; fi; echo $ID > $ID`,
    )
    expect((await relay()).code).toBe(0)
    expect(given()).toEqual(['US-001', 'US-003', 'US-002'])
    expect(read('prd.json')).toBe(users.replaceAll('"passes": false', '"passes": true'))
    expect(read('progress.txt')).toMatch(/^# Ralph[^#]*mine\n## \S+ \S+ - US-001\n/)
    expect(git('show', 'ralph/priority:progress.txt')).toBe(read('progress.txt'))
  })

  it('keeps the work of a story that the user removes meanwhile', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    writeFileSync(join(home, 'users.json'), stories('US-002'))
    codex(`[ $N = 1 ] && cp '${home}/users.json' '${cwd}/prd.json'; echo $ID > $ID`)
    await relay()
    expect([given(), passing()]).toEqual([['US-001', 'US-002'], ['US-002']])
    expect(subjects()).toEqual(['feat: US-002 - Add US-002 to the list', 'first'])
    expect(left()).not.toEqual([])
  })

  it('keeps the half-done work of a story that the user says passes, names it, and comes to its end', async () => {
    write('prd.json', stories('US-001'))
    codex('echo half > a.txt', 'Half way.')
    expect((await relay('1')).code).toBe(9)
    write('prd.json', prdText([story('US-001', { passes: true })]))
    const { code, stderr } = await relay()
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Its work is kept: relay apply --kept 2'),
    })
    expect([calls().length, git('worktree', 'list').trim().split('\n').length]).toEqual([1, 1])
    expect((await relay()).stderr).toContain('there is nothing to do')
  })

  it('archives the last run with its own prd.json when another branch begins', async () => {
    write('prd.json', stories('US-001'))
    codex('echo $ID > $ID')
    expect((await relay()).code).toBe(0)
    const [prd, progress] = [read('prd.json'), read('progress.txt')]
    write('prd.json', prdText([story('US-001')], { branchName: 'ralph/other' }))
    const { code, stderr } = await relay()
    const [folder = ''] = readdirSync(join(cwd, 'archive'))
    expect({ code, stderr, folder }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`archive/${folder}/`),
      folder: expect.stringMatching(/^\d{4}-\d\d-\d\d-priority$/),
    })
    expect([read(`archive/${folder}/prd.json`), read(`archive/${folder}/progress.txt`)]).toEqual([prd, progress])
    expect(read('progress.txt').match(/^## /gm)).toHaveLength(1)
    expect(read('.last-branch')).toBe('ralph/other\n')
  })

  it('carries files that git ignores to the agent and back, and commits none of them', async () => {
    write('.gitignore', '/.relaycode/\nscripts/ralph/\n')
    git('commit', '-qam', 'second')
    write('scripts/ralph/prd.json', stories('US-001'))
    write('scripts/ralph/prompt.md', 'My own prompt.\n')
    codex(`cp scripts/ralph/prd.json seen.json; printf '## mine\\n- done\\n' >> scripts/ralph/progress.txt`)
    expect((await relay()).code).toBe(0)
    expect(calls()[0]?.split('\n')[0]).toBe('My own prompt.')
    expect(git('show', '--format=', '--name-only', 'ralph/priority')).toBe('seen.json\n')
    expect(read('scripts/ralph/prd.json')).toContain('"passes": true')
    expect(read('scripts/ralph/progress.txt')).toMatch(/---\n## mine\n- done\n$/)
  })

  it('lands here where the user is on the branch, as a change that can be undone', async () => {
    git('switch', '-qc', 'ralph/priority')
    write('prd.json', stories('US-001'))
    write('b.txt', 'not committed\n')
    codex('echo $ID >> a.txt; test -e b.txt || exit 3')
    expect((await relay()).code).toBe(0)
    expect(git('show', '--format=%s', '--name-only').trim().split('\n')).toEqual([
      'feat: US-001 - Add US-001 to the list',
      '',
      'a.txt',
      'prd.json',
      'progress.txt',
    ])
    expect([read('a.txt'), passing()]).toEqual(['a\nUS-001\n', ['US-001']])
    expect((await runHere(['undo', '--yes'], { cwd, env: env() })).code).toBe(0)
    expect([read('a.txt'), passing()]).toEqual(['a\n', []])
  })

  it('goes on after a kill, and does no story twice', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    codex(`echo $ID >> a.txt; [ $N = 2 ] && touch '${home}/begun' && sleep 600`)
    const first = startRelay(['loop', '--trust'], { cwd, env: env() })
    await until(() => existsSync(join(home, 'begun')), 'the second agent is at work')
    first.kill('SIGKILL')
    await first.end
    expect(passing()).toEqual(['US-001'])
    codex('echo again >> a.txt')
    const second = await relay()
    expect({ code: second.code, given: given() }).toEqual({ code: 0, given: ['US-001', 'US-002', 'US-002'] })
    expect(git('show', 'ralph/priority:a.txt')).toBe('a\nUS-001\nUS-002\nagain\n')
    expect(calls()[2]).toContain('An earlier run was stopped in the middle of this attempt.')
    expect([subjects().length, left()]).toEqual([3, []])
  })

  it('refuses a second loop of the same prd.json, also for another branch, which changes nothing then', async () => {
    write('prd.json', stories('US-001'))
    codex(`touch '${home}/begun'; while [ ! -e '${home}/go' ]; do sleep 0.05; done; echo $ID >> a.txt`)
    const first = startRelay(['loop', '--trust'], { cwd, env: env() })
    await until(() => existsSync(join(home, 'begun')), 'the agent is at work')
    const before = [read('progress.txt'), read('.last-branch'), git('status', '--short')]
    const refused = { code: 8, stderr: expect.stringMatching(/Another relay \(process \d+\) works on prd\.json/) }
    expect(await relay()).toMatchObject(refused)
    const own = read('prd.json')
    write('prd.json', own.replace('ralph/priority', 'ralph/other'))
    expect(await relay()).toMatchObject(refused)
    write('prd.json', own)
    expect([read('progress.txt'), read('.last-branch'), git('status', '--short')]).toEqual(before)
    expect((await relay('--dry-run')).code).toBe(0)
    writeFileSync(join(home, 'go'), '')
    expect([(await first.end).code, calls().length, existsSync(join(cwd, 'archive'))]).toEqual([0, 1, false])
  })

  it('merges the branch at the end where that is wished', async () => {
    write('prd.json', stories('US-001'))
    git('add', '-A')
    git('commit', '-qm', 'plan')
    codex('echo $ID >> a.txt')
    const { code, stderr } = await relay('--after', 'merge')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('merged into main') })
    expect([read('a.txt'), git('status', '--short')]).toEqual(['a\nUS-001\n', '?? .last-branch\n'])
  })

  it('asks on a terminal, before the first story, what happens with the branch', async () => {
    write('prd.json', stories('US-001'))
    codex('echo $ID >> a.txt')
    const { code, stdout } = await runInTerminal(['loop', '--trust'], { cwd, env: env(), keys: ['m'] })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('merged into main') })
    expect(stdout.indexOf('When all is done, what happens with the branch ralph/priority?')).toBeLessThan(
      stdout.indexOf('US-001 Add US-001 to the list'),
    )
    expect([read('a.txt'), stdout.includes('Next:')]).toEqual(['a\nUS-001\n', false])
    // No entry has come of it: a number would be that of another one, or of none.
    expect(stdout).not.toContain('#1')
  })

  it.each<[string, readonly string[], number, () => void, string]>([
    ['merge on no branch', ['merge'], 2, () => git('checkout', '-q', '--detach'), 'You are on no branch'],
    ['merge into a commit', ['merge', '--base', 'HEAD'], 2, () => {}, 'There is no branch HEAD to merge into'],
    ['open a pull request nowhere', ['pr'], 8, () => {}, 'There is no remote `origin`'],
    ['ship what lands here', ['merge'], 2, () => git('checkout', '-qb', 'ralph/priority'), 'the stories land here'],
  ])('knows before the first story that it cannot %s', async (_, after, code, prepare, says) => {
    write('prd.json', stories('US-001'))
    codex('true')
    prepare()
    const end = await relay('--after', ...after)
    expect({ ...end, calls: calls() }).toMatchObject({ code, stderr: expect.stringContaining(says), calls: [] })
  })

  it('ships what an earlier run has made, and runs nothing for that', async () => {
    write('prd.json', stories('US-001'))
    codex('echo $ID >> a.txt')
    expect((await relay()).stderr).toMatch(/\nNext: `relay loop --after merge`, or `relay loop --after pr`\n$/)
    const mine = read('prd.json').replace('"description": "Priorities', '"description": "Mine: priorities')
    write('prd.json', mine)
    expect((await relay('--after', 'merge')).code).toBe(0)
    expect([read('a.txt'), read('prd.json'), calls().length]).toEqual(['a\nUS-001\n', mine, 1])
    expect(git('status', '--short')).toBe(' M prd.json\n?? .last-branch\n')
  })

  it.each([
    ['recover', ['recover']],
    ['another command that writes', ['undo']],
    ['the same loop', ['loop', '--trust', '--prd', 'sub/my.json']],
  ])('has prd.json brought back after a kill in the middle of the merge, by %s', async (_, by) => {
    write('sub/my.json', stories('US-001'))
    codex(`sed -i 's/"passes": false/"passes": true/' sub/my.json; echo $ID >> a.txt`)
    expect((await relay('--prd', 'sub/my.json')).code).toBe(0)
    const users = read('sub/my.json')
    const killer = `#!/bin/sh
case " $* " in *' merge '*) ls sub > '${home}/seen'; kill -9 $PPID; exit 1;; esac
PATH='${testPath}' exec git "$@"
`
    writeFileSync(join(home, 'bin/git'), killer, { mode: 0o755 })
    await program('--prd', 'sub/my.json', '--after', 'merge')
    expect([readFileSync(join(home, 'seen'), 'utf8'), existsSync(join(cwd, 'sub/my.json'))]).toEqual(['', false])
    rmSync(join(home, 'bin/git'))
    const other = async (...args: readonly string[]) => unwrapped(await runHere(args, { cwd, env: env() }))
    const status = (await other('status')).stdout
    expect(status).toContain('put aside for a merge that was stopped: sub/my.json, sub/progress.txt;')
    expect((await other('recover', '--dry-run')).stderr).toContain('sub/progress.txt; `relay recover` puts them back')
    expect(existsSync(join(cwd, 'sub/my.json'))).toBe(false)
    const { stderr } = await other(...by)
    expect(stderr).toContain('put back, after a merge that was stopped: sub/my.json')
    expect([read('sub/my.json'), stderr.includes('Nothing is unfinished')]).toEqual([users, false])
    expect((await other('recover')).stderr).toContain('Nothing is unfinished.')
    expect((await other('status')).stdout).not.toContain('put aside')
    expect((await relay('--prd', 'sub/my.json', '--after', 'merge')).code).toBe(0)
    expect(read('a.txt')).toBe('a\nUS-001\n')
  })

  it('tells programs what happens', async () => {
    write('prd.json', stories('US-001'))
    codex('echo $ID >> a.txt')
    const { stdout } = await relay('3', '--json')
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    for (const event of events) expect(v.safeParse(schemas.event, event).issues).toBeUndefined()
    expect(events.filter(({ event }) => event === 'begun' || event === 'kept')).toMatchObject([
      { event: 'begun', number: null },
      { event: 'kept', number: null },
    ])
    expect(events.filter(({ event }) => /^(work|task|attempt)/.test(event))).toMatchObject([
      { event: 'work-begun', agent: 'codex', book: 'prd.json' },
      { event: 'attempt-begun', task: { id: 'US-001' }, attempt: 1, of: 3, iteration: 1 },
      { event: 'task-ended', result: 'landed', files: 3, number: null },
      { event: 'work-ended', stopped: 'all-done', shipped: { how: 'left', branch: 'ralph/priority' } },
    ])
  })

  it('runs nothing where all pass, and where it only shows what it would do', async () => {
    write('prd.json', stories('US-001', 'US-002'))
    codex('true')
    const shown = await relay('--dry-run')
    expect({ code: shown.code, stdout: shown.stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^○ prd\.json: at most 10[\s\S]*\n {2}US-001 Add[^\n]*\(envelope: [^\n]*\n {2}US-002 /,
      ),
    })
    write('prd.json', prdText([story('US-001', { passes: true })]))
    const done = await relay()
    expect([done.code, done.stderr]).toEqual([0, 'All user stories of prd.json pass: there is nothing to do.\n'])
    expect([calls(), existsSync(join(cwd, '.last-branch'))]).toEqual([[], false])
  })

  it('says what is not committed, and takes another agent in place of one that it cannot keep in', async () => {
    configure({ agent: '' })
    write('prd.json', stories('US-001'))
    codex('ls > seen.txt')
    writeFileSync(join(home, 'bin/amp'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const { code, stderr } = await relay()
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('amp cannot be kept to workspace-write: codex is used'),
    })
    expect(stderr).toContain('not committed, so not on that branch: relaycode.config.json')
    expect((await relay('--agent', 'amp')).code).toBe(0)
  })

  it.each<[string, () => void, readonly string[], RegExp]>([
    ['no prd.json', () => {}, [], /There is no prd\.json[\s\S]*Hint: Run `relay prd new`/],
    ['one that is no JSON', () => write('prd.json', '{'), [], /prd\.json cannot be read/],
    ['two stories of one id', () => write('prd.json', stories('US-001', 'US-001')), [], /two user stories US-001/],
    ['no branch', () => write('prd.json', prdText([story('US-001')], { branchName: '' })), [], /no "branchName"/],
    ['no iteration', () => write('prd.json', stories('US-001')), ['0'], /1 or more, not "0"/],
    [
      'no commit',
      () => {
        rmSync(join(cwd, '.git'), { recursive: true })
        git('init', '-q')
        write('prd.json', stories('US-001'))
      },
      [],
      /There is no commit here yet/,
    ],
    ['no such base', () => write('prd.json', stories('US-001')), ['--base', 'gone'], /There is no commit gone/],
  ])('ends with 2 where there is %s', async (_, prepare, args, says) => {
    codex('true')
    prepare()
    const { code, stderr } = await relay(...args)
    expect({ code, stderr, calls: calls() }).toEqual({ code: 2, stderr: expect.stringMatching(says), calls: [] })
  })
})
