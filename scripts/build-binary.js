// `npm run build:binary`: the program and its runtime as one file, build/relay, made by bun. For another system:
// `npm run build:binary -- --target linux-arm64` (or linux-x64-musl, darwin-arm64, windows-x64, …). For a release:
// `npm run build:binary -- --all`, with the sum of each in build/SHA256SUMS.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

/** The systems of a release. */
const released = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64']

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, target: { type: 'string' }, outfile: { type: 'string' } },
})
const root = fileURLToPath(new URL('..', import.meta.url))

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
  if (values.all === true) buildAll(order)
  else buildOne(values.target?.replace(/^bun-/, ''), values.outfile, order)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** One that cannot be built does not keep the others from it. */
function buildAll(order) {
  const built = []
  const failed = []
  for (const target of released) {
    try {
      built.push(buildOne(target, undefined, order))
    } catch (error) {
      failed.push(target)
      console.error(`Cannot build for ${target}: ${error.message}`)
    }
  }
  const sums = built.map(
    file => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  )
  writeFileSync(join(root, 'build/SHA256SUMS'), sums.join(''))
  console.log(`\nBuilt, with build/SHA256SUMS: ${built.map(file => basename(file)).join(', ') || 'none'}`)
  if (failed.length === 0) return
  console.error(`Not built: ${failed.join(', ')}. Build again where npm reaches its registry, or on such a system.`)
  process.exitCode = 1
}

function buildOne(target, outfile, order) {
  const name = target === undefined ? 'relay' : `relay-${target}${target.startsWith('windows') ? '.exe' : ''}`
  const file = outfile ?? join(root, 'build', name)
  compile(file, ...order, ...(target === undefined ? [] : [`--target=bun-${target}`, ...runtimeFor(target)]))
  return file
}

/**
 * The bun of another system comes from npm, which checks what it loads. bun's own download knows neither the registry
 * nor the proxy that npm is set up for.
 */
function runtimeFor(target) {
  // The bun that builds is the one of this system.
  if (target === `${process.platform.replace('win32', 'windows')}-${process.arch}`) return []
  const name = `bun-${target.replace('arm64', 'aarch64')}`
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/bun/package.json'), 'utf8'))
  const place = join(root, 'build/runtimes', version)
  const program = join(place, `node_modules/@oven/${name}/bin/${target.startsWith('windows') ? 'bun.exe' : 'bun'}`)
  if (!existsSync(program)) {
    // It is for another system, which npm takes for a mistake.
    const install = ['install', '--prefix', place, '--force', '--no-save', '--no-audit', '--no-fund', '--silent']
    run('npm', [...install, `@oven/${name}@${version}`], { shell: process.platform === 'win32' })
  }
  return ['--compile-executable-path', program]
}

function compile(file, ...more) {
  run(`${root}node_modules/.bin/bun`, [
    ...['build', '--compile', '--minify', '--bytecode', '--format=esm', '--splitting'],
    // Most of relay's code runs once or a few times. Compiling it to machine code so soon as bun would do takes longer
    // than it saves; at twenty-four times that, what does run often (thousands of files) loses nothing.
    '--compile-jit-policy=24',
    // A binary that looked for them would run the `preload` script of the bunfig.toml in whatever project it is used.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    ...more,
    ...[join(modules, 'relay.mjs'), '--outfile', file],
  ])
}

function run(program, args, options = {}) {
  const stdio = ['ignore', 'inherit', 'inherit']
  const { status, error } = spawnSync(program, args, { cwd: root, stdio, ...options })
  if (error !== undefined) throw new Error(`${basename(program)} did not start: ${error.message}. Run \`npm ci\`.`)
  if (status !== 0) throw new Error(`${basename(program)} ended with ${status}`)
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
