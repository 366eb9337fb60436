import { dirname, join } from 'node:path'
import { isRecord, parseJson } from '../../ground/json.ts'
import { foldersFrom } from '../../ground/paths.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { PathState } from '../../model/plan.ts'
import type { System } from '../../ports.ts'

/**
 * The packages that the work adds to a `package.json` and that are not installed in the user's folder: no check can find them,
 * since a copy of the project has the packages of that folder.
 */
export async function missingPackages(
  changes: readonly AgentChange[],
  root: string,
  { files }: Pick<System, 'files'>,
): Promise<readonly string[]> {
  const missing = new Set<string>()
  for (const { path, base, made } of changes) {
    if (path !== 'package.json' && !path.endsWith('/package.json')) continue
    const known = packagesIn(base)
    for (const name of packagesIn(made)) {
      if (known.has(name)) continue
      const places = foldersFrom(dirname(join(root, path))).map(folder => join(folder, 'node_modules', name))
      const found = await Promise.all(places.map(place => files.stat(place).catch(() => null)))
      if (found.every(stat => stat === null)) missing.add(name)
    }
  }
  return [...missing].sort()
}

/** A package of the workspace needs no installation. */
function packagesIn(state: PathState): ReadonlySet<string> {
  if (state?.kind !== 'file') return new Set()
  const text = parseJson(Buffer.from(state.bytes).toString('utf8'))
  const lists = ['dependencies', 'devDependencies'].map(key => (isRecord(text) ? text[key] : undefined))
  return new Set(
    lists.flatMap(list => {
      if (!isRecord(list)) return []
      return Object.keys(list).filter(name => !/^(?:workspace|file|link):/.test(String(list[name])))
    }),
  )
}
