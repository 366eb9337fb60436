import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, env, ms, once, project, scratch, sideBySide, spread, timed, told } from './measure.js'

const node = process.execPath

/** What relay adds to an agent that answers at once, and how fast it reads one that prints a great deal. */
export async function ask() {
  return [await atOnce(), await stream()]
}

const answer = [
  { type: 'system', subtype: 'init', session_id: 's' },
  { type: 'assistant', message: { content: [{ type: 'text', text: 'Yes.' }] } },
  { type: 'result', subtype: 'success', is_error: false, result: 'Yes.', usage: { input_tokens: 1, output_tokens: 1 } },
]
const printed = answer.map(event => `${JSON.stringify(event)}\n`).join('')

/** A folder with a `claude` in it. */
function withAgent(code) {
  const folder = scratch()
  writeFileSync(join(folder, 'answer'), printed)
  writeFileSync(join(folder, 'claude'), code(folder), { mode: 0o755 })
  return { agent: join(folder, 'claude'), more: { PATH: `${folder}:${env.PATH}` } }
}

async function atOnce() {
  const cwd = project()
  const { agent, more } = withAgent(folder => `#!/bin/sh\ncat > /dev/null\ncat '${folder}/answer'\n`)
  const t = await sideBySide(
    {
      agent: () => timed([agent], { cwd, input: 'x' }),
      status: () => timed([node, bundle, 'status'], { cwd }),
      ask: () => timed([node, bundle, 'ask', 'x', '--to', 'claude'], { cwd, more }),
    },
    25,
  )
  const over = t.ask.median - t.agent.median - t.status.median
  return {
    what: 'ask an agent that answers at once',
    goal: '≤ 60 ms over the agent and `relay status`',
    seen: told(t.ask),
    floor: `the agent alone: ${told(t.agent)}; \`relay status\`: ${told(t.status)}`,
    ratio: `+ ${ms(over)}`,
    met: over <= 60,
  }
}

const [megabytes, rounds] = once ? [10, 1] : [1000, 3]

/** A gigabyte of events, in lines as agents print them for what their tools read; the same read by `cat` beside it. */
async function stream() {
  const cwd = project()
  const line = { type: 'user', message: { content: [{ type: 'tool_result', content: 'x "y" é\n'.repeat(1000) }] } }
  const code = folder => `#!${node}
const { readFileSync, writeSync } = require('node:fs')
readFileSync(0)
const bytes = Buffer.from(${JSON.stringify(`${JSON.stringify(line)}\n`)}.repeat(100))
const write = bytes => { for (let at = 0; at < bytes.length; ) try { at += writeSync(1, bytes, at) } catch (error) { if (error.code !== 'EAGAIN') throw error } }
for (let left = ${megabytes} * 1e6; left > 0; left -= bytes.length) write(bytes)
write(readFileSync(${JSON.stringify(join(folder, 'answer'))}))
`
  const { agent, more } = withAgent(code)
  const runs = []
  const floors = []
  for (let round = 0; round < rounds; round++) {
    floors.push(timed(['/bin/sh', '-c', `'${agent}' < /dev/null | cat > /dev/null`], { cwd }))
    runs.push(await asked({ cwd, env: { ...env, ...more } }))
  }
  const took = spread(runs.map(run => run.ms))
  const rate = megabytes / (took.median / 1000)
  const memory = Math.max(...runs.map(run => run.kilobytes)) / 1024
  return {
    what: 'read 1 GB of an agent’s events',
    goal: '≥ 30 MB/s, memory flat',
    seen: `${Math.round(rate)} MB/s, at most ${Math.round(memory)} MB`,
    floor: `the same into \`cat\`: ${told(spread(floors))}`,
    ratio: `${(took.median / spread(floors).median).toFixed(2)} ×`,
    met: rate >= 30 && memory <= 250,
  }
}

/** How long it takes, and the most memory that relay itself has at a time. */
function asked(options) {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const child = spawn(node, [bundle, 'ask', 'x', '--to', 'claude'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let kilobytes = 0
    const look = setInterval(() => {
      try {
        kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? kilobytes)
      } catch {}
    }, 50)
    let said = ''
    child.stderr.on('data', text => {
      said += text
    })
    child.stdout.resume()
    child.once('exit', code => {
      clearInterval(look)
      if (code === 0) resolve({ ms: performance.now() - begun, kilobytes })
      else reject(new Error(`ask ended with ${code}: ${said}`))
    })
  })
}
