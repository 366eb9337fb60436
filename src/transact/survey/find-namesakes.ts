import { basename, join } from 'node:path'
import { inFlight } from '../disk/in-flight.ts'
import type { Layout } from '../layout/layout.ts'
import { walkProject } from './walk-project.ts'

/** A file that is called as another one, in another folder. */
interface Namesake {
  readonly path: string
  readonly text: string
}

/** A larger one is data. */
const mostBytes = 5_000_000

/** The files of the project that are called as the last part of one of these paths, by that name. */
export async function findNamesakes(
  paths: readonly string[],
  { root, files }: Layout,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Namesake[]>> {
  const named = new Map(paths.map((path): [string, Namesake[]] => [basename(path), []]))
  if (named.size === 0) return named
  for await (const found of walkProject(root, files, { signal })) {
    const alike = (found ?? []).filter(
      ({ path, stat }) => stat.kind === 'file' && stat.size <= mostBytes && named.has(basename(path)),
    )
    await inFlight(alike, async ({ path }) => {
      const seen = await files.inspect(join(root, path)).catch(() => null)
      if (seen?.kind === 'file') named.get(basename(path))?.push({ path, text: Buffer.from(seen.bytes).toString() })
    })
  }
  return named
}
