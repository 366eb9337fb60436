import { join } from 'node:path'
import { insideOf } from '../../ground/inside-of.ts'
import type { Sides } from './sides.ts'

/**
 * The environment for what runs in a checkout: where a variable for programs leads into the user's folder (an active `.venv`,
 * `node_modules/.bin` on the PATH), it leads into the checkout. Else a check would run the user's code. And no variable tells
 * git of the user's repository, as they do in a hook of git's.
 */
export function envInCheckout(env: Readonly<Record<string, string>>, { top, work }: Sides): Record<string, string> {
  const led = (path: string) => {
    const inside = path.startsWith('/') ? insideOf(top, path) : undefined
    return inside === undefined ? path : join(work, inside)
  }
  const kept = Object.entries(env).filter(([name]) => !naming.test(name))
  const all = kept.map(([name, value]) => [name, leading.test(name) ? each(value, led) : value] as const)
  return Object.fromEntries(all)
}

/** An environment for a command in a shell, which has relay's as well: what is not in this one is taken out. */
export function insteadOf(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...Object.fromEntries(Object.keys(given).map(name => [name, undefined])), ...env }
}

const leading = /PATH$|^(?:VIRTUAL_ENV|PWD|INIT_CWD)$/

/** Which repository git works with, whatever folder it stands in. */
const naming = /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|PREFIX|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|NAMESPACE)$/

function each(list: string, change: (path: string) => string): string {
  return list.split(':').map(change).join(':')
}
