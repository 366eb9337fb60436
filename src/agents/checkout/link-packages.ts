import { dirname, join, relative, resolve } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import type { Listed } from '../../ports.ts'
import type { Doors } from './program.ts'
import type { Sides } from './sides.ts'

/**
 * Makes a `node_modules` with one link for each package. A link leads to the user's package; a workspace package leads to the
 * checkout's own folder. Gives `false` where the user has no `node_modules`, or the project's files include one.
 *
 * The package manager's notes about the folder and its store are left out: it would take the folder for its own work, and write
 * into the user's. Caches are left out as well.
 */
export async function linkPackages(path: string, isOurs: boolean, sides: Sides, system: Doors): Promise<boolean> {
  const { files } = system
  const from = await files.realPath(join(sides.top, path))
  const to = join(sides.work, path)
  if (from === null) return false
  // The agent has removed the package, or put a link on the way to it.
  if ((await files.realPath(dirname(to))) !== dirname(to)) return isOurs
  if (!isOurs && (await files.stat(to)) !== null) return false
  await inFolder(from, to, linkEntries, sides, system)
  return true
}

const none: Listed = { links: [], folders: [] }

const leftBehind = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '.tmp', '.pnpm', '.bun', '.store', '.deno'])

async function linkEntries(from: string, to: string, sides: Sides, system: Doors): Promise<void> {
  const { files } = system
  const found = (await files.listKinds(from)) ?? none
  for (const name of found.folders.filter(each => !leftBehind.has(each))) {
    if (name === '.bin') await inFolder(join(from, name), join(to, name), linkPrograms, sides, system)
    else if (name.startsWith('@')) await inFolder(join(from, name), join(to, name), linkEntries, sides, system)
    else await files.symlink(join(from, name), join(to, name))
  }
  for (const name of found.links.filter(each => !leftBehind.has(each))) {
    const real = await files.realPath(join(from, name))
    if (real !== null) await files.symlink(await inCheckout(real, to, sides, system), join(to, name))
  }
}

/** Fills a folder, unless the agent has put something else there. */
async function inFolder(
  from: string,
  to: string,
  fill: typeof linkEntries,
  sides: Sides,
  system: Doors,
): Promise<void> {
  const { files } = system
  if ((await files.makeFolder(to)) || (await files.stat(to))?.kind === 'folder') await fill(from, to, sides, system)
}

/**
 * The target for a link in `folder`. A target inside `node_modules` stays: it belongs to a package manager, not to the project.
 */
async function inCheckout(real: string, folder: string, { top, work }: Sides, { files }: Doors): Promise<string> {
  const path = insideOf(top, real)
  if (path === undefined || path.split('/').includes('node_modules')) return real
  const own = join(work, path)
  // Files that git ignores are not in the checkout.
  return (await files.stat(own)) === null ? real : relative(folder, own)
}

/**
 * A link that leads into the project is made relative, so that it finds its package through the links above it. For a plain
 * script, the path by which it is called does that.
 */
async function linkPrograms(from: string, to: string, { top, work }: Sides, { files }: Doors): Promise<void> {
  const { links } = (await files.listKinds(from)) ?? none
  for (const name of (await files.list(from)) ?? []) {
    const place = join(from, name)
    const target = links.includes(name) ? resolve(from, await files.readLink(place)) : place
    const path = links.includes(name) ? insideOf(top, target) : undefined
    await files.symlink(path === undefined ? target : relative(to, join(work, path)), join(to, name))
  }
}
