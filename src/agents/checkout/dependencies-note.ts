import type { Lack } from '../../model/task.ts'
import { readNote, writeNote } from '../../state-files.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { readSetupNote } from './set-up.ts'

/** What relay put into a checkout in addition to the files that git knows. Paths are relative to the top of the checkout. */
export interface Dependencies {
  /** Paths that lead to the user's files: a linked folder, or a `node_modules` with one link for each package. */
  readonly linked: readonly string[]
  readonly copied: readonly string[]
  /** Dependencies that a check would not find, or would find with the user's code inside. */
  readonly missing: readonly Lack[]
}

export const noDependencies: Dependencies = { linked: [], copied: [], missing: [] }

const name = 'dependencies.json'

export async function noteDependencies(laid: Dependencies, { at }: PrivateRepository, system: Doors): Promise<void> {
  await writeNote(at(name), laid, system, { sync: false })
}

export async function readDependencies({ at }: PrivateRepository, system: Doors): Promise<Dependencies> {
  return ((await readNote(at(name), system)) as Dependencies | undefined) ?? noDependencies
}

/** Makes a test for paths that are never part of a change: dependencies that relay added, and files that the setup made. */
export async function beside(own: PrivateRepository, system: Doors): Promise<(path: string) => boolean> {
  const { linked, copied } = await readDependencies(own, system)
  const all = new Set([...linked, ...copied, ...(await readSetupNote(own, system)).made])
  return path => {
    const parts = path.split('/')
    return all.has(path) || parts.some((_, at) => all.has(parts.slice(0, at + 1).join('/')))
  }
}
