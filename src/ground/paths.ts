import { dirname, isAbsolute, relative } from 'node:path'

/** A folder and those that it lies in, the nearest first. */
export function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}

/**
 * The path below the root, with slashes, `''` for the root itself, or `undefined` when it is not below it. On Windows it
 * may be on another drive.
 */
export function insideOf(root: string, real: string): string | undefined {
  const path = relative(root, real)
  if (path === '..' || path.startsWith('../') || path.startsWith('..\\') || isAbsolute(path)) return undefined
  return path.replaceAll('\\', '/')
}

/** Whether relay runs on Windows, by how the runtime names the system: `win32 x64`. */
export function isWindows({ platform }: { readonly platform: string }): boolean {
  return platform.startsWith('win32')
}

/** Folders that hold what tools make, not what people write, wherever they are. */
export const toolFolders =
  /^(?:\.git|\.hg|\.svn|\.relaycode|node_modules|\.venv|__pycache__|\.(?:nyc_output|turbo|next|nuxt|gradle|tox|(?:mypy|ruff|pytest)_cache))$/
