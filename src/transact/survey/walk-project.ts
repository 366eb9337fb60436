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
 * Names that could be anybody's are a tool's only beside the file that shows that it works there: elsewhere people have
 * written what is in them (`src/target/`), and what is not looked at lets errors through. One too many only costs time.
 */
const outputs: readonly (readonly [folders: RegExp, sign: RegExp])[] = [
  [/^target$/, /^(?:Cargo\.toml|pom\.xml|build\.sbt|project\.clj)$/],
  [/^(?:coverage|\.cache)$/, /^package\.json$/],
]

interface WalkOptions {
  /** When it aborts, nothing more is looked at. */
  readonly signal: AbortSignal
  /** The folders to begin with. */
  readonly first?: readonly string[]
}

/** More than this is not looked at: noticing must stay cheap, also on a disk that takes its time with each look. */
const mostLooks = 25_000

/**
 * All that people write below the root, a folder at a time, the outer ones first; the folders that tools fill are named
 * and not entered. What cannot be looked at, such as another user's folder, is passed over. `undefined` stands for what is
 * left out: it is too much, or the signal aborted.
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
    // One that is too much by itself holds data, and keeps nobody from looking at the others.
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
