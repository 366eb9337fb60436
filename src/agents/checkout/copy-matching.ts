import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { toolFolders } from '../../ground/paths.ts'
import { pathGlob } from '../../plan/path-glob.ts'
import { type Doors, runProgram } from './program.ts'
import { makeFolders, type Sides } from './sides.ts'

/**
 * Copies files and folders that match these globs from the project into the checkout, where the checkout does not have them
 * yet. Copies again those in `before`. Gives the copied paths, relative to the top.
 */
export async function copyMatching(
  globs: readonly string[],
  prefix: string,
  before: readonly string[],
  { top, work }: Sides,
  system: Doors,
): Promise<readonly string[]> {
  const { files } = system
  const isNamed = (path: string) => tests.some(matches => matches(path.slice(prefix.length)))
  const isFree = async (path: string) => before.includes(path) || (await files.stat(join(work, path))) === null
  const tests = globs.map(pathGlob)
  const named: string[] = []
  const walk = async (folder: string): Promise<void> => {
    const folders = new Set((await files.listKinds(join(top, folder)))?.folders)
    const names = (await files.list(join(top, folder))) ?? []
    for (const path of names.filter(name => !toolFolders.test(name)).map(name => folder + name)) {
      if (isNamed(path) && (await isFree(path))) named.push(path)
      else if (folders.has(path.slice(folder.length))) await walk(`${path}/`)
    }
  }
  if (globs.length > 0) await walk(prefix)
  const copied: string[] = []
  for (const path of named.toSorted()) {
    // A link on the way, made by the project or an agent, must not lead the copy elsewhere.
    if (!(await makeFolders(dirname(path), work, files))) continue
    await run(['rm', '-rf', '--', join(work, path)], system)
    await run(['cp', '-RPp', '--', join(top, path), join(work, path)], system)
    copied.push(path)
  }
  return copied
}

async function run(argv: readonly string[], system: Doors): Promise<void> {
  const { code, err } = await runProgram(argv, { cwd: '/' }, system)
  if (code !== 0) throw new RelayError('failed', `Cannot make the checkout ready: ${err}`)
}
