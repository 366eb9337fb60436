import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'rolldown'

/** The YAML library as modules: of them only what relay uses is bundled. For Node it brings CommonJS, taken as a whole. */
const yamlModules = join(import.meta.dirname, 'node_modules/yaml/browser/dist/index.js')
/** For Node it brings UMD, whose parts a bundler does not find. */
const jsonModules = join(import.meta.dirname, 'node_modules/jsonc-parser/lib/esm/main.js')

/** The program as one entry and chunks that load when they are needed; nothing of `node_modules` is needed to run it. */
export default defineConfig({
  input: { relay: 'bin/relay.ts' },
  platform: 'node',
  resolve: { alias: { yaml: yamlModules, 'jsonc-parser': jsonModules } },
  output: {
    dir: 'dist',
    cleanDir: true,
    // Node starts CommonJS a quarter faster than its own modules.
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    minify: true,
  },
  plugins: [leanCommander(), leanChalk(), leanSecretlint(), licences(), executable()],
})

/** Commander needs `child_process` only for commands that are programs of their own. Loading it costs each start 4 ms. */
function leanCommander() {
  return {
    name: 'lean-commander',
    transform: {
      filter: { id: /node_modules\/commander\/lib\/command\.js$/ },
      handler(code) {
        const lean = code.replace("require('node:child_process')", '{}')
        if (lean === code) throw new Error('commander no longer loads child_process: leanCommander can go')
        return lean
      },
    },
  }
}

/** What chalk finds out about the process is not used: relay gives it the level. Finding out costs each command 4 ms. */
function leanChalk() {
  return {
    name: 'lean-chalk',
    load: {
      filter: { id: /node_modules\/chalk\/source\/vendor\/supports-color\/index\.js$/ },
      handler: () => 'export default { stdout: false, stderr: false }',
    },
  }
}

/** secretlint's profiler takes the time of each rule for each file, and looks through all of them with each: 10,000 files take minutes. */
function leanSecretlint() {
  return {
    name: 'lean-secretlint',
    load: {
      filter: { id: /node_modules\/@secretlint\/profiler\/module\/node\.js$/ },
      handler: () => 'export const secretLintProfiler = { mark() {} }',
    },
  }
}

/** npm makes the program executable once, when it links or installs it; each later build writes a new file. */
function executable() {
  return {
    name: 'executable',
    writeBundle({ dir }, bundle) {
      for (const { isEntry, fileName } of Object.values(bundle)) if (isEntry) chmodSync(join(dir, fileName), 0o755)
    },
  }
}

/** The licences of what is bundled, as they ask for it, in `dist/LICENSES.txt`. */
function licences() {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const packages = new Map()
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const folder = packageOf(id)
          if (folder !== undefined) packages.set(folder, licenceOf(folder))
        }
      }
      const source = [...packages.values()].sort().join(`\n\n${'-'.repeat(80)}\n\n`)
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
    },
  }
}

function packageOf(id) {
  if (!id.includes('/node_modules/')) return undefined
  let folder = dirname(id)
  // A nameless package.json only says how its folder is to be read.
  while (!existsSync(join(folder, 'package.json')) || !readPackage(folder).name) folder = dirname(folder)
  return folder
}

function licenceOf(folder) {
  const { name, version, license } = readPackage(folder)
  const file = ['license', 'LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license.md', 'LICENCE'].find(each =>
    existsSync(join(folder, each)),
  )
  return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}`
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
