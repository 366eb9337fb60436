import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endRelays, type RelayEnd, relayCommand, runRelay, startRelay, testPath } from '../support/real-relay.ts'
import { runHere } from '../support/relay-here.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

/** A home with a repository, without a configuration, and a fake `claude`. */
let home: string
let cwd: string
const panes: Pane[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-plan-'))
  cwd = join(home, 'project')
  for (const folder of [cwd, join(home, 'bin')]) mkdirSync(folder)
  git('init', '-q', '-b', 'main')
  writeFileSync(join(cwd, 'a.js'), '1\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
})
afterEach(async () => {
  for (const pane of panes.splice(0)) await pane.stop()
  await endRelays()
  rmSync(home, { recursive: true, force: true })
})

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, env: environment(), encoding: 'utf8' })
}

function environment() {
  const who = {
    GIT_AUTHOR_NAME: 'user',
    GIT_AUTHOR_EMAIL: 'u@x',
    GIT_COMMITTER_NAME: 'user',
    GIT_COMMITTER_EMAIL: 'u@x',
  }
  return { HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: `${join(home, 'bin')}:${testPath}`, ...who }
}

/**
 * It runs these lines of shell in its checkout, where `$P` is the project's folder, and then says that it is done. `NEW name` writes
 * a task file. In a conversation there is no `-p`.
 */
function claude(script: string) {
  const said = [
    { type: 'assistant', message: { content: [{ type: 'text', text: 'Planned.' }] } },
    { type: 'result', subtype: 'success', is_error: false, result: 'Planned.' },
  ]
  const text = `#!/bin/sh
printf '%s\\n' "$@" > '${home}/argv'
pwd > '${home}/pwd'
env > '${home}/env'
case "$1" in -p) cat > '${home}/prompt';; esac
P=$(ls -d RAF/*/ | tail -1)
P=\${P%/}
NEW() { printf '# Task: %s\\n' "$1" > "$P/plans/$1.md"; }
${script}
case "$1" in -p) cat <<'EOF'
${said.map(each => JSON.stringify(each)).join('\n')}
${said.map(each => JSON.stringify(each)).join('\n')}
EOF
;; esac
`
  writeFileSync(join(home, 'bin/claude'), text, { mode: 0o755 })
}

/** Without a terminal, the description on stdin. */
const plan = async (args: readonly string[], stdin = 'Fix the login form.\n') =>
  unwrapped(await runHere(['plan', ...args], { cwd, env: environment(), stdin }))
/** The program itself. */
const program = async (args: readonly string[], stdin = 'Fix the login form.\n') =>
  unwrapped(await runRelay(['plan', ...args], { cwd, env: environment(), stdin }))
function unwrapped({ code, stdout, stderr }: RelayEnd) {
  return { code, stdout, stderr: stderr.replaceAll(/\n {2,4}(?=[\w/])/g, ' ') }
}

function inTerminal(args: readonly string[], editor: string): Pane {
  writeFileSync(join(home, 'bin/my-editor'), `#!/bin/sh\n${editor}\n`, { mode: 0o755 })
  const env = Object.entries({ ...environment(), EDITOR: 'my-editor' }).map(([name, value]) => `${name}='${value}'`)
  const line = [...relayCommand, 'plan', ...args].map(word => `'${word}'`).join(' ')
  const script = join(home, `run-${panes.length}.sh`)
  writeFileSync(script, `trap : INT\nenv ${env.join(' ')} ${line}\necho "ended $?"\n`)
  const pane = startPane(`sh ${script}`, { cwd })
  panes.push(pane)
  return pane
}

const projects = (at = cwd) => (existsSync(join(at, 'RAF')) ? readdirSync(join(at, 'RAF')) : [])
function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile())
  return Object.fromEntries(
    names
      .map(each => join(each.parentPath, each.name))
      .toSorted()
      .map(path => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}
/** What of checkouts and drafts lies in relay's own folder. */
const left = () => {
  const folder = join(home, 'state/relaycode/work')
  return existsSync(folder) ? readdirSync(folder) : []
}

describe('relay plan without a terminal', () => {
  it('has an agent write a plan in a copy, and takes out the tasks alone', async () => {
    claude(
      `NEW 01-add-form; NEW 02-test-it; printf '\\n## Which?\\nThat.\\n' >> $P/decisions.md; echo 2 > a.js; echo x > $P/outcomes/01-add-form.md`,
    )
    const { code, stdout, stderr } = await program(['login', '-y'])
    expect(code).toBe(0)
    const [folder = ''] = projects()
    expect(folder).toMatch(/^[a-z]{6}-login$/)
    const id = folder.slice(0, 6)
    expect(stdout).toBe(
      `${id} login   ready\n  ○ 01 01-add-form\n  ○ 02 02-test-it\n  0 of 2 done\nTo start it: \`relay do ${id}\`\n`,
    )
    expect(stderr).toContain(`dropped RAF/${folder}/outcomes/01-add-form.md: it is nothing of the plan`)
    expect(stderr).toContain('dropped a.js: it is nothing of the plan')
    expect(filesOf(join(cwd, 'RAF', folder))).toEqual({
      'decisions.md': '# Project Decisions\n\n## Which?\nThat.\n',
      'input.md': 'Fix the login form.\n',
      'plans/01-add-form.md': '# Task: 01-add-form\n',
      'plans/02-test-it.md': '# Task: 02-test-it\n',
    })
    expect(readdirSync(join(cwd, 'RAF', folder))).toContain('outcomes')
    expect(git('status', '--short')).toBe('?? RAF/\n')
    expect(readFileSync(join(home, 'prompt'), 'utf8')).toContain('Fix the login form.')
    expect(readFileSync(join(home, 'pwd'), 'utf8')).toContain(join(home, 'state/relaycode/work'))
    expect(left()).toEqual([])
  })

  it('suggests a name', async () => {
    claude('NEW 01-a')
    expect((await plan(['-y'], 'Do it: Größe of the LOGIN form, please\n')).code).toBe(0)
    expect(projects()[0]).toMatch(/^[a-z]{6}-gr-e-the-login$/)
  })

  it('commits the plan where that is wanted, and nothing else', async () => {
    writeFileSync(join(cwd, 'a.js'), 'mine\n')
    claude('NEW 01-a')
    const { stderr } = await plan(['login', '-y', '--commit'])
    const [folder = ''] = projects()
    expect(stderr).toMatch(/✔ planned, committed as [0-9a-f]{7}\n$/)
    expect(git('log', '-1', '--format=%s', '--name-only').trim().split('\n')).toEqual([
      ...[`RAF[${folder.slice(0, 6)}] Plan: login`, ''],
      ...[`RAF/${folder}/decisions.md`, `RAF/${folder}/input.md`, `RAF/${folder}/plans/01-a.md`],
    ])
    expect(git('status', '--short')).toBe(' M a.js\n')
  })

  it('plans in a folder without git as well', async () => {
    rmSync(join(cwd, '.git'), { recursive: true })
    claude('NEW 01-a')
    expect((await plan(['login', '-y', '--commit'])).stderr).toMatch(/not committed: git ignores it, or there is no/)
    expect(projects()).toHaveLength(1)
  })

  it('keeps to a RAF folder that git ignores', async () => {
    writeFileSync(join(cwd, '.gitignore'), 'RAF/\n')
    claude('NEW 01-a')
    expect((await plan(['login', '-y'])).code).toBe(0)
    const [folder = ''] = projects()
    claude('cat $P/plans/01-a.md > /dev/null && NEW 02-b')
    expect((await plan(['--amend', 'login', '-y'], 'More.\n')).code).toBe(0)
    expect(Object.keys(filesOf(join(cwd, 'RAF', folder)))).toContain('plans/02-b.md')
  })

  it.each<[string, string, readonly string[], string, number, RegExp]>([
    ['there is no text', 'NEW 01-a', ['x', '-y'], ' \n', 2, /^Error: No project description provided\. Aborting\.\n/],
    ['no task was written', 'true', ['x', '-y'], 'a', 9, /No task file was written, so there is no plan/],
    ['the agent fails', 'NEW 01-a; exit 3', ['x', '-y'], 'a', 9, /The same command goes on with what was written/],
    ['the name is none', 'NEW 01-a', ['../x', '-y'], 'a', 2, /"\.\.\/x" cannot be the name of a plan/],
    ['two projects are named', 'NEW 01-a', ['x', '-a', 'y'], 'a', 2, /--amend names a project/],
    ['the project is not there', 'NEW 01-a', ['-a', 'y', '-y'], 'a', 2, /There is no plan "y" in RAF\//],
    ['the agent is not there', 'NEW 01-a', ['x', '-y', '--agent', 'copilot'], 'a', 8, /copilot CLI not found/],
    ['no name can be made', 'NEW 01-a', ['-y'], '???', 2, /No name can be made/],
  ])('leaves no project where %s', async (_, script, args, stdin, code, says) => {
    claude(script)
    const end = await plan(args, stdin)
    expect({ code: end.code, says: end.stderr }).toEqual({ code, says: expect.stringMatching(says) })
    expect([projects(), git('status', '--short')]).toEqual([[], ''])
  })

  it('starts no agent before what it would run is agreed to', async () => {
    mkdirSync(join(cwd, '.claude'))
    writeFileSync(join(cwd, '.claude/settings.json'), '{"hooks":{}}')
    claude('NEW 01-a')
    expect((await plan(['x', '-y'])).code).toBe(3)
    expect([existsSync(join(home, 'argv')), projects()]).toEqual([false, []])
    expect((await plan(['x', '-y', '--trust'])).code).toBe(0)
  })

  it('is refused inside an agent', async () => {
    const env = { ...environment(), RELAY_AGENT: '1' }
    expect((await runRelay(['plan', 'x', '-y'], { cwd, env, stdin: 'a' })).code).toBe(2)
  })

  it('stops at Ctrl+C, leaves no half project, and the same command goes on', async () => {
    claude(`NEW 01-a; touch '${home}/begun'; sleep 600`)
    const first = startRelay(['plan', 'x', '-y'], { cwd, env: environment(), stdin: 'Do it.' })
    await until(() => existsSync(join(home, 'begun')), 'the agent is at work')
    const second = await plan(['x', '-y'])
    expect([second.code, second.stderr]).toEqual([8, expect.stringContaining('works on the plan x')])
    first.kill('SIGINT')
    expect((await first.end).code).toBe(130)
    expect(projects()).toEqual([])
    claude('NEW 02-b')
    const third = await plan(['x', '-y'], 'Do it.')
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining('it goes on from there')])
    expect(readFileSync(join(home, 'prompt'), 'utf8')).toContain('An earlier run was stopped in the middle.')
    expect(Object.keys(filesOf(join(cwd, 'RAF', projects()[0] ?? '')))).toEqual([
      ...['decisions.md', 'input.md', 'plans/01-a.md', 'plans/02-b.md'],
    ])
    expect(left()).toEqual([])
  })

  it('goes on after it was killed', async () => {
    claude(`NEW 01-a; touch '${home}/begun'; sleep 600`)
    const first = startRelay(['plan', 'x', '-y'], { cwd, env: environment(), stdin: 'Do it.' })
    await until(() => existsSync(join(home, 'begun')), 'the agent is at work')
    first.kill('SIGKILL')
    await first.end
    expect(projects()).toEqual([])
    claude('true')
    expect((await plan(['x', '-y'], 'Do it.')).code).toBe(0)
    expect(projects()).toHaveLength(1)
  })

  it('is done where it was killed with the plan at home', async () => {
    claude('NEW 01-a')
    // git is relay's child.
    const hook = '#!/bin/sh\nrm "$0"\nkill -9 "$(ps -o ppid= -p $PPID)"\n'
    writeFileSync(join(cwd, '.git/hooks/pre-commit'), hook, { mode: 0o755 })
    expect((await program(['x', '-y', '--commit'])).code).toBe(null)
    const [folder = ''] = projects()
    rmSync(join(home, 'argv'))
    const { code, stdout } = await plan(['x', '-y', '--commit'])
    expect([code, stdout, existsSync(join(home, 'argv'))]).toEqual([0, expect.stringContaining('01 01-a'), false])
    expect(git('log', '-1', '--format=%s')).toBe(`RAF[${folder.slice(0, 6)}] Plan: x\n`)
    expect([projects(), left()]).toEqual([[folder], []])
  })

  it('makes two plans at once', async () => {
    claude(`NEW 01-a; echo x >> '${home}/began'; until test "$(wc -l < '${home}/began')" = 2; do sleep 0.05; done`)
    const ends = await Promise.all([program(['one', '-y']), program(['two', '-y'])])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    const ids = new Set(projects().map(each => each.slice(0, 6)))
    expect([projects().length, ids.size]).toEqual([2, 2])
  })
})

describe('relay plan --amend', () => {
  const folder = 'aaaaab-login'
  beforeEach(() => {
    for (const below of ['plans', 'outcomes']) mkdirSync(join(cwd, 'RAF', folder, below), { recursive: true })
    const texts = {
      'input.md': 'First.\n',
      'plans/01-a.md': '# Task: Do A\n',
      'plans/02-b.md': '# Task: Do B\n',
      'outcomes/01-a.md': '<promise>COMPLETE</promise>\n',
      'outcomes/04-gone.md': '<promise>FAILED</promise>\n',
    }
    for (const [path, text] of Object.entries(texts)) writeFileSync(join(cwd, 'RAF', folder, path), text)
  })

  it('adds tasks behind those that there are, which stay as they are', async () => {
    claude('NEW 05-c; NEW 03-d; echo no > $P/plans/02-b.md; rm $P/plans/01-a.md')
    const { code, stdout, stderr } = await plan(['-a', 'log', '-y'], 'Second.\n')
    expect(code).toBe(0)
    expect(stdout).toContain('  ✓ 01 Do A\n')
    expect(stderr).toContain(`dropped RAF/${folder}/plans/01-a.md: it stays\n`)
    expect(stderr).toContain(`dropped RAF/${folder}/plans/02-b.md: it stays as it was\n`)
    expect(stderr).toContain(`dropped RAF/${folder}/plans/03-d.md: its id has to be 05 or a later one\n`)
    expect(filesOf(join(cwd, 'RAF', folder))).toEqual({
      'input.md': 'First.\n\n---\n\nSecond.\n',
      'outcomes/01-a.md': '<promise>COMPLETE</promise>\n',
      'outcomes/04-gone.md': '<promise>FAILED</promise>\n',
      'plans/01-a.md': '# Task: Do A\n',
      'plans/02-b.md': '# Task: Do B\n',
      'plans/05-c.md': '# Task: 05-c\n',
    })
    const prompt = readFileSync(join(home, 'prompt'), 'utf8')
    expect(prompt).toContain('- [COMPLETED] 01 Do A\n- [PENDING] 02 Do B\n')
    expect(prompt).toContain('The first new id is 05,')
    expect(left()).toEqual([])
  })

  it('says what keeps tasks from ever beginning', async () => {
    claude(`printf '# Task: C\\n\\n## Dependencies\\n05\\n' > $P/plans/05-c.md`)
    expect((await plan(['-a', 'aaaaab', '-y'])).stdout).toContain('05 depends on itself.')
  })

  it('changes nothing where no task was written', async () => {
    const before = filesOf(join(cwd, 'RAF', folder))
    claude('true')
    expect((await program(['-a', 'login', '-y'])).code).toBe(9)
    expect([filesOf(join(cwd, 'RAF', folder)), left()]).toEqual([before, []])
  })

  it('keeps what the user writes meanwhile', async () => {
    const here = join(cwd, 'RAF', folder)
    claude(`NEW 05-c; NEW 06-d; echo mine > '${here}/plans/05-c.md'; echo 'First, changed.' > '${here}/input.md'`)
    const { stderr } = await plan(['-a', 'login', '-y'], 'Second.')
    expect(stderr).toContain('plans/05-c.md: there is another one by now')
    const { 'plans/05-c.md': five, 'input.md': input } = filesOf(here)
    expect([five, input]).toEqual(['mine\n', 'First, changed.\n\n---\n\nSecond.\n'])
  })
})

describe('relay plan --worktree', () => {
  const worktrees = () => join(home, '.raf/worktrees/project')

  it('makes and commits the plan on its branch, and nothing here', async () => {
    claude('NEW 01-a; echo 2 > a.js')
    const { code, stdout } = await plan(['login', '-y', '-w'])
    expect([code, projects(), git('status', '--short')]).toEqual([0, [], ''])
    const [folder = ''] = readdirSync(worktrees())
    expect(stdout).toContain(`To start it: \`relay do -w ${folder.slice(0, 6)}\``)
    expect(git('log', '--format=%s', '--name-only', `main..${folder}`).trim().split('\n')).toEqual([
      ...[`RAF[${folder.slice(0, 6)}] Plan: login`, ''],
      ...[`RAF/${folder}/decisions.md`, `RAF/${folder}/input.md`, `RAF/${folder}/plans/01-a.md`],
    ])
    const at = join(worktrees(), folder)
    expect(execFileSync('git', ['status', '--short'], { cwd: at, env: environment(), encoding: 'utf8' })).toBe('')
    // Cleaned up, and made once more.
    git('worktree', 'remove', at)
    claude('NEW 02-b')
    expect((await plan(['--amend', 'login', '-y', '-w'], 'More.')).code).toBe(0)
    expect(git('log', '--format=%s', `main..${folder}`).trim().split('\n')).toEqual([
      `RAF[${folder.slice(0, 6)}] Amend: login`,
      `RAF[${folder.slice(0, 6)}] Plan: login`,
    ])
    expect(filesOf(join(at, 'RAF', folder))['input.md']).toBe('Fix the login form.\n\n---\n\nMore.\n')
  })

  it('leaves the work tree to relay do', async () => {
    claude('NEW 01-a')
    await plan(['login', '-y', '-w'])
    const [folder = ''] = readdirSync(worktrees())
    const outcome = '## Summary\\nAdd it.\\n\\n<promise>COMPLETE</promise>\\n'
    claude(`echo 2 > a.js; mkdir -p $P/outcomes; printf '${outcome}' > $P/outcomes/01-a.md`)
    const { code, stderr } = await runHere(['do', 'login', '-w', '--after', 'leave'], { cwd, env: environment() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
    expect(git('log', '--format=%s', `main..${folder}`).trim().split('\n')).toEqual([
      `RAF[${folder.slice(0, 6)}:01] Add it`,
      `RAF[${folder.slice(0, 6)}] Plan: login`,
    ])
  })

  it('does not go where relay do was stopped in the middle of a task', async () => {
    claude('NEW 01-a')
    await plan(['login', '-y', '-w'])
    claude(`echo 2 > a.js; touch '${home}/begun'; sleep 600`)
    const working = startRelay(['do', 'login', '-w', '--after', 'leave'], { cwd, env: environment() })
    await until(() => existsSync(join(home, 'begun')), 'the agent is at work')
    const amend = ['--amend', 'login', '-y', '-w']
    expect((await plan(amend)).code).toBe(8)
    working.kill('SIGINT')
    await working.end
    const { code, stderr } = await plan(amend)
    expect([code, stderr]).toEqual([7, expect.stringContaining('was stopped in the middle of a task')])
  })

  it('takes a project along that is on no branch yet', async () => {
    claude('NEW 01-a')
    await plan(['login', '-y'])
    const [folder = ''] = projects()
    claude('NEW 02-b')
    expect((await plan(['--amend', 'login', '-y', '-w'], 'More.')).code).toBe(0)
    const names = git('ls-tree', '-r', '--name-only', folder, 'RAF').trim().split('\n')
    expect(names.map(each => each.replace(`RAF/${folder}/`, ''))).toEqual([
      ...['decisions.md', 'input.md', 'plans/01-a.md', 'plans/02-b.md'],
    ])
    expect(Object.keys(filesOf(join(cwd, 'RAF', folder)))).not.toContain('plans/02-b.md')
  })

  it('leaves neither branch nor work tree where no task was written', async () => {
    claude('true')
    expect((await plan(['login', '-y', '-w'])).code).toBe(9)
    expect([git('branch', '--format=%(refname:short)'), existsSync(worktrees())]).toEqual(['main\n', false])
  })

  it('needs a commit to begin at', async () => {
    rmSync(join(cwd, '.git'), { recursive: true })
    claude('NEW 01-a')
    expect((await plan(['login', '-y', '-w'])).code).toBe(2)
    git('init', '-q')
    expect((await plan(['login', '-y', '-w'])).code).toBe(2)
    expect(existsSync(join(home, 'argv'))).toBe(false)
  })
})

describe('relay plan in a terminal', () => {
  it('opens the editor, asks for the name, and has the agent talk with the user', async () => {
    claude(
      `test -t 0 && echo "what is open?"; read answer; printf '\\n## Open?\\n%s\\n' "$answer" >> $P/decisions.md; NEW 01-a`,
    )
    const pane = inTerminal([], 'echo "Fix the # login form" >> "$1"')
    await pane.until(/Name of the plan \(fix-the-login\):/)
    await pane.typeUntil(/what is open\?/, 'Enter')
    pane.type('n', 'o', 't', 'h', 'i', 'n', 'g', 'Enter')
    await pane.until(/ended 0/)
    const [folder = ''] = projects()
    expect(folder).toMatch(/^[a-z]{6}-fix-the-login$/)
    expect(filesOf(join(cwd, 'RAF', folder))).toEqual({
      'decisions.md': '# Project Decisions\n\n## Open?\nnothing\n',
      'input.md': 'Fix the # login form\n',
      'plans/01-a.md': '# Task: 01-a\n',
    })
    const argv = readFileSync(join(home, 'argv'), 'utf8')
    expect(argv).toContain('--append-system-prompt\n')
    expect(argv).toContain(`\n--\nRAF/${folder}/input.md says what I want.`)
    expect(argv).not.toContain('Fix the # login form')
    expect(readFileSync(join(home, 'env'), 'utf8')).toContain('\nRELAY_AGENT=1\n')
    expect(left()).toEqual([])
  })

  it('says that nothing was described', async () => {
    claude('NEW 01-a')
    const pane = inTerminal(['x'], 'true')
    await pane.until(/ended 2/)
    expect(pane.screen()).toContain('No project description provided. Aborting.')
    expect([projects(), left()]).toEqual([[], []])
  })

  it('keeps what was described and answered until there is a plan', async () => {
    claude(`printf '\\n## Open?\\nyes\\n' >> $P/decisions.md`)
    const first = inTerminal(['x'], 'echo "Fix it" >> "$1"')
    await first.until(/ended 9/)
    expect(first.screen()).toContain('What was decided is kept')
    expect(projects()).toEqual([])
    claude('NEW 01-a')
    const second = inTerminal(['x'], 'grep -q "Fix it" "$1"')
    await second.until(/ended 0/)
    const [folder = ''] = projects()
    expect(filesOf(join(cwd, 'RAF', folder))).toEqual({
      'decisions.md': '# Project Decisions\n\n## Open?\nyes\n',
      'input.md': 'Fix it\n',
      'plans/01-a.md': '# Task: 01-a\n',
    })
    expect(left()).toEqual([])
  })

  it('leaves Ctrl+C to the agent, and takes what it wrote', async () => {
    claude(`trap 'exit 130' INT; NEW 01-a; echo ready; read x`)
    const pane = inTerminal(['x'], 'echo "Fix it" >> "$1"')
    await pane.until(/ready/)
    pane.type('C-c')
    await pane.until(/ended 0/)
    expect(projects()).toHaveLength(1)
  })

  it('ends the agent where relay is to end, and goes on later', async () => {
    claude('NEW 01-a; kill -TERM $PPID; sleep 600')
    const first = inTerminal(['x'], 'echo "Fix it" >> "$1"')
    await first.until(/ended 143/)
    expect(projects()).toEqual([])
    claude('true')
    const second = inTerminal(['x'], 'true')
    await second.until(/ended 0/)
    expect(readFileSync(join(home, 'argv'), 'utf8')).toContain('We were stopped in the middle')
    expect(projects()).toHaveLength(1)
  })

  it.runIf(process.platform === 'linux')('ends the agent of a killed relay before another one talks', async () => {
    claude(`trap '' HUP; trap "touch '${home}/ended'; exit" TERM; kill -9 $PPID; until false; do sleep 0.05; done`)
    const first = inTerminal(['x'], 'echo "Fix it" >> "$1"')
    await first.until(/ended 137/)
    claude(`test -e '${home}/ended' && NEW 01-a`)
    const second = inTerminal(['x'], 'true')
    await second.until(/ended 0/)
    expect(projects()).toHaveLength(1)
  })

  it('says with which agents it can talk', async () => {
    writeFileSync(join(home, 'bin/codex'), '#!/bin/sh\n', { mode: 0o755 })
    const pane = inTerminal(['x', '--agent', 'codex'], 'true')
    await pane.until(/ended 2/)
    expect(pane.screen()).toMatch(/cannot begin a conversation with codex[\s\S]*With -y it plans by itself/)
  })
})
