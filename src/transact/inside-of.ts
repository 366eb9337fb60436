import { relative } from 'node:path'

/** The path below the root, `''` for the root itself, or `undefined` when it is not below it. */
export function insideOf(root: string, real: string): string | undefined {
  const path = relative(root, real)
  if (path === '..' || path.startsWith('../') || path.startsWith('..\\') || path.startsWith('/')) return undefined
  return path.replaceAll('\\', '/')
}
