import { join } from 'node:path'
import { unpackInto, usersGitAt } from './git.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'

/** The parts of a commit object. */
export interface CommitFacts {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

export async function commitFacts(commit: string, own: PrivateRepository): Promise<CommitFacts> {
  const text = await own.git('index', '/')(['cat-file', 'commit', commit])
  const at = text.indexOf('\n\n')
  const head = text.slice(0, at)
  return {
    tree: /^tree (\S+)$/m.exec(head)?.[1] ?? '',
    parents: [...head.matchAll(/^parent (\S+)$/gm)].map(([, parent = '']) => parent),
    message: text.slice(at + 2),
  }
}

/** Makes a commit of a tree on top of another commit, in the user's name. Only relay's private repository gets it. */
export async function makeCommit(
  { tree, parent, message }: { readonly tree: string; readonly parent: string; readonly message: string },
  own: PrivateRepository,
): Promise<string> {
  const args = [...identityOf(own), 'commit-tree', '-p', parent, '-F', '-', tree]
  // An agent's text may contain NUL, which a commit message cannot.
  return (await own.git('index', '/')(args, message.replaceAll('\0', ''))).trim()
}

/** The identity of the user's git; relay's own where the user has set none. */
function identityOf({ users: { settings } }: PrivateRepository): readonly string[] {
  const name = settings.get('user.name') ?? 'relay'
  const email = settings.get('user.email') ?? 'relay@localhost'
  return ['-c', `user.name=${name}`, '-c', `user.email=${email}`]
}

/**
 * Copies a commit into the user's objects, with everything in `tree` that `from` does not have. The user's repository then
 * borrows none of it from relay's repository.
 */
export async function giveObjects(
  { commit, from, tree }: { readonly commit: string; readonly from: string; readonly tree: string },
  own: PrivateRepository,
  shared: string,
  system: Doors,
): Promise<void> {
  const git = own.git('index', '/')
  const raw = await git(['diff-tree', '-r', '-t', '-z', '--no-renames', '--raw', from, tree])
  const made = [...raw.matchAll(/:[0-7]+ ([0-7]+) [0-9a-f]+ ([0-9a-f]+) [A-Z]\0/g)]
  const names = made.flatMap(([, mode, name = '']) => (mode === '000000' || mode === '160000' ? [] : [name]))
  const list = [...new Set([commit, tree, ...names])].map(name => `${name}\n`).join('')
  const base = own.at('objects')
  const pack = `${base}-${(await git(['pack-objects', '--quiet', base], list)).trim()}`
  const shares = own.users.settings.get('core.sharedrepository') ?? 'umask'
  await unpackInto(join(shared, 'objects'), { pack: `${pack}.pack`, gitDir: own.gitDir, shares }, system)
  for (const ending of ['pack', 'idx', 'rev']) await system.files.remove(`${pack}.${ending}`)
}

/** Moves a branch from one commit to another. Throws where the branch is not at `from`. `gitDir` is that of its work tree. */
export async function moveBranch(
  branch: string,
  { from, to, subject }: { readonly from: string; readonly to: string; readonly subject: string },
  { own, gitDir }: { readonly own: PrivateRepository; readonly gitDir: string },
  system: Doors,
): Promise<void> {
  const args = [...identityOf(own), 'update-ref', '-m', `commit: ${subject}`, `refs/heads/${branch}`, to, from]
  await usersGitAt(gitDir, '/', system)(args)
}
