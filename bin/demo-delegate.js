// `npm run demo:delegate`: from a line of text to a pull request, without network and account. The agent is a script,
// the remote a bare repository beside the project, and GitHub's API a server on this machine.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const relay = fileURLToPath(new URL('../dist/relay.cjs', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'relay-delegate-'))
const [project, bare, bin] = ['project', 'origin.git', 'bin'].map(name => join(home, name))
const say = text => process.stdout.write(`${text}\n`)
const url = 'https://github.com/me/settings.git'

// ── GitHub, as far as relay needs it ───────────────────────────────────────────────────────────

const asked = []
const gitHub = createServer((request, response) => {
  let text = ''
  request.on('data', piece => {
    text += piece
  })
  request.on('end', () => {
    if (request.method === 'POST') asked.push(JSON.parse(text))
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(
      request.method === 'POST' ? `{"html_url":"https://github.com/me/settings/pull/${asked.length}"}` : '[]',
    )
  })
})
await new Promise(done => gitHub.listen(0, '127.0.0.1', done))

// It uses nothing of yours: no settings, no keys, no account.
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: home,
  LANG: 'C.UTF-8',
  GITHUB_TOKEN: 'a-token-of-the-demo',
  GITHUB_API_URL: `http://127.0.0.1:${gitHub.address().port}`,
}
const git = (...args) => execFileSync('git', args, { cwd: project, env, encoding: 'utf8' })

// ── A repository with a remote, and an agent ───────────────────────────────────────────────────

for (const folder of [project, bin]) mkdirSync(folder)
writeFileSync(join(project, 'settings.html'), '<h1>Settings</h1>\n')
writeFileSync(
  join(project, 'journal.md'),
  '# Today\n\n- Buy milk\n- Add a language menu to the settings page /claude\n',
)
git('init', '-q', '-b', 'main')
git('config', '--global', 'user.name', 'You')
git('config', '--global', 'user.email', 'you@example.com')
git('config', '--global', `url.${bare}.insteadOf`, url)
git('init', '-q', '--bare', '-b', 'main', bare)
git('add', 'settings.html')
git('commit', '-qm', 'A settings page')
git('remote', 'add', 'origin', url)
git('push', '-q', 'origin', 'main')
const lines = [
  { type: 'assistant', message: { content: [{ type: 'text', text: 'The page has it now.' }] } },
  { type: 'result', subtype: 'success', is_error: false, result: 'The page has it now.' },
].map(line => JSON.stringify(line))
writeFileSync(
  join(bin, 'claude'),
  `#!/bin/sh\ncat > /dev/null\nsleep 1\necho '<button>New</button>' >> settings.html\ncat <<'END'\n${lines.join('\n')}\nEND\n`,
  { mode: 0o755 },
)
// If your `gh` were logged in, relay would ask it.
writeFileSync(join(bin, 'gh'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })

// ── From a command, and from a note ────────────────────────────────────────────────────────────

say(`A scratch repository: ${project}\n\n$ relay delegate "Add dark mode toggle to settings page"`)
const first = await run('delegate', 'Add dark mode toggle to settings page')
say('\n$ relay delegate --note journal.md')
const second = await run('delegate', '--note', 'journal.md')
say('\n$ cat journal.md')
const note = readFileSync(join(project, 'journal.md'), 'utf8')
say(note)
say('$ git log --all --oneline   # in the remote')
const log = execFileSync('git', ['log', '--all', '--oneline'], { cwd: bare, env, encoding: 'utf8' })
say(log)
say(`GitHub was asked for:\n${asked.map(({ title, head, base }) => `  ${title}: ${head} into ${base}`).join('\n')}`)

const isUntouched = git('status', '--short') === '?? journal.md\n' && git('branch', '--list', 'claude/*') === ''
say(
  `\nYour folder is ${isUntouched ? 'as it was' : 'CHANGED'}. Look around:  cd ${project}; HOME=${home} node ${relay} delegate list`,
)
gitHub.close()
const isGood = first === 0 && second === 0 && asked.length === 2 && note.includes('has finished') && isUntouched
process.exitCode = isGood ? 0 : 1

/** Runs without blocking: the server has to answer meanwhile. */
function run(...args) {
  const child = spawn(process.execPath, [relay, ...args], {
    cwd: project,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise(done => child.once('close', done))
}
