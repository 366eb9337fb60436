import { RelayError } from '../../errors.ts'
import { addFiles } from './folder-tree.ts'
import type { Git } from './git.ts'

/**
 * Takes what an agent made as a tree. `git` works in the checkout, with a copy of its index; `rules` in a folder that holds
 * each `.gitignore` as it was at the start.
 *
 * A file of the start is taken whatever is ignored now. A new one is left out where git ignores it now, and where it did at
 * the start: no agent brings home what the user keeps out of git.
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
  // With a dot before it no path begins as one of git's patterns does.
  const asked = paths.map(path => `./${path}\0`).join('')
  // 1: none of them.
  const found = await rules(['check-ignore', '--no-index', '-z', '--stdin'], asked, [0, 1])
  return found.split('\0').map(path => path.slice('./'.length))
}
