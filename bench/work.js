import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { built } from './built.js'
import { env, ms, once, scratch, spread, times, told } from './measure.js'

const [files, tasks] = once ? [100, 6] : [10_000, 100]

/** What relay itself takes of a task that an agent carries out at once, from one landing to the next. */
export async function work() {
  const { workThrough } = await built('src/agents/work/work-through.ts')
  const { landHere } = await built('src/agents/work/land-here.ts')
  const { codex } = await built('src/agents/backends/codex.ts')
  const { realSystem } = await built('src/system/system.ts')
  const { configKeys } = await built('src/project/config-keys.ts')
  const home = realpathSync(scratch())
  const top = repository(join(home, 'project'))
  agent(join(home, 'bin'))
  const system = {
    ...realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() }),
    ...{
      cwd: top,
      home,
      stateFolder: join(home, 'state'),
      env: { ...env, HOME: home, PATH: `${home}/bin:${env.PATH}` },
    },
  }
  const config = defaults(configKeys)
  const talk = { present: false, report() {}, ask: async () => 'unasked' }
  const landing = { system, talk, settle: take => take({}), whyNot: async ({ kind }) => kind }
  const place = landHere({ root: top, config }, { commits: true, patience: 1000 }, landing)
  const limits = { attempts: 1, timeout: 60, silence: 60, grace: 5, wait: 0 }
  const options = { backend: codex, sandbox: 'workspace-write', model: undefined, allow: [], limits, depth: 1 }
  const own = []
  let [since, turn] = [performance.now(), 0]
  const tell = event => {
    if (event.kind === 'turn-ended') turn = event.ms
    if (event.kind !== 'task-ended') return
    if (event.end.result.kind !== 'landed') throw new Error(JSON.stringify(event.end.result))
    own.push(performance.now() - since - turn)
    since = performance.now()
  }
  await workThrough(book(), place, options, { system, tell, takeUserNote: () => undefined })
  const [early, late] = [spread(own.slice(5, 15)), spread(own.slice(-10))]
  const ratio = late.median / early.median
  return [
    {
      what: `relay's part of a task in a repository of ${files.toLocaleString('en')} files`,
      goal: '≤ 1 s',
      seen: told(spread(own.slice(1))),
      floor: 'the agent and its turn taken away',
      ratio: ms(spread(own.slice(1)).median),
      met: spread(own.slice(1)).median <= 1000,
    },
    {
      what: `the ${tasks}th task`,
      goal: '≤ 1.5 × the 10th',
      seen: told(late),
      floor: `tasks around the 10th: ${told(early)}`,
      ratio: times(ratio),
      met: ratio <= 1.5,
    },
  ]
}

function repository(top) {
  const git = (...args) => {
    const { status, stderr } = spawnSync('git', args, { cwd: top, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
  mkdirSync(top, { recursive: true })
  for (let at = 0; at < files; at++) {
    const folder = join(top, `d${at % 100}`)
    if (at < 100) mkdirSync(folder)
    writeFileSync(join(folder, `f${at}.js`), `export const a${at} = ${at}\n`.repeat(20))
  }
  writeFileSync(join(top, '.gitignore'), '/.relaycode/\n')
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'bench')
  git('config', 'user.email', 'bench@example.com')
  git('add', '.')
  git('commit', '--quiet', '--message', 'now')
  return top
}

/** It changes a file and makes one. */
function agent(folder) {
  const events = [
    { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
    { type: 'turn.completed' },
  ]
  const said = events.map(event => JSON.stringify(event)).join('\n')
  const script = `read -r at; cat > /dev/null; echo "$at" >> d1/f1.js; echo "$at" > "d2/new$at.js"`
  mkdirSync(folder)
  writeFileSync(join(folder, 'codex'), `#!/bin/sh\n${script}\ncat <<'EOF'\n${said}\nEOF\n`, { mode: 0o755 })
}

function book() {
  return {
    name: 'bench',
    key: 'bench',
    tasks,
    next: async ended => (ended.length < tasks ? { id: String(ended.length + 1), title: 'Task' } : undefined),
    isWanted: async () => true,
    envelope: async ({ id }) => `${id}\n`,
    settle: async ({ id }, _, changes) => ({ kind: 'done', changes, title: 'Task', message: `Task ${id}` }),
    write: async () => {},
  }
}

function defaults(keys) {
  const config = { projectId: 'bench' }
  for (const { key, default: value } of keys) {
    if (value === undefined) continue
    const [name, below] = key.split('.')
    if (below === undefined) config[name] = value
    else config[name] = { ...config[name], [below]: value }
  }
  return config
}
