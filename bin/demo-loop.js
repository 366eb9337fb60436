// `npm run demo:loop`: a loop over two user stories in a scratch project, with a script as the agent. The second
// story fails the checks at first. The next agent is told why, and corrects it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const relay = fileURLToPath(new URL('../dist/relay.cjs', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'relay-demo-loop-'))
const project = join(home, 'project')
const write = (path, text, mode) => writeFileSync(join(project, path), text, { mode })
const say = text => process.stdout.write(`${text}\n`)

// ── A small project with a linter of its own, and a prd.json ───────────────────────────────────

for (const folder of [project, join(project, 'src'), join(home, 'bin')]) mkdirSync(folder)
write('.gitignore', '.relaycode/\n')
write('src/tasks.js', "export const tasks = [{ title: 'Water the plants' }]\n")
write(
  'lint.mjs',
  `import { readdirSync, readFileSync } from 'node:fs'
for (const name of readdirSync('src')) {
  readFileSync('src/' + name, 'utf8').split('\\n').forEach((line, at) => {
    if (!/\\bvar\\b/.test(line)) return
    console.log('src/' + name + ':' + (at + 1) + ':1: error: use const instead of var')
    process.exitCode = 1
  })
}
`,
)
const config = { projectId: 'relay-demo-loop', linter: 'node lint.mjs', agent: 'codex' }
write('relaycode.config.json', `${JSON.stringify(config, null, 2)}\n`)
const story = (id, title, priority, criterion) => ({
  id,
  title,
  description: `As a user, I want to see what matters so that I do it first.`,
  acceptanceCriteria: [criterion, 'Typecheck passes'],
  priority,
  passes: false,
  notes: '',
})
const prd = {
  project: 'Tasks',
  branchName: 'ralph/task-priority',
  description: 'Tasks get a priority, and lists can be sorted by it',
  userStories: [
    story('US-001', 'Keep a priority with each task', 1, 'Each task in src/tasks.js has a `priority`'),
    story('US-002', 'Sort tasks by their priority', 2, 'src/sort.js exports `byPriority`'),
  ],
}

// ── An agent that is a script: it takes the words of codex, and prints its lines ───────────────

writeFileSync(
  join(home, 'bin/codex'),
  `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs')
const told = readFileSync(0, 'utf8')
const id = /^\\*\\*(US-\\d+): /m.exec(told)[1]
if (id === 'US-001') writeFileSync('src/tasks.js', "export const tasks = [{ title: 'Water the plants', priority: 1 }]\\n")
else {
  const word = told.includes('use const instead of var') ? 'const' : 'var'
  writeFileSync('src/sort.js', word + ' byPriority = tasks => tasks.toSorted((a, b) => a.priority - b.priority)\\nexport { byPriority }\\n')
}
const text = 'I did ' + id + '. <promise>COMPLETE</promise>'
console.log(JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text } }))
console.log(JSON.stringify({ type: 'turn.completed' }))
`,
  { mode: 0o755 },
)

say(`A scratch project: ${project}\n`)
git('init', '--quiet', '--initial-branch=main')
git('add', '--all')
git('commit', '--quiet', '--message', 'Begin')
write('prd.json', `${JSON.stringify(prd, null, 2)}\n`)

// ── The loop ───────────────────────────────────────────────────────────────────────────────────

say('$ relay prd check')
run('prd', 'check')
say('\n$ relay loop --trust')
const code = run('loop', '--trust')
say('\n$ relay prd')
run('prd')
say('\n$ git log --oneline ralph/task-priority')
git('log', '--oneline', 'ralph/task-priority')

const made = git('show', 'ralph/task-priority:src/sort.js').trim().split('\n')[0]
say(`
The second story was refused once: src/sort.js is now  ${made}

Look around:  cd ${project}
              git diff main ralph/task-priority      what the two stories made
              cat progress.txt                       what the agents left for each other
              relay loop --after merge               merge it: nothing is run again
Here, \`relay\` is  node ${relay}`)
const done = JSON.parse(readFileSync(join(project, 'prd.json'), 'utf8')).userStories.every(({ passes }) => passes)
process.exitCode = code === 0 && done && made?.startsWith('const') ? 0 : 1

function environment() {
  const { RELAY_AGENT: _, ...env } = process.env
  const who = { GIT_AUTHOR_NAME: 'demo', GIT_AUTHOR_EMAIL: 'demo@localhost' }
  const also = { GIT_COMMITTER_NAME: 'demo', GIT_COMMITTER_EMAIL: 'demo@localhost' }
  // Relay's memory of this project goes with the project.
  const own = { XDG_STATE_HOME: join(home, 'state'), PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}` }
  return { ...env, ...who, ...also, ...own }
}

function git(...args) {
  const { stdout } = spawnSync('git', args, { cwd: project, env: environment(), encoding: 'utf8' })
  if (args[0] === 'log') process.stdout.write(stdout)
  return stdout
}

function run(...args) {
  const options = { cwd: project, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] }
  return spawnSync(process.execPath, [relay, ...args], options).status
}
