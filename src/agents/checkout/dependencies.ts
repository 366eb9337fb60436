import { join } from 'node:path'
import type { CheckoutSettings } from '../../model/project.ts'
import type { Lack } from '../../model/task.ts'
import { copyMatching } from './copy-matching.ts'
import { type Dependencies, noDependencies, noteDependencies, readDependencies } from './dependencies-note.ts'
import { linkEnvironments } from './link-environments.ts'
import { linkPackages } from './link-packages.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { linkAt, type Sides } from './sides.ts'
import { isNamed, packageFiles, pythonFiles, type WorkTree } from './work-tree.ts'

/**
 * Puts into a checkout what its programs need and git does not keep: packages, virtual environments, and what the configuration
 * names. Leaves the project's own files alone. A second call brings the dependencies up to date.
 *
 * The links lead to the user's folders. That has two limits. First, an agent that writes through a link writes into the user's
 * folder: `pip install` does so in a `.venv`; npm and pnpm replace a link by a folder. Second, a third-party package that
 * imports a package of the project gets the user's, because it searches from the place where it really lies.
 *
 * The agent may remove and replace all of it.
 */
export async function layDependencies(
  work: WorkTree,
  own: PrivateRepository,
  settings: CheckoutSettings,
  system: Doors,
): Promise<Dependencies> {
  const before = await readDependencies(own, system)
  const sides = { top: own.top, work: work.folder }
  const wanted = await linkWanted(settings.link, own.prefix, before, sides, system)
  const copied = await copyMatching(settings.copy, own.prefix, before.copied, sides, system)
  const files = await work.filesOfNote()
  const packages: string[] = []
  for (const folder of foldersOf(files, packageFiles, own)) {
    const path = `${folder}node_modules`
    if (await linkPackages(path, before.linked.includes(path), sides, system)) packages.push(path)
  }
  // A setup command must not install into the user's virtual environment.
  const environments =
    settings.setup.trim() === ''
      ? await linkEnvironments(foldersOf(files, pythonFiles, own), before, sides, system)
      : noDependencies
  const laid: Dependencies = {
    linked: [...new Set([...wanted.linked, ...packages, ...environments.linked])],
    copied,
    missing: [...wanted.missing, ...environments.missing],
  }
  for (const path of before.linked.filter(each => !laid.linked.includes(each))) {
    const link = join(work.folder, path)
    if ((await system.files.stat(link))?.kind === 'link') await system.files.remove(link)
  }
  await noteDependencies(laid, own, system)
  return laid
}

/** The top, the project's root, and each folder with a file of one of these names. A path is empty, or ends with a slash. */
function foldersOf(files: readonly string[], names: readonly string[], { prefix }: PrivateRepository) {
  const those = files.filter(path => isNamed(path, names))
  return [...new Set(['', prefix, ...those.map(path => path.slice(0, path.lastIndexOf('/') + 1))])]
}

async function linkWanted(
  places: readonly string[],
  prefix: string,
  before: Dependencies,
  sides: Sides,
  system: Doors,
): Promise<Pick<Dependencies, 'linked' | 'missing'>> {
  const linked: string[] = []
  const missing: Lack[] = []
  for (const path of new Set(places.map(place => prefix + place.replace(/\/+$/, '')))) {
    const real = await system.files.realPath(join(sides.top, path))
    if (real === null) continue
    if ((await linkAt(path, real, sides, system)) || before.linked.includes(path)) linked.push(path)
    else missing.push({ path, why: 'tracked' })
  }
  return { linked, missing }
}
