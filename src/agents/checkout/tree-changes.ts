import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { PathState } from '../../model/plan.ts'
import { submodule } from './folder-tree.ts'
import type { Git } from './git.ts'
import type { Doors } from './program.ts'

/** Where git writes contents, one file each, so that relay can read them as bytes. */
export interface Contents {
  readonly folder: string
  /** Git in that folder, with an index that does not exist yet. */
  readonly git: Git
}

/**
 * The differences between two trees, by paths from their top. A moved file counts as one deleted and one new. Of the permission
 * bits, git keeps only the executable bit.
 */
export async function changesBetween(
  [base, made]: readonly [base: string, made: string],
  contents: Contents,
  system: Doors,
): Promise<readonly AgentChange[]> {
  if (base === made) return []
  const raw = await contents.git(['diff-tree', '-r', '-z', '--no-renames', '--raw', base, made])
  const entries = [...raw.matchAll(/:([0-7]+) ([0-7]+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*\0([^\0]*)\0/g)].map(
    ([, baseMode = '', madeMode = '', baseName = '', madeName = '', path = '']) => ({
      path,
      base: { mode: baseMode, name: baseName },
      made: { mode: madeMode, name: madeName },
    }),
  )
  const repository = entries.find(({ base, made }) => base.mode === submodule || made.mode === submodule)
  if (repository !== undefined) {
    throw new RelayError('agent', `The agent made a git repository inside the project, in ${repository.path}/`)
  }
  const bytesOf = await readContents(
    entries.flatMap(({ base, made }) => [base, made]),
    contents,
    system,
  )
  const stateOf = ({ mode, name }: Named): PathState => {
    const bytes = bytesOf.get(name)
    if (mode === absent || bytes === undefined) return null
    if (mode === '120000') return { kind: 'link', to: new TextDecoder().decode(bytes) }
    return { kind: 'file', bytes, mode: mode === '100755' ? 0o755 : 0o644 }
  }
  return entries.map(({ path, base, made }) => ({ path, base: stateOf(base), made: stateOf(made) }))
}

/** One side of a difference, as git prints it: the mode, and the hash of the content. */
interface Named {
  readonly mode: string
  readonly name: string
}

const absent = '000000'

/** The `Programs` port carries text only. So git writes each content to a file with its hash as the name. */
async function readContents(
  all: readonly Named[],
  { git, folder }: Contents,
  { files }: Doors,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = [...new Set(all.filter(({ mode }) => mode !== absent).map(({ name }) => name))]
  await git(['update-index', '-z', '--index-info'], names.map(name => `100644 ${name}\t${name}\0`).join(''))
  await git(['checkout-index', '--all', '--force', '--quiet'])
  const read = names.map(async name => {
    const bytes = await files.read(join(folder, name))
    if (bytes === null) throw new RelayError('failed', `git wrote no content ${name}`)
    return [name, bytes] as const
  })
  return new Map(await Promise.all(read))
}
