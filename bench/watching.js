import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { binary, env } from './measure.js'

/** Starts `relay watch --json` and hears what it tells, each event with the time at which it came. */
export function startWatching(cwd, more, command = [binary]) {
  const [program, ...before] = command
  const begun = performance.now()
  const child = spawn(program, [...before, 'watch', '--json', '--trust'], {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const events = []
  const heard = new Set()
  let said = ''
  let firstLine
  child.stderr.on('data', text => {
    said += text
    if (firstLine === undefined && said.includes('watching')) firstLine = performance.now() - begun
  })
  const closed = new Promise(resolve => child.once('close', (code, signal) => resolve({ code, signal })))
  createInterface({ input: child.stdout }).on('line', line => {
    const event = { ...JSON.parse(line), came: performance.now() }
    events.push(event)
    for (const listen of heard) listen()
  })
  return {
    pid: child.pid,
    events,
    said: () => said,
    /** Milliseconds from its start to the line on stderr. */
    firstLine: () => firstLine,
    closed,
    /** Ends with the first event since `from` that is wanted. */
    async until(isWanted, { from = 0, what = 'an event', patience = 20_000 } = {}) {
      for (const end = performance.now() + patience; ; ) {
        const found = events.slice(from).find(isWanted)
        if (found !== undefined) return found
        if (performance.now() > end) throw new Error(`relay watch did not tell ${what}\n${said.slice(-2000)}`)
        await new Promise(resolve => {
          const wake = () => {
            heard.delete(wake)
            clearTimeout(timer)
            resolve()
          }
          const timer = setTimeout(wake, 500)
          heard.add(wake)
        })
      }
    },
    async stop() {
      child.kill('SIGINT')
      return closed
    },
    rss: () => statusOf(child.pid, 'VmRSS') * 1024,
    /** Seconds of processor time, with what its own children took that have ended. */
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ')
      return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
    },
  }
}

function statusOf(pid, key) {
  const line = readFileSync(`/proc/${pid}/status`, 'latin1')
    .split('\n')
    .find(each => each.startsWith(`${key}:`))
  return Number(/\d+/.exec(line ?? '')?.[0] ?? Number.NaN)
}
