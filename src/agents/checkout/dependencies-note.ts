import { readNote, writeNote } from '../../kept-outside.ts'
import type { Lack } from '../../model/task.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { readSetupNote } from './set-up.ts'

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

export async function noteDependencies(laid: Dependencies, { at }: PrivateRepository, system: Doors): Promise<void> {
  await writeNote(at(name), laid, system, { sync: false })
}

/** What was laid before. */
export async function readDependencies({ at }: PrivateRepository, system: Doors): Promise<Dependencies> {
  return ((await readNote(at(name), system)) as Dependencies | undefined) ?? noDependencies
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
