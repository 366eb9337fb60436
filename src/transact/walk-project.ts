import { join } from 'node:path'
import type { Files, Stat } from '../ports.ts'
import { inFlight } from './in-flight.ts'

/** One thing below the root: its path relative to it, with `/`. */
export interface Found {
  readonly path: string
  readonly stat: Stat
}

/** Folders that hold what tools make, not what people write, wherever they are. */
const passedOver = new Set(['.git', '.hg', '.svn', '.relaycode', 'node_modules', '.venv'])

/**
 * These are a tool's only beside the file that shows that the tool works there: elsewhere people have written what is in
 * them (`src/target/`), and what is not looked at lets errors through. A folder too many only costs time.
 */
const outputs: readonly (readonly [folders: RegExp, sign: RegExp])[] = [
  [/^target$/, /^(?:Cargo\.toml|pom\.xml|build\.sbt|project\.clj)$/],
  [/^\.gradle$/, /^(?:build|settings)\.gradle(?:\.kts)?$/],
  [/^(?:coverage|\.nyc_output|\.cache|\.turbo|\.next|\.nuxt)$/, /^package\.json$/],
  [/^__pycache__$/, /\.py$/],
  [
    /^\.(?:tox|(?:mypy|ruff|pytest)_cache)$/,
    /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|.*\.ini|\.?ruff\.toml)$/,
  ],
]

/**
 * All that people write below the root, a folder at a time, in no order; the folders that tools fill are named and not
 * entered. What cannot be looked at, such as another user's folder, is passed over.
 */
export async function* walkProject(root: string, files: Files): AsyncGenerator<readonly Found[]> {
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const names = (await files.list(join(root, folder)).catch(() => null)) ?? []
    const found: Found[] = []
    const look = async (name: string) => {
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = await files.stat(join(root, path)).catch(() => null)
      if (stat === null) return
      found.push({ path, stat })
      if (stat.kind === 'folder' && !passedOver.has(name) && !isOutput(name, names)) folders.push(path)
    }
    await inFlight(names, look)
    yield found
  }
}

function isOutput(folder: string, beside: readonly string[]): boolean {
  return outputs.some(([folders, sign]) => folders.test(folder) && beside.some(name => sign.test(name)))
}
