import { isAbsolute, relative } from 'node:path'

/**
 * The path below the root, with slashes, `''` for the root itself, or `undefined` when it is not below it. On Windows it
 * may be on another drive.
 */
export function insideOf(root: string, real: string): string | undefined {
  const path = relative(root, real)
  if (path === '..' || path.startsWith('../') || path.startsWith('..\\') || isAbsolute(path)) return undefined
  return path.replaceAll('\\', '/')
}
