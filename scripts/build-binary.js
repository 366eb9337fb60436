// `npm run build:binary`: the bundle in dist/ and its runtime as one file, build/relay, made by bun. For another system:
// `npm run build:binary -- --target bun-linux-arm64` (or -linux-x64-musl, -darwin-arm64, -windows-x64, …).
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const target = values.target === undefined || values.target.startsWith('bun-') ? values.target : `bun-${values.target}`
const name = target === undefined ? 'relay' : `relay-${target.slice('bun-'.length)}`
const outfile = values.outfile ?? `${root}build/${name}`

mkdirSync(`${root}build`, { recursive: true })
const { status, error } = spawnSync(
  `${root}node_modules/.bin/bun`,
  [
    ...['build', '--compile', '--minify', '--bytecode', '--format=esm'],
    // A binary that looked for them would run the `preload` script of the bunfig.toml in whatever project it is used.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    ...(target === undefined ? [] : [`--target=${target}`]),
    ...['dist/relay.cjs', '--outfile', outfile],
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
if (error !== undefined) console.error(`Cannot run bun: ${error.message}. Install it with \`npm ci\`.`)
process.exitCode = status ?? 1
