// Processor time of showing a change: the list of files, the short diff above a question, the full one in the pager.
import { built } from './built.js'

const { renderDiff, renderShortDiff } = await built('src/report/diff/render-diff.ts')
const { fileLines } = await built('src/report/answers/file-lines.ts')
const { createStyle } = await built('src/report/text/style.ts')

const encoder = new TextEncoder()

function file(content) {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return { kind: 'file', bytes, mode: 0o644 }
}

function change(path, before, after) {
  const effect = before === null ? 'create' : after === null ? 'delete' : 'modify'
  const states = { before: before === null ? null : file(before), after: after === null ? null : file(after) }
  return { path, target: path, ...states, effect }
}

function code(lines, word) {
  return Array.from({ length: lines }, (_, n) => `  const value${n} = ${word}(${n * 7}, 'some text')\n`).join('')
}

function replaced(text, every, from, to) {
  return text
    .split('\n')
    .map((line, n) => (n % every === 0 ? line.replace(from, to) : line))
    .join('\n')
}

let seed = 1
function random() {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
}

function fewWords(lines) {
  const words = ['a', 'b', '}', '', 'return', 'x = 1']
  return Array.from({ length: lines }, () => `${words[Math.floor(random() * words.length)]}\n`).join('')
}

const long = code(20_000, 'old')
const lines = long.split('\n')
const huge = code(1_000_000, 'old')
const half = 'x'.repeat(500_000)

const cases = {
  '20,000 lines rewritten': () => [change('a.ts', long, code(20_000, 'new'))],
  '20,000 lines of few words': () => [change('a.ts', fewWords(20_000), fewWords(20_000))],
  '20,000 lines backwards': () => [change('a.ts', long, lines.toReversed().join('\n'))],
  '20,000 lines, 7,000 moved': () => [change('a.ts', long, [...lines.slice(7000), ...lines.slice(0, 7000)].join('\n'))],
  '20,000 lines, each fourth changed': () => [change('a.ts', long, replaced(long, 4, 'old', 'older'))],
  '200 files': () =>
    Array.from({ length: 200 }, (_, n) => {
      const text = code(400, `old${n}`)
      return change(`src/f${n}.ts`, text, replaced(text, 9, 'some', 'other'))
    }),
  '100 files renamed': () =>
    Array.from({ length: 100 }, (_, n) => {
      const text = code(400, `old${n}`)
      return [change(`src/f${n}.ts`, text, null), change(`lib/g${n}.ts`, null, text.replaceAll('value3', 'v3'))]
    }).flat(),
  '50 MB of text': () => [change('big.txt', huge, huge.replace('value500', 'v500'))],
  '50 MB of bytes': () => [change('big.bin', new Uint8Array(50e6), new Uint8Array(50e6).fill(1))],
  '4 MB of text rewritten': () => [change('m.txt', code(85_000, 'old'), code(85_000, 'new'))],
  'a line of 1 MB': () => [change('min.js', half + half, `${half}y${half}`)],
  'a line of 1 MB of controls': () => [change('x', '\x1b'.repeat(1e6), `${'\x1b'.repeat(5e5)}${'\t'.repeat(5e5)}`)],
  '100,000 equal lines': () => [change('x', 'x\n'.repeat(100_000), 'x\n'.repeat(100_001))],
  '100,000 equal lines, a few between': () => [
    change('x', `${'x\n'.repeat(9)}y\n`.repeat(10_000), `${'x\n'.repeat(8)}y\n`.repeat(11_000)),
  ],
}

const style = createStyle({ colour: true, unicode: true, columns: 100, rows: 40 })

for (const [name, make] of Object.entries(cases)) {
  const list = timed(make, changes => fileLines(changes, style).lines)
  const short = timed(make, changes => renderShortDiff(changes, style, 30).text.split('\n'))
  const full = timed(make, changes => renderDiff(changes, style).split('\n'))
  console.log(`${name.padEnd(36)} list ${list.ms}   short ${short.ms}   full ${full.ms} (${full.lines} lines)`)
}

/** Fresh changes each time: what is compared once is remembered. */
function timed(make, show) {
  const changes = make()
  const before = process.cpuUsage()
  const lines = show(changes).length
  const { user, system } = process.cpuUsage(before)
  return { ms: `${((user + system) / 1000).toFixed(0).padStart(5)} ms`, lines }
}
