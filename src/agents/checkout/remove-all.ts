import { RelayError } from '../../errors.ts'
import { type Doors, runProgram } from './program.ts'

/** Removes files, links and whole folders, also where an agent left folders without write permission. Follows no link. */
export async function removeAll(paths: readonly string[], cwd: string, system: Doors): Promise<void> {
  const found = await Promise.all(paths.map(async path => ({ path, kind: (await system.files.stat(path))?.kind })))
  const there = found.filter(({ kind }) => kind !== undefined)
  const remove = () => runProgram(['rm', '-rf', '--', ...there.map(({ path }) => path)], { cwd }, system)
  if (there.length === 0 || (await remove()).code === 0) return
  const folders = there.filter(({ kind }) => kind === 'folder').map(({ path }) => path)
  if (folders.length > 0) await runProgram(['chmod', '-R', 'u+rwx', '--', ...folders], { cwd }, system)
  const { code, err } = await remove()
  if (code === 0) return
  throw new RelayError('environment', `Cannot remove the checkout: ${err}`, { hint: 'Remove it by hand.' })
}
