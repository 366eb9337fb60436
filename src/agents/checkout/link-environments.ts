import { join } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import type { Lack } from '../../model/task.ts'
import type { Dependencies } from './dependencies-note.ts'
import type { Doors } from './program.ts'
import { linkAt, type Sides } from './sides.ts'
import { whatNames } from './virtual-environment.ts'

/**
 * Links the virtual environments in these folders, except those that have the project itself installed: with them, Python would
 * import the user's files. Reports these as missing, and also active environments elsewhere that have it installed.
 */
export async function linkEnvironments(
  folders: readonly string[],
  before: Dependencies,
  sides: Sides,
  system: Doors,
): Promise<Dependencies> {
  const linked: string[] = []
  const missing: Lack[] = []
  for (const path of folders.flatMap(folder => [`${folder}.venv`, `${folder}venv`])) {
    const real = await system.files.realPath(join(sides.top, path))
    if (real === null || (await system.files.stat(join(real, 'pyvenv.cfg'))) === null) continue
    const because = await whatNames(sides.top, real, system)
    if (because !== undefined) missing.push({ path, why: 'installed', because })
    else if ((await linkAt(path, real, sides, system)) || before.linked.includes(path)) linked.push(path)
  }
  return { linked, copied: [], missing: [...missing, ...(await activeOnes(sides, system))] }
}

async function activeOnes({ top }: Sides, system: Doors): Promise<readonly Lack[]> {
  const { env, home } = system
  const active = [env['VIRTUAL_ENV'], env['CONDA_PREFIX'], home === undefined ? undefined : join(home, '.local')]
  const missing: Lack[] = []
  for (const path of active) {
    const real = path === undefined ? null : await system.files.realPath(path)
    if (path === undefined || real === null || insideOf(top, real) !== undefined) continue
    const because = await whatNames(top, real, system)
    if (because !== undefined) missing.push({ path, why: 'installed', because })
  }
  return missing
}
