// `npm run build:binary`: the program and its runtime as one file, build/relay, made by bun. For another system:
// `npm run build:binary -- --target bun-linux-arm64` (or -linux-x64-musl, -darwin-arm64, -windows-x64, …).
import { spawnSync } from 'node:child_process'
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

const { status, error } = spawnSync(
  `${root}node_modules/.bin/bun`,
  [
    ...['build', '--compile', '--minify', '--bytecode', '--format=esm', '--splitting'],
    // Most of relay's code runs once or a few times. Compiling it to machine code so soon as bun would do takes longer
    // than it saves; at eight times that, what does run often (thousands of files) still loses nothing.
    '--compile-jit-policy=8',
    // A binary that looked for them would run the `preload` script of the bunfig.toml in whatever project it is used.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    ...(target === undefined ? [] : [`--target=${target}`]),
    ...[join(modules, 'relay.mjs'), '--outfile', outfile],
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
if (error !== undefined) console.error(`Cannot run bun: ${error.message}. Install it with \`npm ci\`.`)
process.exitCode = status ?? 1
