import { dirname, isAbsolute, relative } from 'node:path'

/** The folder and all folders above it, the nearest first. */
export function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}

/**
 * The path below the root, with slashes; `''` for the root itself, `undefined` for a path outside of it. On Windows
 * it may be on another drive.
 */
export function insideOf(root: string, real: string): string | undefined {
  const path = relative(root, real)
  if (path === '..' || path.startsWith('../') || path.startsWith('..\\') || isAbsolute(path)) return undefined
  return path.replaceAll('\\', '/')
}

/** The runtime names the system: `win32 x64`. */
export function isWindows({ platform }: { readonly platform: string }): boolean {
  return platform.startsWith('win32')
}

/** Tools make the contents of these folders, and people do not write in them. */
export const toolFolders =
  /^(?:\.git|\.hg|\.svn|\.relaycode|node_modules|\.venv|__pycache__|\.(?:nyc_output|turbo|next|nuxt|gradle|tox|(?:mypy|ruff|pytest)_cache))$/
