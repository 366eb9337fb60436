import { join } from 'node:path'
import { toolFolders } from '../../ground/paths.ts'
import type { Files, Stat } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'

/** One thing below the root: its path relative to it, with `/`. */
export interface Found {
  readonly path: string
  readonly stat: Stat
}

/**
 * Folders with these names are a tool's only beside the file that shows that the tool works there. Elsewhere people
 * wrote the files in them (`src/target/`), and leaving them out would let errors through; a folder too many only costs
 * time.
 */
const outputs: readonly (readonly [folders: RegExp, sign: RegExp])[] = [
  [/^target$/, /^(?:Cargo\.toml|pom\.xml|build\.sbt|project\.clj)$/],
  [/^(?:coverage|\.cache)$/, /^package\.json$/],
]

interface WalkOptions {
  /** When it aborts, nothing more is looked at. */
  readonly signal: AbortSignal
  /** Folders to walk first. */
  readonly first?: readonly string[]
}

/** The limit of files and folders, so that a slow disk does not take too long. */
const mostLooks = 25_000

/**
 * Everything below the root that people write, a folder at a time, outer folders first. Folders that tools fill are
 * listed but not entered. Whatever cannot be read, such as another user's folder, is passed over. `undefined` means
 * that something was left out: it was too much, or the signal aborted.
 */
export async function* walkProject(
  root: string,
  files: Files,
  { signal, first = [] }: WalkOptions,
): AsyncGenerator<readonly Found[] | undefined> {
  const folders = new Set([...first, ''])
  let looks = 0
  for (const folder of folders) {
    const names = (await files.list(join(root, folder)).catch(() => null)) ?? []
    // A folder that alone exceeds the limit holds data; the others are still walked.
    if (names.length > mostLooks) {
      yield undefined
      continue
    }
    looks += names.length
    if (looks > mostLooks) return yield undefined
    const found: Found[] = []
    const look = async (name: string) => {
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = await files.stat(join(root, path)).catch(() => null)
      if (stat === null) return
      found.push({ path, stat })
      if (stat.kind === 'folder' && !toolFolders.test(name) && !isOutput(name, names)) folders.add(path)
    }
    await inFlight(names, look, signal)
    if (signal.aborted) return yield undefined
    yield found
  }
}

function isOutput(folder: string, beside: readonly string[]): boolean {
  return outputs.some(([folders, sign]) => folders.test(folder) && beside.some(name => sign.test(name)))
}
