import { RelayError } from '../../errors.ts'
import { addFiles } from './folder-tree.ts'
import type { Git } from './git.ts'

/**
 * Stores the agent's work as a tree. `git` works in the checkout with a copy of its index. `rules` works in a folder that holds
 * every `.gitignore` as it was at the start.
 *
 * A file of the start is always included, even where it is ignored now. A new file is left out where git ignores it now or
 * ignored it at the start: an agent must not bring home files that the user keeps out of git.
 */
export async function takeTree(
  { git, rules }: { readonly git: Git; readonly rules: Git },
  isOurs: (path: string) => boolean,
): Promise<string> {
  await git(['add', '--update', ':/'])
  const others = (await git(['ls-files', '-z', '--others', '--exclude-standard'])).split('\0').filter(Boolean)
  const added = others.filter(path => !isOurs(path))
  const ignored = new Set(added.length === 0 ? [] : await ignoredAmong(added, rules))
  const taken = added.filter(path => !ignored.has(path))
  for (const path of taken) {
    if (path.endsWith('/')) {
      throw new RelayError('agent', `The agent made a git repository inside the project, in ${path}`, {
        hint: 'Its files cannot be taken. Tell the agent to make none.',
      })
    }
    if (path.includes('\ufffd')) throw new RelayError('agent', `The agent made a file whose name is no text: ${path}`)
  }
  await addFiles(taken, git)
  return (await git(['write-tree'])).trim()
}

async function ignoredAmong(paths: readonly string[], rules: Git): Promise<readonly string[]> {
  // With `./` before it, no path can be read as a pattern.
  const asked = paths.map(path => `./${path}\0`).join('')
  // Exit code 1: none is ignored.
  const found = await rules(['check-ignore', '--no-index', '-z', '--stdin'], asked, [0, 1])
  return found.split('\0').map(path => path.slice('./'.length))
}
