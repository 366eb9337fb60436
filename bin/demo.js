// `npm run demo`: the main job in a scratch project, without a clipboard. One answer is kept, one is rolled back.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const relay = fileURLToPath(new URL('../dist/relay.cjs', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'relay-demo-'))
const write = (path, text) => writeFileSync(join(project, path), text)
const read = path => readFileSync(join(project, path), 'utf8')
const say = text => process.stdout.write(`${text}\n`)

// ── A small project with a linter of its own ───────────────────────────────────────────────────

mkdirSync(join(project, 'src'))
write('package.json', `${JSON.stringify({ name: 'relay-demo', private: true }, null, 2)}\n`)
write('src/greet.js', "export const greet = () => 'Hello'\n")
write(
  'lint.mjs',
  `import { readdirSync, readFileSync } from 'node:fs'
let errors = 0
for (const name of readdirSync('src')) {
  readFileSync('src/' + name, 'utf8').split('\\n').forEach((line, index) => {
    if (!/\\bvar\\b/.test(line)) return
    errors += 1
    console.log('src/' + name + ':' + (index + 1) + ':1: error: use const instead of var')
  })
}
process.exitCode = errors > 0 ? 1 : 0
`,
)

say(`A scratch project: ${project}\n`)
say('$ relay --init')
run(['--init', '--no-copy'])
const config = JSON.parse(read('relaycode.config.json'))
write('relaycode.config.json', `${JSON.stringify({ ...config, linter: 'node lint.mjs' }, null, 2)}\n`)

// ── Two answers, as an LLM gives them ──────────────────────────────────────────────────────────

const fence = '```'
const answer = ({ prose, path, content, uuid, kind }) => `${prose}

${fence}javascript // ${path}
// START

${content}
// END
${fence}

${fence}yaml
projectId: relay-demo
uuid: ${uuid}
changeSummary:
  - ${kind}: ${path}
${fence}
`
write(
  'answer-1.md',
  answer({
    prose: 'The greeting takes a name now.',
    path: 'src/greet.js',
    content: "export const greet = name => 'Hello, ' + name",
    uuid: 'd2f5c1de-0b5e-4a3f-9a51-6c1f0b6f0a01',
    kind: 'edit',
  }),
)
write(
  'answer-2.md',
  answer({
    prose: 'A farewell, written in a hurry.',
    path: 'src/farewell.js',
    content: "var farewell = name => 'Goodbye, ' + name\nexport { farewell }",
    uuid: 'd2f5c1de-0b5e-4a3f-9a51-6c1f0b6f0a02',
    kind: 'new',
  }),
)

// The linter was changed by hand, so relay would show it and ask; `--trust` says yes beforehand.
say('\n$ relay apply answer-1.md --trust')
const first = run(['apply', 'answer-1.md', '--trust'])
say('\n$ relay apply answer-2.md --no-input')
const second = run(['apply', 'answer-2.md', '--no-input'])

// ── What came of it ────────────────────────────────────────────────────────────────────────────

const kept = read('src/greet.js').includes('name =>')
const takenBack = !readdirSync(join(project, 'src')).includes('farewell.js')
say(`
The first answer was kept:    src/greet.js is now  ${read('src/greet.js').trim()}
The second was rolled back:   src/farewell.js is not there; its linter error would have needed your yes

Look around:  cd ${project}
              cat .relaycode/d2f5c1de-0b5e-4a3f-9a51-6c1f0b6f0a01.yml     the kept change, with what was there before
              relay apply --last                                          the second answer again; now you choose
Here, \`relay\` is  node ${relay}`)
process.exitCode = first === 0 && second === 3 && kept && takenBack ? 0 : 1

function run(args) {
  const { status } = spawnSync(process.execPath, [relay, ...args], {
    cwd: project,
    // Relay's memory of this project goes with the project.
    env: { ...process.env, XDG_STATE_HOME: join(project, '.state') },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status
}
