import { mkdirSync, writeFileSync } from 'node:fs'

/** Notes how long the whole `npm test` takes: `npm run numbers` prints it. */
export default function setup(): () => void {
  const began = performance.now()
  const isWhole = process.env['npm_lifecycle_event'] === 'test' && process.argv.slice(2).join(' ') === 'run'
  return () => {
    if (!isWhole) return
    mkdirSync('node_modules/.cache', { recursive: true })
    writeFileSync('node_modules/.cache/relay-test-seconds', `${Math.round((performance.now() - began) / 1000)}\n`)
  }
}
