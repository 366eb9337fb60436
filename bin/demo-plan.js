// `npm run demo:plan`: an agent that comes with the example carries out a plan of three tasks in a scratch project.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const relay = fileURLToPath(new URL('../dist/relay.cjs', import.meta.url))
const project = join(mkdtempSync(join(tmpdir(), 'relay-demo-plan-')), 'word-count')
cpSync(fileURLToPath(new URL('../examples/plan', import.meta.url)), project, { recursive: true })

const say = text => process.stdout.write(`${text}\n`)
const who = { name: 'Example', email: 'example@localhost' }
// Relay's memory of this project goes with the project.
const env = {
  ...process.env,
  XDG_STATE_HOME: join(project, '../state'),
  GIT_AUTHOR_NAME: who.name,
  GIT_AUTHOR_EMAIL: who.email,
  GIT_COMMITTER_NAME: who.name,
  GIT_COMMITTER_EMAIL: who.email,
}
const run = (program, args, stdio = 'inherit') => {
  return spawnSync(program, args, { cwd: project, env, stdio: ['ignore', stdio, stdio], encoding: 'utf8' })
}
const shown = (...args) => {
  say(`\n$ relay ${args.join(' ')}`)
  return run(process.execPath, [relay, ...args]).status
}
const git = (...args) => run('git', args, 'pipe')

git('init', '-q')
git('add', '-A')
git('commit', '-qm', 'A project with a plan')
say(`A scratch project: ${project}`)

shown('status', 'word-count')
// The agent and the linter are commands of this project, so relay would show them and ask; `--trust` says yes
// beforehand.
const done = shown('do', 'word-count', '--trust')
shown('status', 'word-count')
say('\n$ git log --oneline')
run('git', ['--no-pager', 'log', '--oneline'])
const counted = spawnSync(process.execPath, ['src/main.js'], {
  cwd: project,
  input: 'one two\nthree',
  encoding: 'utf8',
})
say(`\n$ printf 'one two\\nthree' | node src/main.js\n${counted.stdout.trim()}`)

say(`
The second task needed two attempts: its first one had an error that the linter found, and relay told the agent.

Look around:  cd ${project}
              cat RAF/cjfhjs-word-count/outcomes/02-count-words.md    what is kept of a task
              relay undo                                              undoes the last task: it is open again
              relay do word-count                                     does it again
Here, \`relay\` is  node ${relay}`)
process.exitCode = done === 0 && counted.stdout.trim() === '3' ? 0 : 1
