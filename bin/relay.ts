#!/usr/bin/env node
// argv in, exit code out; signals become one AbortSignal.
import about from '../package.json' with { type: 'json' }
import { main } from '../src/main.ts'

const argv = process.argv.slice(2)
const { version } = about

const interruption = new AbortController()
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.on(signal, () => {
    // The second one stops at once; what is unfinished then is taken back at the next start.
    if (interruption.signal.aborted) process.exit(128 + number)
    interruption.abort(signal)
  })
}

// Who reads us may stop at any time (`| head`): there is nobody left to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

main(argv, {
  version,
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
  // Loaded when a command is sure to run: help and version are there at once.
  open: async () => {
    const { realSystem } = await import('../src/system/system.ts')
    return realSystem({ version, noInput: argv.includes('--no-input'), interruption })
  },
}).then(code => {
  // Not `process.exit()`: it would cut piped output short.
  process.exitCode = code
})
