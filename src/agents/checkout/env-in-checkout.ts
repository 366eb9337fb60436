import { join } from 'node:path'
import { insideOf } from '../../ground/inside-of.ts'
import type { Sides } from './sides.ts'

/**
 * The environment for what runs in a checkout: where a variable for programs leads into the user's folder (an active `.venv`,
 * `node_modules/.bin` on the PATH), it leads into the checkout. Else a check would run the user's code.
 */
export function envInCheckout(env: Readonly<Record<string, string>>, { top, work }: Sides): Record<string, string> {
  const led = (path: string) => {
    const inside = path.startsWith('/') ? insideOf(top, path) : undefined
    return inside === undefined ? path : join(work, inside)
  }
  const all = Object.entries(env).map(([name, value]) => [name, leading.test(name) ? each(value, led) : value] as const)
  return Object.fromEntries(all)
}

const leading = /PATH$|^(?:VIRTUAL_ENV|PWD|INIT_CWD)$/

function each(list: string, change: (path: string) => string): string {
  return list.split(':').map(change).join(':')
}
