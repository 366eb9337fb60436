// Stands in for claude, so that the example runs without an account: it reads what relay tells it, changes files in the folder
// where it is started, and prints lines as claude does. A real agent takes its place with `relay do word-count --agent claude`.
import { mkdirSync, writeFileSync } from 'node:fs'

if (process.argv.includes('--version')) {
  console.log('1.0.0')
  process.exit(0)
}

const plan = 'RAF/cjfhjs-word-count'
let told = ''
for await (const chunk of process.stdin) told += chunk
const task = /\(cjfhjs\): (\d\d),/.exec(told)?.[1]

const say = line => console.log(JSON.stringify(line))
const outcome = (name, summary) => {
  mkdirSync(`${plan}/outcomes`, { recursive: true })
  writeFileSync(`${plan}/outcomes/${name}.md`, `## Summary\n${summary}\n\n<promise>COMPLETE</promise>\n`)
}

if (task === '01') {
  writeFileSync('src/words.js', 'export const words = text => text.split(/\\s+/).filter(Boolean)\n')
  outcome('01-split-at-white-space', 'Split at any white space. Empty words are left out.')
}
if (task === '02') {
  // In a hurry the first time; then relay has told it what the linter says.
  const keyword = told.includes('use const instead of var') ? 'const' : 'var'
  writeFileSync(
    'src/count.js',
    `import { words } from './words.js'\n\n${keyword} count = text => words(text).length\nexport { count }\n`,
  )
  outcome('02-count-words', 'Count the words of a text.')
}
if (task === '03') {
  writeFileSync(
    'src/main.js',
    "import { readFileSync } from 'node:fs'\nimport { count } from './count.js'\n\nconsole.log(count(readFileSync(0, 'utf8')))\n",
  )
  outcome('03-command', 'Add a command that counts the words of stdin.')
}

const text = `Task ${task} is done. <promise>COMPLETE</promise>`
say({ type: 'system', subtype: 'init', session_id: 'example' })
say({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
say({ type: 'result', subtype: 'success', is_error: false, result: text })
