// `npm run numbers`: how large the house is, and how far it is to its two stories. `npm run check` prints it; nothing fails by it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** What a newcomer reads from the command line on, until the story is told. */
const stories = {
  'an answer': ['bin/relay.ts', 'src/main.ts', 'src/cli/choose-command.ts', 'src/commands/apply.ts', 'src/flows/relay.ts', 'src/transact/transact.ts'],
  'a task': ['bin/relay.ts', 'src/main.ts', 'src/cli/choose-command.ts', 'src/commands/do.ts', 'src/commands/alone/run-alone.ts', 'src/agents/work/work-through.ts'],
} // biome-ignore format: one line a story reads as a table

const linesOf = path => readFileSync(join(root, path), 'utf8').trimEnd().split('\n')

/** How a kind ends that can take several lines. */
const ends = { comment: /\*\/$/, note: /$/, import: /['"](?: with \{.*\})?$/ }

const files = readdirSync(join(root, 'src'), { recursive: true }).filter(file => file.endsWith('.ts'))
const kinds = { code: 0, import: 0, comment: 0, note: 0, blank: 0 }
for (const file of files) for (const kind of kindsOf(linesOf(join('src', file)))) kinds[kind]++

const number = value => value.toLocaleString('en')
console.log(`src: ${number(kinds.code)} lines of code in ${files.length} files`)
console.log(
  `     beside them ${number(kinds.import)} of imports, ${number(kinds.comment + kinds.note)} of comments, ${number(kinds.blank)} blank`,
)
for (const [story, path] of Object.entries(stories)) {
  console.log(
    `until the story of ${story} is told: ${number(path.reduce((sum, file) => sum + linesOf(file).length, 0))} lines`,
  )
}
const seconds = join(root, 'node_modules/.cache/relay-test-seconds')
console.log(
  `npm test: ${existsSync(seconds) ? `${readFileSync(seconds, 'utf8').trim()} s the last time` : 'not run here yet'}`,
)

/** The kind of each line. A comment behind code is code, and the braces of an import belong to it. */
function* kindsOf(lines) {
  let inside
  for (const line of lines.map(each => each.trim())) {
    inside ??= beginning(line)
    yield inside ?? (line === '' ? 'blank' : 'code')
    if (inside !== undefined && ends[inside].test(line)) inside = undefined
  }
}

function beginning(line) {
  if (line.startsWith('/*')) return 'comment'
  if (line.startsWith('//')) return 'note'
  return /^import\b(?!\()/.test(line) ? 'import' : undefined
}
