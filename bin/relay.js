#!/usr/bin/env node
// argv in, exit code out; signals become one AbortSignal.
import { readFileSync } from 'node:fs'
import { main } from '../dist/main.js'
import { realSystem } from '../dist/system/system.js'

const argv = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const interruption = new AbortController()
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
]) {
  process.on(signal, () => {
    // The second one stops at once; what is unfinished then is taken back at the next start.
    if (interruption.signal.aborted) process.exit(128 + number)
    interruption.abort(signal)
  })
}

const system = realSystem({ version, noInput: argv.includes('--no-input'), interruption })
// Not `process.exit()`: it would cut piped output short.
process.exitCode = await main(argv, system)
