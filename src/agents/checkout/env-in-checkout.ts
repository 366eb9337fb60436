import { join } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import { pathWith, programFolders } from '../../ground/program-folders.ts'
import type { Sides } from './sides.ts'

/**
 * The environment for programs that run in a checkout. A path variable that leads into the user's folder (an active `.venv`,
 * `node_modules/.bin` in PATH) leads into the checkout instead: otherwise a check would run the user's code. At the end of PATH
 * stand the folders of the checkout's own programs. Variables that point git to the user's repository, as they do inside a git
 * hook, are left out.
 *
 * @param prefix leads from the top to the project
 */
export function envInCheckout(
  env: Readonly<Record<string, string>>,
  { top, work }: Sides,
  prefix: string,
): Record<string, string> {
  const led = (path: string) => {
    const inside = path.startsWith('/') ? insideOf(top, path) : undefined
    return inside === undefined ? path : join(work, inside)
  }
  const kept = Object.entries(env).filter(([name]) => !naming.test(name))
  const all = kept.map(([name, value]) => [name, leading.test(name) ? each(value, led) : value] as const)
  const inside = Object.fromEntries(all)
  return { ...inside, ...pathWith(programFolders(join(work, prefix.replace(/\/$/, '')), work), inside) }
}

/**
 * Overrides that give a shell command exactly `env`: the shell also gets relay's own environment, so variables of `given` that
 * `env` lacks are set to `undefined`.
 */
export function insteadOf(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...Object.fromEntries(Object.keys(given).map(name => [name, undefined])), ...env }
}

const leading = /PATH$|^(?:VIRTUAL_ENV|PWD|INIT_CWD)$/

/** Variables that choose git's repository, whatever the current folder. */
const naming = /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|PREFIX|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|NAMESPACE)$/

function each(list: string, change: (path: string) => string): string {
  return list.split(':').map(change).join(':')
}
