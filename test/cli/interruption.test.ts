import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canRunWith } from '../support/has-program.ts'
import { isRunning } from '../support/is-running.ts'
import { endRelays, type RunningRelay, relayBinary, relayCommand, runRelay, startRelay } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import { startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

const other = '0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a12'
const answer = respond({ 'app.js': '2\n', 'old.js': null, 'new/deep/b.js': 'b\n' })
const start = { 'app.js': '1\n', 'old.js': 'old\n' }

let project: ScratchProject
/** Outside the project, so that it is no change that a command made. */
let notes: string
beforeEach(() => {
  notes = mkdtempSync(join(tmpdir(), 'relay-notes-'))
})
afterEach(async () => {
  await endRelays()
  for (const pid of commands()) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  rmSync(notes, { recursive: true, force: true })
  project.remove()
})

/** What a command does about being asked to end; one that is `slow` heeds only the second time. */
const traps = { obedient: '', deaf: "trap '' TERM INT HUP;", slow: "trap 'trap - TERM' TERM;" }

/** A command that never ends, with a child of its own. */
function hanging(manner: keyof typeof traps = 'obedient'): string {
  const [pids, started] = [`'${notes}/pids'`, `'${notes}/started'`]
  return `${traps[manner]} echo $$ > ${pids}; sleep 600 & echo $! >> ${pids}; touch ${started}; while :; do sleep 0.1; done`
}

function commands(): readonly number[] {
  const path = join(notes, 'pids')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : []
}

/** Starts `relay apply` and waits until its command hangs. */
async function hangs(): Promise<RunningRelay> {
  const relay = startRelay(['apply', '-'], { cwd: project.root, stdin: answer })
  await until(() => existsSync(join(notes, 'started')), 'the command has started')
  return relay
}

const recover = (...args: string[]) => runRelay(['recover', ...args], { cwd: project.root })

// The binary takes no file to load beforehand.
it.skipIf(relayBinary !== undefined)(
  'ends with 1, and is taken back later, where what it waits for never comes',
  async () => {
    project = scratchProject(start)
    const before = project.tree()
    const deaf = join(notes, 'deaf.cjs')
    writeFileSync(deaf, "require('node:fs').fsync = () => {}")
    const [node, ...relay] = relayCommand
    const end = await runRelay(['apply', '-'], {
      cwd: project.root,
      stdin: answer,
      command: [node, '-r', deaf, ...relay],
    })
    expect(end).toMatchObject({ code: 1, signal: null })
    expect((await recover()).code).toBe(0)
    expect(project.tree()).toEqual(before)
  },
)

describe('a signal while a command runs', () => {
  it.each([
    ['SIGINT', 130, 'interrupted by Ctrl+C'],
    ['SIGTERM', 143, 'ended by SIGTERM'],
    ['SIGHUP', 129, 'ended by SIGHUP'],
  ] as const)('%s ends the command, takes everything back, and exits with %i', async (signal, code, said) => {
    project = scratchProject(start, { postCommand: hanging() })
    const before = project.tree()
    const relay = await hangs()
    expect(project.tree()).toMatchObject({ 'app.js': '2\n', 'new/deep/b.js': 'b\n' })
    relay.kill(signal)
    const end = await relay.end
    expect(end).toMatchObject({ code, signal: null })
    expect(end.stderr).toMatch(new RegExp(`rolled back #1 {2}${said.replace('+', '\\+')} {3}3 files restored`))
    expect(project.tree()).toEqual(before)
    expect(project.journal()).toEqual([])
    expect(commands().filter(isRunning)).toEqual([])
  })

  it('ends a command that does not listen, too', async () => {
    project = scratchProject(start, { postCommand: hanging('deaf') })
    const before = project.tree()
    const relay = await hangs()
    relay.kill('SIGTERM')
    expect((await relay.end).code).toBe(143)
    expect(project.tree()).toEqual(before)
    expect(commands().filter(isRunning)).toEqual([])
  })

  it('stops at once for the second one, and leaves the rest to the next start', async () => {
    project = scratchProject(start, { postCommand: hanging('slow') })
    const before = project.tree()
    const relay = await hangs()
    relay.kill('SIGINT')
    // The second is another one only after the first has been taken.
    const again = setInterval(() => relay.kill('SIGINT'), 100)
    const end = await relay.end.finally(() => clearInterval(again))
    expect(end.code).toBe(130)
    expect(end.stderr).not.toContain('rolled back')
    expect(project.journal()).toContain(`${uuid}.pending.yml`)
    expect((await recover()).code).toBe(0)
    expect(project.tree()).toEqual(before)
    expect(commands().filter(isRunning)).toEqual([])
  })

  it('takes a closed terminal that says so again and again for one signal', async () => {
    project = scratchProject(start, { postCommand: hanging('slow') })
    const before = project.tree()
    const relay = await hangs()
    relay.kill('SIGHUP')
    // All of them while the command is being ended, which takes seconds.
    let left = 20
    const again = setInterval(() => {
      relay.kill('SIGHUP')
      left -= 1
      if (left === 0) clearInterval(again)
    }, 20)
    const end = await relay.end
    expect(end.code).toBe(129)
    expect(project.tree()).toEqual(before)
    expect(project.journal()).toEqual([])
  })

  it('takes the end of the terminal that it was stopped in for one signal: bash says HUP and TERM before it wakes it', async () => {
    project = scratchProject(start, { postCommand: hanging('slow') })
    const before = project.tree()
    const relay = await hangs()
    for (const signal of ['SIGSTOP', 'SIGHUP', 'SIGTERM', 'SIGCONT'] as const) relay.kill(signal)
    // Which of the two comes first is the system's business.
    expect([129, 143]).toContain((await relay.end).code)
    expect(project.tree()).toEqual(before)
    expect(project.journal()).toEqual([])
  })

  it('changes nothing while the pre command runs', async () => {
    project = scratchProject(start, { preCommand: hanging() })
    const before = project.tree()
    const relay = await hangs()
    relay.kill('SIGINT')
    expect(await relay.end).toMatchObject({ code: 130 })
    expect(project.tree()).toEqual(before)
    expect(project.journal()).toEqual([])
  })
})

describe('a kill while a command runs', () => {
  it('is made good by relay recover, which also ends the command', async () => {
    project = scratchProject(start, { postCommand: hanging() })
    const before = project.tree()
    const relay = await hangs()
    relay.kill('SIGKILL')
    expect(await relay.end).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(commands().filter(isRunning)).toHaveLength(2)
    const left = project.tree()
    expect(left).toMatchObject({ 'app.js': '2\n', 'new/deep/b.js': 'b\n' })

    const shown = await recover('--dry-run')
    expect(shown).toMatchObject({ code: 0, stdout: '' })
    expect(shown.stderr).toMatch(/^○ would roll back #1 I changed what you asked for\n {4}It was not finished/)
    expect(project.tree()).toEqual(left)
    expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])

    const done = await recover()
    expect(done.code).toBe(0)
    expect(done.stderr).toMatch(/^↩ rolled back #1 [\s\S]*Its command was still running; relay ended it\.\n$/)
    expect(project.tree()).toEqual(before)
    expect(project.journal()).toEqual([])
    expect(commands().filter(isRunning)).toEqual([])
    expect(await recover()).toEqual({ code: 0, signal: null, stdout: '', stderr: 'Nothing is unfinished.\n' })
    expect(project.history()).toMatchObject([{ number: 1, uuid, outcome: 'rolled-back' }])
  })

  it('is made good by the next apply, before anything else', async () => {
    project = scratchProject(start, { postCommand: hanging() })
    const relay = await hangs()
    relay.kill('SIGKILL')
    await relay.end
    project.write('relaycode.config.json', '{"projectId": "demo"}')
    const next = await runRelay(['apply'], { cwd: project.root, stdin: respond({ 'c.js': 'c\n' }, { uuid: other }) })
    expect(next.code).toBe(0)
    expect(next.stderr).toMatch(/rolled back #1[\s\S]*kept #2/)
    expect(project.tree()).toEqual({ ...start, 'c.js': 'c\n', 'relaycode.config.json': '{"projectId": "demo"}' })
    // A failure settles nothing: the same response is taken now.
    expect((await runRelay(['apply'], { cwd: project.root, stdin: answer })).code).toBe(0)
    expect(project.read('app.js')).toBe('2\n')
  })

  it('leaves an entry that cannot be read to the user: exit 7, and nothing is touched', async () => {
    project = scratchProject(start, { postCommand: hanging() })
    const relay = await hangs()
    relay.kill('SIGKILL')
    await relay.end
    project.write(`.relaycode/${uuid}.pending.yml`, 'version: 1\nnumber: "')
    const left = project.tree()
    for (const args of [['recover'], ['apply', '-']]) {
      const { code, stderr } = await runRelay(args, { cwd: project.root, stdin: respond({ 'c.js': 'c\n' }) })
      expect(code).toBe(7)
      expect(stderr).toContain(`Error: relay cannot read the unfinished change ${uuid}\nHint: `)
      expect(project.tree()).toEqual(left)
      expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])
    }
    const shown = await recover('--dry-run')
    expect(shown.code).toBe(7)
    expect(shown.stderr).toMatch(/^✖ cannot read /)
    expect(project.tree()).toEqual(left)
  })

  it.each(['pending', 'kept'])('sends the user to the newer relay that began one, and left it %s', async where => {
    project = scratchProject(start, { postCommand: hanging() })
    const relay = await hangs()
    relay.kill('SIGKILL')
    await relay.end
    const pending = `.relaycode/${uuid}.pending.yml`
    const entry = project.read(pending).replace('version: 1\n', 'version: 2\n')
    if (where === 'kept') rmSync(join(project.root, pending))
    project.write(where === 'kept' ? `.relaycode/${uuid}.yml` : pending, entry)
    const left = project.tree()
    const { code, stderr } = await recover()
    expect(code).toBe(7)
    expect(stderr).toMatch(/^✖ cannot read [^✖]* nothing\.\s+A newer\s+relay\s+wrote\s+it\.\n/)
    expect(stderr).toContain('\nHint: A newer relay began it. Nothing was changed: run `relay recover` with that one')
    expect(stderr).not.toContain('move')
    expect(project.tree()).toEqual(left)
    expect(project.journal()).toContain(`${uuid}.stage`)
  })

  it('tells of one that had not begun to change anything', async () => {
    project = scratchProject(start, { linter: hanging() })
    const before = project.tree()
    const relay = await hangs()
    relay.kill('SIGKILL')
    await relay.end
    const words = 'after 0b8f4f62\\S+\\n {4}It stopped before it changed any file\\.\\n'
    expect((await recover('--dry-run')).stderr).toMatch(new RegExp(`^○ would clear up ${words}`))
    const done = await recover()
    expect(done.stderr).toMatch(new RegExp(`^✔ cleared up ${words}`))
    expect(done.stderr).toContain('    Its command was still running; relay ended it.\n')
    expect(project.tree()).toEqual(before)
    expect(commands().filter(isRunning)).toEqual([])
  })
})

describe('two at once', () => {
  it('take turns, and the second says that it waits', async () => {
    const gate = join(notes, 'gate')
    project = scratchProject(start, {
      postCommand: `touch '${notes}/started'; while [ ! -e '${gate}' ]; do sleep 0.05; done`,
    })
    const first = await hangs()
    const second = startRelay(['apply'], { cwd: project.root, stdin: respond({ 'c.js': 'c\n' }, { uuid: other }) })
    await second.says(new RegExp(`waiting: another relay works in this project \\(process ${first.pid}\\)`))
    expect(Object.keys(project.tree())).not.toContain('c.js')
    const shown = await recover('--dry-run')
    expect(shown.code).toBe(8)
    expect(shown.stderr).toContain(`Error: Another relay (process ${first.pid}) is working in this project\nHint: `)
    mkdirSync(gate)
    expect((await first.end).code).toBe(0)
    expect((await second.end).code).toBe(0)
    expect(project.tree()).toMatchObject({ 'app.js': '2\n', 'c.js': 'c\n' })
    expect(project.history()).toMatchObject([
      { number: 1, uuid },
      { number: 2, uuid: other },
    ])
  })

  it('lets the one that waits be interrupted', async () => {
    project = scratchProject(start, { postCommand: hanging() })
    const first = await hangs()
    const second = startRelay(['apply'], { cwd: project.root, stdin: respond({ 'c.js': 'c\n' }, { uuid: other }) })
    await second.says(/waiting: another relay/)
    second.kill('SIGINT')
    expect(await second.end).toMatchObject({ code: 130 })
    first.kill('SIGTERM')
    expect((await first.end).code).toBe(143)
  })
})

describe.runIf(canRunWith('tmux'))('a kill while a person is asked', () => {
  async function killed(): Promise<void> {
    project = scratchProject(start, { approval: 'no' })
    project.write('answer.md', answer)
    const pane = startPane(`exec ${inShell(relayCommand)} apply answer.md`, { cwd: project.root })
    try {
      await pane.until(/Keep this change\?/)
      process.kill(pane.pid, 'SIGKILL')
      await pane.ended()
    } finally {
      await pane.stop()
    }
    project.write('app.js', 'mine\n')
  }

  it("keeps the user's edit when nobody can be asked: the original is put aside, exit 5", async () => {
    await killed()
    const { code, stderr } = await recover()
    expect(code).toBe(5)
    expect(stderr).toMatch(
      /rolled back #1[\s\S]*app\.js: left as edited; the version from before the change is in\s+\.relaycode/,
    )
    expect(stderr).toContain(
      'Error: You edited these files after an unfinished change, so relay kept them: app.js\nHint: ',
    )
    expect(project.tree()).toEqual({
      'app.js': 'mine\n',
      'old.js': 'old\n',
      'answer.md': answer,
      'relaycode.config.json': '{"projectId":"demo","approval":"no"}',
    })
    expect(project.read(`.relaycode/rescue/${uuid}/app.js.rescued`)).toBe('1\n')
    expect((await recover()).stderr).toBe('Nothing is unfinished.\n')
  })

  it.each([
    ['y', '1\n', 'mine\n'],
    ['n', 'mine\n', '1\n'],
  ])('asks the user about the edit: %s', async (key, stays, aside) => {
    await killed()
    const pane = startPane(`exec ${inShell(relayCommand)} recover`, { cwd: project.root, columns: 80 })
    try {
      await pane.until(/Restore the version from before the change\? \(y\/n\/\?\)/)
      await pane.typeUntil(/rolled back #1/, key, 'Enter')
      expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    } finally {
      await pane.stop()
    }
    expect(project.read('app.js')).toBe(stays)
    expect(project.read('old.js')).toBe('old\n')
    expect(project.read(`.relaycode/rescue/${uuid}/app.js.rescued`)).toBe(aside)
  })
})

function inShell(words: readonly string[]): string {
  return words.map(word => `'${word}'`).join(' ')
}
