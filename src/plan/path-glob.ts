import picomatch from 'picomatch'
import { foldPath } from './fold-path.ts'

/**
 * Makes a test out of a glob of the configuration, relative to the project's root.
 *
 * Where a glob can be read in two ways, it matches more, since these globs only ever tighten: a name without a slash
 * counts in every folder, as in .gitignore; one that names a folder covers everything in it; case does not count;
 * `*` takes hidden files too. A leading `!` turns the glob round: everything but that. An empty one matches nothing.
 * It is no regular expression: what has a meaning only there is taken as it stands, so that no glob of a cloned project
 * makes matching take for ever.
 */
export function pathGlob(glob: string): (path: string) => boolean {
  const text = glob.trim()
  if (text.startsWith('!') && !text.startsWith('!(')) {
    const excepted = pathGlob(text.slice(1))
    return path => !excepted(path)
  }
  const bare = text
    .normalize('NFC')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '')
    // No path holds a backslash; the library takes years for a long run of them.
    .replace(/\\{2,}|\\$/g, '')
  if (bare === '') return () => false
  const inAnyFolder = !bare.includes('/') && !/^\.?\//.test(text)
  const pattern = inAnyFolder ? `**/${bare}` : bare
  const patterns = [pattern, ...(EXTENDED.test(pattern) ? [] : [pattern.replaceAll(/(?<!\\)[()]/g, '\\$&')])]
  const options = { dot: true, nocase: true, nonegate: true, regex: false }
  const matches = picomatch(
    patterns.flatMap(each => [each, `${each}/**`]),
    options,
  )
  return path => matches(path.normalize('NFC')) || matches(foldPath(path))
}

/** `@(a|b)` and its like; other brackets can be part of a name: `app/(shop)/page.tsx`. */
const EXTENDED = /[@?*+!]\(/

/** Tells which of some globs is the first to match any of the paths that are asked about. */
export function firstGlob(globs: readonly string[]): (...paths: readonly string[]) => string | undefined {
  const all = globs.map(glob => ({ glob, matches: pathGlob(glob) }))
  return (...paths) => all.find(({ matches }) => paths.some(matches))?.glob
}
