import { visibleLine } from './visible.ts'

/** Some paths, and how many more there are. */
export function wordsOfPaths(paths: readonly string[], most = 5): string {
  const more = paths.length > most ? ` and ${paths.length - most} more` : ''
  return `${paths.slice(0, most).map(visibleLine).join(', ')}${more}`
}
