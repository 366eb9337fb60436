// `npm run test:binary`: the end-to-end tests on the single binary, where it has nothing of this folder: it stands in
// another one, and on its PATH there is no JavaScript runtime.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'relay-binary-'))
// Some of the tests run as another user.
chmodSync(folder, 0o755)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

copyFileSync(join(root, 'build/relay'), join(folder, 'relay'))

const programs = join(folder, 'programs')
mkdirSync(programs)
for (const place of (process.env.PATH ?? '').split(':')) {
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    if (/^(node|nodejs|bun|bunx|deno|npm|npx|corepack)$/.test(name) || existsSync(join(programs, name))) continue
    try {
      symlinkSync(join(place, name), join(programs, name))
    } catch {
      // The first of a name wins, also when it leads nowhere.
    }
  }
}

const args = process.argv.slice(2)
const tests = args.some(arg => !arg.startsWith('-')) ? args : ['test/cli', 'test/binary', ...args]
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TESTS: 'all', RELAY_BINARY: join(folder, 'relay'), RELAY_PATH: programs },
})
process.exitCode = status ?? 1
