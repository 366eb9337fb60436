/** A path as people write it: their own folder is `~`. */
export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path
  if (path === home) return '~'
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
