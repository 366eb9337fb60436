#!/usr/bin/env node
// argv in, exit code out; signals become one AbortSignal.
import about from '../package.json' with { type: 'json' }
import { main } from '../src/main.ts'
import type { System } from '../src/ports.ts'
import { lineStart, lostOutput, output, writeNow } from '../src/system/terminal/output.ts'

const argv = process.argv.slice(2)
const { version } = about

/** A command that only asks changes nothing. */
const leavesNothing = /^(?:ask|agents)$/.test(argv[0] ?? '') && !argv.some(word => /^--(?:apply|sandbox)/.test(word))

let system: System | undefined
const interruption = new AbortController()
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.on(signal, () => {
    // The closing of a terminal comes more than once: from its shell, and from the system. To a relay that Ctrl+Z has
    // stopped, bash sends a TERM as well.
    const closed = interruption.signal.reason === 'SIGHUP' ? ['SIGHUP', 'SIGTERM'] : ['SIGHUP']
    if (interruption.signal.aborted && closed.includes(signal)) return
    if (interruption.signal.aborted) system?.terminal.status(undefined)
    const stderr = output(2)
    if (signal === 'SIGINT') stderr.write(lineStart(stderr))
    if (interruption.signal.aborted) {
      const rest = leavesNothing ? '' : '; the next relay command takes back what was unfinished'
      stderr.write(`stopped at once${rest}\n`)
      process.exit(128 + number)
    }
    interruption.abort(signal)
  })
}

// A runtime with nothing left to wait for ends with the code 0, even when a command still waits.
const endTooEarly = () => {
  process.exitCode = 1
}
process.once('beforeExit', endTooEarly)

main(argv, {
  version,
  out: text => writeNow(1, text),
  err: text => writeNow(2, text),
  // Loaded when a command is sure to run, so that help and version appear at once.
  open: async () => {
    const { realSystem } = await import('../src/system/system.ts')
    const trace = argv.includes('--trace') || (process.env['RELAY_TRACE'] ?? '') !== ''
    system = realSystem({ version, noInput: argv.includes('--no-input'), trace, interruption })
    return system
  },
}).then(async code => {
  process.off('beforeExit', endTooEarly)
  // Not `process.exit()`: it would cut piped output short.
  process.exitCode = code
  const lost = lostOutput()
  if (lost === undefined) return
  const { fileError } = await import('../src/system/file-error.ts')
  writeNow(2, `Error: ${fileError(lost, 'write', 'stdout', process.cwd()).message}; not all of it has arrived\n`)
  process.exitCode = code === 0 ? 8 : code
})
