/**
 * Names a file as the project does: relative to its root, with `/`.
 *
 * Tools name the same file in different ways (`./a.ts`, `/home/me/app/a.ts`), some in another way on another run.
 */
export function relativePath(file: string, root: string | undefined): string {
  const path = slashes(file.startsWith('file://') ? file.slice(7) : file)
  const top = root === undefined ? '' : `${slashes(root).replace(/\/$/, '')}/`
  const inside = path.startsWith(top) ? path.slice(top.length) : path
  return inside.startsWith('./') ? inside.slice(2) : inside
}

/** A backslash parts folders only where the path is one of Windows'. */
function slashes(path: string): string {
  return /^[A-Za-z]:\\/.test(path) || !path.includes('/') ? path.replaceAll('\\', '/') : path
}
