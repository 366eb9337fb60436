import type { Flag } from '../model/response.ts'
import type { FoundChange } from './change-file.ts'

/**
 * Flags new files that the change summary calls edited, where one with another ending of the same kind stands beside:
 * `a.ts` was written, and the project has `a.tsx`. What the patch moves from the one to the other is meant.
 *
 * @param edited the paths that the summary calls so
 */
export function otherEnding(found: readonly FoundChange[], edited: ReadonlySet<string>): Flag[] {
  const deleted = new Set(found.flatMap(({ change }) => (change.effect === 'delete' ? [change.target] : [])))
  return found.flatMap(({ change: { path, target, effect }, fact }) => {
    if (effect !== 'create' || !edited.has(path) || fact.missingFolders.length > 0) return []
    const folder = target.slice(0, target.lastIndexOf('/') + 1)
    const name = target.slice(folder.length)
    const twin = fact.beside?.find(it => isOtherEnding(it, name) && !deleted.has(folder + it))
    if (twin === undefined) return []
    const reason = `the change summary edits it, but it does not exist, while ${folder}${twin} does`
    return [{ flag: 'summary-mismatch', path, reason }]
  })
}

function isOtherEnding(one: string, other: string): boolean {
  const [a, b] = [one, other].map(name => /^(.+)\.([^.]+)$/.exec(name))
  const [ending, wanted] = [a?.[2] ?? '', b?.[2] ?? '']
  if (a?.[1] !== b?.[1] || ending === wanted) return false
  return kinds.some(kind => kind.includes(ending) && kind.includes(wanted))
}

/** Endings that are taken for each other. */
const kinds = [
  ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
  ['css', 'scss', 'sass', 'less'],
  ['yml', 'yaml'],
  ['json', 'jsonc', 'json5'],
  ['md', 'mdx', 'markdown'],
  ['html', 'htm', 'xhtml'],
  ['c', 'cc', 'cpp', 'cxx'],
  ['h', 'hh', 'hpp', 'hxx'],
]
