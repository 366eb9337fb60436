import { dirname, join, resolve } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import { readNote } from '../../state-files.ts'
import { commitFacts } from './branch-commit.ts'
import { firstId, type Landed, type Landing, noteCheckout, readCheckoutNote } from './checkout-note.ts'
import { usersGitAt } from './git.ts'
import { type PrivateRepository, reopenPrivateRepository } from './private-repository.ts'
import { type Doors, runProgram } from './program.ts'
import { removeAll } from './remove-all.ts'
import { textOf, type UsersRepository, usersSettings } from './users-repository.ts'
import { WorkTree } from './work-tree.ts'

/**
 * How far an older relay was with a work tree of the user's: its agents worked there, with a repository of theirs in place of
 * `.git`. Trees and commits are hashes.
 */
interface OldNote {
  readonly is: 'making' | 'lent' | 'landing' | 'left'
  readonly start: string
  readonly base?: string
  readonly landing?: Landing
  readonly landed?: Landed
}

const noteName = 'worktree.json'
/** relay's copy of the work tree's own `.git` file. */
const gitFile = 'git-file'
const lockReason = 'relay works here\n'

async function readOld(folder: string, system: Doors): Promise<OldNote | undefined> {
  const found = await readNote(join(folder, noteName), system)
  return typeof found?.['start'] === 'string' ? (found as unknown as OldNote) : undefined
}

/** Gives the user's work tree its own `.git` back, which an older relay had lent to an agent. Gives the place, where known. */
export async function giveBackOld(folder: string, system: Doors): Promise<string | undefined> {
  const { files } = system
  const note = await readOld(folder, system)
  const bytes = note && (await files.read(join(folder, gitFile)))
  const gitDir = bytes && /^gitdir: (.+?)\s*$/.exec(new TextDecoder().decode(bytes))?.[1]
  if (note === undefined || bytes === null || bytes === undefined || !gitDir) return undefined
  const leads = (await textOf(join(gitDir, 'gitdir'), system))?.trim()
  const at = leads === undefined ? undefined : dirname(resolve(gitDir, leads))
  const found = at === undefined ? null : await files.stat(at)
  if (at === undefined || found?.kind !== 'folder') return undefined
  if (note.is === 'lent' && !(await holds(join(at, '.git'), bytes, system))) {
    if ((found.mode & 0o700) !== 0o700) await runProgram(['chmod', 'u+rwx', '--', at], { cwd: '/' }, system)
    await removeAll([join(at, '.git')], '/', system)
    await files.create(join(at, '.git'), bytes)
  }
  const lock = join(gitDir, 'locked')
  if ((await textOf(lock, system)) === lockReason) await files.remove(lock)
  return at
}

/** Whether a file has these bytes: an agent may have made another file of its repository. */
async function holds(path: string, bytes: Uint8Array, { files }: Doors): Promise<boolean> {
  if ((await files.stat(path))?.kind !== 'file') return false
  return Buffer.compare((await files.read(path)) ?? new Uint8Array(), bytes) === 0
}

/**
 * Brings over what an older relay left in a folder, once: afterwards the folder holds a checkout with the same work. Each step
 * can be repeated after a kill.
 */
export async function bringOver(
  { root, folder }: { readonly root: string; readonly folder: string },
  repository: UsersRepository,
  system: Doors,
): Promise<void> {
  const note = await readOld(folder, system)
  if (note === undefined) return
  const at = await giveBackOld(folder, system)
  // A work tree that is removed in part would look like work that deletes.
  const isCopied = (await readCheckoutNote(folder, system)) !== undefined
  if (at !== undefined && note.is !== 'making' && !isCopied)
    await copyWork(note, at, { root, folder, repository }, system)
  // One that lies in relay's own folder is nobody else's.
  const state = dirname(dirname(dirname(folder)))
  if (at !== undefined && insideOf(state, at) !== undefined) {
    await usersGitAt(repository.gitDir, '/', system)(['worktree', 'remove', '--force', '--', at])
  }
  for (const name of [noteName, gitFile]) await system.files.remove(join(folder, name))
}

async function copyWork(
  note: OldNote,
  at: string,
  {
    root,
    folder,
    repository,
  }: { readonly root: string; readonly folder: string; readonly repository: UsersRepository },
  system: Doors,
): Promise<void> {
  const inTop = insideOf(repository.top, root) ?? ''
  const format = (await usersSettings(repository, system)).get('extensions.objectformat') ?? 'sha1'
  const facts = { top: repository.top, prefix: inTop === '' ? '' : `${inTop}/`, format }
  const own: PrivateRepository = await reopenPrivateRepository({ root, folder }, facts, system)
  const work =
    note.is === 'landing' && note.landing !== undefined ? note.landing.work : await takenFrom(at, own, system)
  const { tree } = await commitFacts(note.start, own)
  const start = { tree, commit: note.start, leftOut: [] }
  await removeAll([own.at('work')], folder, system)
  await system.files.makeFolder(own.at('work'))
  await new WorkTree(own.at('work'), own, system).fill(tree)
  const { base = tree, landing, landed } = note
  const agreed = landing?.agreed === undefined ? {} : { landing }
  await noteCheckout(
    own,
    { ...facts, id: firstId, start, base, coming: work, ...agreed, ...(landed && { landed }) },
    system,
  )
}

async function takenFrom(at: string, own: PrivateRepository, system: Doors): Promise<string> {
  const tree = new WorkTree(at, own, system)
  await tree.layRules('')
  return tree.take()
}
