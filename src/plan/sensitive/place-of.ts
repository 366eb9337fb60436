import { foldPath } from '../fold-path.ts'

/** The one spelling of a word that is a path, folded: `./bin//lint` as `bin/lint`. */
export function placeOf(word: string): string {
  return pathOf(foldPath(word))
}

/** The same with its own letters, under which it can be looked for. */
export function pathOf(word: string): string {
  const parts: string[] = []
  const text = word.replaceAll('\\', '/')
  for (const part of text.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `${text.startsWith('/') ? '/' : ''}${parts.join('/')}`
}

/** The folders that a path lies in, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const found: string[] = []
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at))
  return found
}
