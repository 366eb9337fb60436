// `npm run bench`: every goal beside its floor, in one run; the table goes to docs/development/benchmarks.md.
// `npm run bench -- start apply` measures only these, and writes nothing; `--idle 120` watches idly for so many seconds.
// `npm run bench -- --once` (or `--once apply`) only shows that each part runs: it asserts no time, and writes nothing.
import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { apply } from './apply.js'
import { ask } from './ask.js'
import { checkout } from './checkout.js'
import { clipboard } from './clipboard.js'
import { edits } from './edits.js'
import { growth } from './growth.js'
import { missing, once, root } from './measure.js'
import { pack } from './pack.js'
import { start } from './start.js'
import { work } from './work.js'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { idle: { type: 'string' }, once: { type: 'boolean' } },
})
const idle = values.idle === undefined ? {} : { idleSeconds: Number(values.idle) }
const parts = { start, clipboard: () => clipboard(idle), apply, edits, growth, pack, ask, checkout, work }
const needs = { clipboard: ['Xvfb', 'xclip'], apply: ['git'], edits: ['git'], checkout: ['git'], work: ['git'] }

const unknown = wanted.filter(name => !(name in parts))
if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}: there are ${Object.keys(parts).join(', ')}`)

const rows = []
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const lacking = missing(...(needs[name] ?? [])).join(' and ')
  if (once) await runOnce(name, measure, lacking)
  else if (lacking !== '') throw new Error(`${name} needs ${lacking}`)
  else rows.push(...(await measured(measure)))
}
if (wanted.length === 0 && !once) writeFileSync(join(root, 'docs/development/benchmarks.md'), page(rows))

async function measured(measure) {
  const found = await measure()
  for (const { met, what, seen, goal, ratio, floor } of found) {
    console.log(`${met ? '✔' : '✖'} ${what}\n    ${seen}   goal ${goal}   ${ratio}   ${floor}`)
  }
  return found
}

/** The other parts run also where this one cannot. */
async function runOnce(name, measure, lacking) {
  if (lacking !== '') return console.log(`○ bench ${name}: skipped, it needs ${lacking}`)
  const begun = performance.now()
  try {
    await measure()
    console.log(`✔ bench ${name} runs: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  } catch (error) {
    console.log(`✖ bench ${name}: ${error.stack}`)
    process.exitCode = 1
  }
}

function page(rows) {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.version}`
  const line = ({ what, goal, seen, floor, ratio, met }) =>
    `| ${what} | ${goal} | ${met ? '✔' : '✖'} ${ratio} | ${seen} | ${floor} |`
  return `# Benchmarks

Written by \`npm run bench\`, never by hand. Each value stands beside its floor, measured in turns with it in the same
run, so that what else the machine does falls on both; times are medians (lowest – highest) of whole commands. “The
transaction’s bare writes” is a script that only writes what a transaction writes, in its order (\`bench/protocol.js\`).

Machine: ${machine}. ${new Date().toISOString().slice(0, 10)}.

| what | goal | ratio | relay | floor |
|---|---|---|---|---|
${rows.map(line).join('\n')}

\`npm run bench:parse\` shows the parser's rate over sizes and over hostile texts.
`
}
