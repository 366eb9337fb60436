import { RelayError } from '../../errors.ts'
import { type Doors, runProgram } from './program.ts'

/**
 * Removes files and folders with all that is in them. An agent may have left folders that nobody may write into. No link is
 * followed, but none of the paths may be one itself.
 */
export async function removeAll(paths: readonly string[], cwd: string, system: Doors): Promise<void> {
  const found = await Promise.all(paths.map(async path => ((await system.files.stat(path)) === null ? [] : [path])))
  const there = found.flat()
  const remove = () => runProgram(['rm', '-rf', '--', ...there], { cwd }, system)
  if (there.length === 0 || (await remove()).code === 0) return
  await runProgram(['chmod', '-R', 'u+rwx', '--', ...there], { cwd }, system)
  const { code, err } = await remove()
  if (code !== 0) throw new RelayError('failed', `Cannot remove the checkout: ${err}`)
}
