import { visibleLine } from './visible.ts'

/** The first paths by name, and the number of the others. */
export function wordsOfPaths(paths: readonly string[], most = 5): string {
  const more = paths.length > most ? ` and ${paths.length - most} more` : ''
  return `${paths.slice(0, most).map(visibleLine).join(', ')}${more}`
}
