import { someOf } from '../../ground/words.ts'
import { visibleLine } from './visible.ts'

/** The first paths by name, and the number of the others. */
export function wordsOfPaths(paths: readonly string[], most = 5): string {
  return someOf(paths.map(visibleLine), most)
}
