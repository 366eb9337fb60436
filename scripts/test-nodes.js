// `npm run test:nodes`: end-to-end tests of the bundle on the other versions of Node that it is made for, which come from
// npm. `npm run test:nodes -- 24 test/cli` runs what is named on one of them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'relay-nodes-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const args = process.argv.slice(2)
const named = args.filter(arg => /^\d+$/.test(arg))
const versions = named.length > 0 ? named : ['22', '24']
const rest = args.filter(arg => !named.includes(arg))
/** What depends on the runtime most: starting, files, processes, signals, the keyboard. */
const sample = ['usage', 'apply', 'after-keeping', 'interruption'].map(name => `test/cli/${name}.test.ts`)
const tests = rest.some(arg => !arg.startsWith('-')) ? rest : [...sample, ...rest]

for (const version of versions) {
  const place = join(folder, version)
  const install = ['install', '--prefix', place, '--no-save', '--no-audit', '--no-fund', '--silent', `node@${version}`]
  run('npm', install, {})
  const node = join(place, 'node_modules/node/bin/node')
  run(node, ['--version'], {})
  const report = process.env.RELAY_NODES_RESULTS
  const results =
    report === undefined
      ? []
      : ['--reporter=default', '--reporter=json', `--outputFile.json=${report}/node-${version}.json`]
  run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests, ...results], {
    TESTS: 'all',
    RELAY_NODE: node,
  })
}

function run(program, words, more) {
  const { status, error } = spawnSync(program, words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...more } })
  if (error !== undefined || status !== 0) {
    console.error(`${program} ended with ${error?.message ?? status}`)
    process.exitCode = 1
  }
}
