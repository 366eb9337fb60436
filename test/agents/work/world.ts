import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkEnd, WorkEvent } from '../../../src/model/task.ts'
import { realSystem } from '../../../src/system/system.ts'
import { fakeConfig } from '../../support/fake-project.ts'
import { World as CheckoutWorld } from '../checkout/world.ts'

/** Where relay is killed: before or after a step of the flow. */
export interface KillAt {
  readonly step: string
  readonly when: 'before' | 'after'
  /** The first time that it comes, or a later one. */
  readonly time?: number
}

export interface Given {
  readonly tasks?: number
  readonly attempts?: number
  /** Of the whole run. */
  readonly tokens?: number
  readonly cost?: number
  readonly time?: number
  /** codex, if it is not said. */
  readonly agent?: 'codex' | 'claude'
  readonly commits?: boolean
  readonly kill?: KillAt
  /** Work lands on this branch, and not in the folder. */
  readonly branch?: string | undefined
  readonly config?: Parameters<typeof fakeConfig>[0]
  /** What was confirmed of `.codex/config.toml`. */
  readonly confirmed?: string
}

export interface RunEnd {
  readonly signal: string | null
  readonly err: string
  readonly end: WorkEnd | undefined
  readonly events: readonly WorkEvent[]
}

/** A project in git, an agent that is a shell script, and relay's flow in a process of its own. */
export class WorkWorld extends CheckoutWorld {
  readonly #driver: string

  /** @param driver what `driverIn` has made */
  constructor(driver: string) {
    super()
    this.#driver = driver
    mkdirSync(join(this.home, 'bin'))
    mkdirSync(join(this.home, 'calls'))
  }

  /** Has the agent run these lines of shell in its checkout; `$ID` is the task, `$N` counts the calls of all. */
  agent(script: string, said = 'Done. <promise>COMPLETE</promise>'): this {
    const event = { type: 'item.completed', item: { id: '1', type: 'agent_message', text: said } }
    const usage = { type: 'turn.completed', usage: { input_tokens: 100, output_tokens: 10 } }
    const lines = [
      '#!/bin/sh',
      `N=$(($(ls '${this.home}/calls' | wc -l) + 1))`,
      `cat > '${this.home}/calls/'$N`,
      `ID=$(sed -n '1s/TASK //p' '${this.home}/calls/'$N)`,
      script,
      `cat <<'EOF'\n${JSON.stringify(event)}\n${JSON.stringify(usage)}\nEOF`,
    ]
    for (const name of ['codex', 'claude'])
      writeFileSync(join(this.home, 'bin', name), lines.join('\n'), { mode: 0o755 })
    return this
  }

  /** The envelopes that the agent got, oldest first. */
  get calls(): readonly string[] {
    const names = readdirSync(join(this.home, 'calls'))
    return names
      .toSorted((a, b) => Number(a) - Number(b))
      .map(name => readFileSync(join(this.home, 'calls', name), 'utf8'))
  }

  /** What reads work that was kept. */
  get keeping() {
    const system = realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() })
    return { ...system, ...this.system, stateFolder: join(this.home, '.local/state/relaycode') }
  }

  subjectsOf(branch: string): readonly string[] {
    return this.git('log', '--format=%s', branch).trim().split('\n')
  }

  /** What relay keeps outside of the project. */
  get state(): readonly string[] {
    const folder = join(this.home, '.local/state/relaycode')
    const below = (name: string) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : [])
    return ['work', 'kept'].flatMap(name => below(name).map(each => `${name}/${each}`))
  }

  run({ tasks = 1, attempts = 3, commits = true, agent = 'codex', config, ...more }: Given = {}): Promise<RunEnd> {
    const given = { tasks, attempts, commits, agent, config: fakeConfig(config), ...more }
    const env = {
      PATH: `${join(this.home, 'bin')}:${process.env['PATH']}`,
      HOME: this.home,
      GIVEN: JSON.stringify(given),
    }
    const child = spawn(process.execPath, [this.#driver], { cwd: this.top, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout.on('data', text => (out += text))
    child.stderr.on('data', text => (err += text))
    return new Promise(done => {
      child.on('close', (_, signal) => {
        const events = out
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line) as WorkEvent)
        const last = events.at(-1)
        done({ signal, err, events, end: last?.kind === 'run-ended' ? last.end : undefined })
      })
    })
  }
}

/** Works through a book of numbered tasks, each of which is done when its outcome is there, and prints the events. */
export function driverIn(folder: string, url: (module: string) => string): string {
  const path = join(folder, 'work.mjs')
  writeFileSync(
    path,
    `import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { landHere } from '${url('agents/work/land-here.js')}'
import { landOnBranch } from '${url('agents/work/land-branch.js')}'
import { backends } from '${url('agents/backends/table.js')}'
import { workThrough } from '${url('agents/work/work-through.js')}'
import { realSystem } from '${url('system/system.js')}'
const { tasks, attempts, tokens, cost, time, commits, agent, kill, branch, config, confirmed } = JSON.parse(process.env.GIVEN)
const root = process.cwd()
const at = join(process.env.HOME, 'worktrees/one')
// On a branch the book lies in its work tree.
const home = branch === undefined ? root : at
const outcome = id => 'outcomes/' + id + '.md'
// A work tree that was removed is still in its branch.
const isInBranch = path =>
  branch !== undefined && spawnSync('git', ['cat-file', '-e', branch + ':' + path], { cwd: root }).status === 0
const isThere = id => existsSync(join(home, outcome(id))) || isInBranch(outcome(id))
let met = 0
const die = (step, when) => {
  if (kill === undefined || kill.step !== step || kill.when !== when) return
  met += 1
  if (met === (kill.time ?? 1)) process.kill(process.pid, 'SIGKILL')
}
const trace = {
  async span(name, work) {
    die(name, 'before')
    const result = await work()
    die(name, 'after')
    return result
  },
}
const system = { ...realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() }), trace }
const text = said => ({ kind: 'file', bytes: new TextEncoder().encode(said), mode: 0o644 })
const book = {
  name: 'numbers',
  key: 'numbers',
  tasks,
  async next() {
    for (let at = 1; at <= tasks; at++) {
      const id = '0' + at
      if (!isThere(id)) return { id, title: 'Task ' + id }
    }
    return undefined
  },
  isWanted: async ({ id }) => !isThere(id),
  envelope: async ({ id }, { attempt, before, isResumed }) =>
    ['TASK ' + id, 'attempt ' + attempt + (isResumed ? ' resumed' : ''), ...before].join('\\n'),
  async settle({ id }, turn, changes) {
    if (turn.marker !== 'COMPLETE') return { kind: 'not-done', why: 'The agent did not say that it is done.' }
    const made = { path: outcome(id), base: null, made: text('done\\n') }
    return { kind: 'done', changes: [...changes, made], title: 'Task ' + id, message: 'TEST[' + id + '] Do it' }
  },
  async write({ task, result }) {
    if (result.kind !== 'failed') return
    mkdirSync(join(home, 'outcomes'), { recursive: true })
    writeFileSync(join(home, outcome(task.id)), 'failed: ' + result.why + '\\n')
  },
}
const talk = { present: false, report() {}, ask: async () => 'not-accepted' }
const landing = {
  system,
  talk,
  settle: take => take({}),
  whyNot: async ({ kind, reason, overlaps = [] }) => [kind, reason?.kind, ...overlaps.map(({ path }) => path)].filter(Boolean).join(' '),
}
const backend = backends.find(({ name }) => name === agent)
const limits = { attempts, tokens, cost, time, timeout: 60, silence: 60, grace: 5, wait: 0 }
const file = { folder: root, isAbove: false, path: '.codex/config.toml', bytes: Buffer.from(confirmed ?? '') }
const files = { root, names: backend.projectFiles, files: [file] }
const options = { ...(confirmed && { confirmed: files }), backend, sandbox: 'workspace-write', model: undefined, allow: [], limits, depth: 1 }
const project = { root, config }
const place =
  branch === undefined
    ? landHere(project, { commits, patience: 10_000 }, landing)
    : landOnBranch(project, { branch, from: 'HEAD' }, landing)
await workThrough(book, place, options, {
  system,
  tell: event => console.log(JSON.stringify(event)),
  takeUserNote: () => undefined,
})
`,
  )
  return path
}
