/** Where links lead, on a terminal that shows them. */
export interface Links {
  /** The project's folder. */
  readonly root: string
  /** The terminal opens a file at a line. */
  readonly lines: boolean
}

/**
 * A text that a click opens the file of (OSC 8); the text itself where the file is not one of the project's. `path` may
 * be any text: it is encoded whole, and what leads out of the project gets no link.
 */
export function fileLink(
  text: string,
  { path, line }: { path: string; line?: number | undefined },
  links: Links,
): string {
  const url = urlOf(path, links)
  if (url === undefined) return text
  const fragment = links.lines && line !== undefined ? `#${line}` : ''
  return `\x1b]8;;${url}${fragment}\x1b\\${text}\x1b]8;;\x1b\\`
}

function urlOf(path: string, { root }: Links): string | undefined {
  const isWindows = /^[A-Za-z]:\\/.test(root)
  const [from, to] = isWindows ? [root, path].map(each => each.replaceAll('\\', '/')) : [root, path]
  if (from === undefined || to === undefined || /\p{Cs}/u.test(from + to)) return undefined
  const isAbsolute = to.startsWith('/') || /^[A-Za-z]:\//.test(to)
  const parts = (isAbsolute ? to : `${from}/${to}`).split('/')
  if (parts.includes('..') || !parts.join('/').startsWith(`${from}/`)) return undefined
  const encoded = parts.map(part => encodeURIComponent(part).replaceAll('%3A', ':')).join('/')
  return `file://${encoded.startsWith('/') ? '' : '/'}${encoded}`
}
