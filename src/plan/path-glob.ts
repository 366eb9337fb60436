import picomatch from 'picomatch'
import { foldPath } from './fold-path.ts'

/**
 * Makes a test out of a glob of the configuration, relative to the project's root.
 *
 * Where a glob can be read in two ways, it matches more, since these globs only ever tighten: a name without a slash
 * counts in every folder, as in .gitignore; one that names a folder covers everything in it; case does not count;
 * `*` takes hidden files too. A leading `!` turns the glob round: everything but that. An empty one matches nothing.
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
  if (bare === '') return () => false
  const inAnyFolder = !bare.includes('/') && !/^\.?\//.test(text)
  const pattern = inAnyFolder ? `**/${bare}` : bare
  const matches = picomatch([pattern, `${pattern}/**`], { dot: true, nocase: true, nonegate: true })
  return path => matches(path.normalize('NFC')) || matches(foldPath(path))
}
