// `npm run build:binary`: the program and its runtime as one file, build/relay, made by bun. For another system:
// `npm run build:binary -- --target bun-linux-arm64` (or -linux-x64-musl, -darwin-arm64, -windows-x64, …).
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

const { values } = parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const target = values.target === undefined || values.target.startsWith('bun-') ? values.target : `bun-${values.target}`
const name = target === undefined ? 'relay' : `relay-${target.slice('bun-'.length)}`
const outfile = values.outfile ?? `${root}build/${name}`

// The bundle of the package once more, as modules: bun starts what is split into those sooner than CommonJS.
const modules = join(root, 'build/modules')
await build({
  ...config,
  cwd: root,
  logLevel: 'warn',
  output: {
    ...config.output,
    dir: modules,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
  },
})

const folder = mkdtempSync(join(tmpdir(), 'relay-build-'))
try {
  const order = await orderOf(join(folder, 'relay'))
  compile(outfile, ...order, ...(target === undefined ? [] : [`--target=${target}`]))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function compile(file, ...more) {
  const { status, error } = spawnSync(
    `${root}node_modules/.bin/bun`,
    [
      ...['build', '--compile', '--minify', '--bytecode', '--format=esm', '--splitting'],
      // Most of relay's code runs once or a few times. Compiling it to machine code so soon as bun would do takes longer
      // than it saves; at twenty-four times that, what does run often (thousands of files) loses nothing.
      '--compile-jit-policy=24',
      // A binary that looked for them would run the `preload` script of the bunfig.toml in whatever project it is used.
      ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
      ...more,
      ...[join(modules, 'relay.mjs'), '--outfile', file],
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  if (error !== undefined) throw new Error(`Cannot run bun: ${error.message}. Install it with \`npm ci\`.`)
  if (status !== 0) throw new Error(`bun ended with ${status}`)
}

/**
 * What makes the code that a `relay watch` needs lie together in the binary: a watcher stays open all day, and what lies
 * around each piece of its code stays in the memory with it.
 *
 * A first binary is watched while it starts, on a display that does not exist. Elsewhere it would look at the desktop.
 */
async function orderOf(first) {
  if (process.platform !== 'linux') return []
  compile(first)
  const order = join(folder, 'order')
  writeFileSync(join(folder, 'relaycode.config.json'), '{"projectId": "order"}')
  const env = { PATH: '', HOME: folder, LANG: 'C.UTF-8', DISPLAY: ':4095', BUN_BYTECODE_ORDER_OUT: order }
  const watch = spawn(first, ['watch'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 })
  let said = ''
  for await (const text of watch.stderr) {
    said += text
    if (said.includes('watching')) watch.kill('SIGINT')
  }
  if (!said.includes('watching')) throw new Error(`The binary does not watch:\n${said}`)
  return [`--bytecode-order=${order}`]
}
