import { isRecord } from '../../ground/is-record.ts'
import { parseJson } from '../../ground/parse-json.ts'
import type { Lack } from '../../model/task.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { readSetupNote } from './set-up.ts'
import { textOf } from './users-repository.ts'

/** What a checkout got beside the files that git knows. Paths are relative to its top. */
export interface Dependencies {
  /** What leads to the user's: a whole folder, or a `node_modules` with a link for each package. */
  readonly linked: readonly string[]
  readonly copied: readonly string[]
  /** What a check needs and does not find, or would find in the user's state and not in the agent's. */
  readonly missing: readonly Lack[]
}

export const noDependencies: Dependencies = { linked: [], copied: [], missing: [] }

const name = 'dependencies.json'

export async function noteDependencies(laid: Dependencies, { at }: PrivateRepository, { files }: Doors): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(laid)}\n`)
  await files.replace(at(name), bytes, at(`${name}.new`), { mode: 0o600, sync: false })
}

/** What was laid before. */
export async function readDependencies({ at }: PrivateRepository, system: Doors): Promise<Dependencies> {
  const found = parseJson((await textOf(at(name), system)) ?? '')
  return isRecord(found) ? (found as unknown as Dependencies) : noDependencies
}

/**
 * Tells of a path whether it is none of the project's: it belongs to what was laid, or the setup made it. Nothing of that is
 * ever part of a change.
 */
export async function beside(own: PrivateRepository, system: Doors): Promise<(path: string) => boolean> {
  const { linked, copied } = await readDependencies(own, system)
  const all = new Set([...linked, ...copied, ...(await readSetupNote(own, system)).made])
  return path => {
    const parts = path.split('/')
    return all.has(path) || parts.some((_, at) => all.has(parts.slice(0, at + 1).join('/')))
  }
}
