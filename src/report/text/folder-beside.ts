import { columnsOf } from './columns-of.ts'
import { cutPath } from './cut-line.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'

/** A project's folder as people write it, in the room that `name` leaves on the line. */
export function folderBeside(name: string, root: string, home: string | undefined, { columns, sign }: Style): string {
  return cutPath(visibleLine(shortPath(root, home)), Math.max(12, columns - columnsOf(name) - 3), sign.cut)
}

/** The user's home is `~`. */
function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path
  if (path === home) return '~'
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
