import { RelayError } from '../../errors.ts'
import type { AfterRun } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { repositoryState } from '../checkout/repository-state.ts'
import { tipOf } from '../checkout/users-branches.ts'
import { usersGit } from '../checkout/users-git.ts'
import { findUsersRepository } from '../checkout/users-repository.ts'
import { isGhReady } from '../ship/gh.ts'
import { type Origin, readOrigin } from '../ship/origin.ts'

/** Why what lands in a folder cannot be committed, in words; `undefined` where it can, or where there is no repository. */
export async function whyNoCommit(root: string, system: System): Promise<string | undefined> {
  const state = await repositoryState(root, system)
  if (state === 'none' || state === 'ready') return undefined
  return state === 'empty' ? 'nothing was ever committed here' : `a ${state} is under way`
}

/** Throws `usage` where no branch can begin, because the repository has no commit. */
export async function mustHaveCommit(root: string, system: System): Promise<void> {
  if ((await repositoryState(root, system)) !== 'empty') return
  throw new RelayError('usage', 'There is no commit here yet, and a branch begins at one', {
    hint: 'Commit something first.',
  })
}

/**
 * Throws `environment` where git-lfs keeps files of this repository, git insists on it, and it is not there: git could then
 * neither commit nor merge. Runs no setting of the repository to find out.
 */
export async function mustHaveLfs(root: string, system: System): Promise<void> {
  if ((await system.shell.find('git-lfs')) !== null) return
  const git = usersGit(root, { timeLimit: 60 }, system)
  const { out } = await git(['config', '--get-regexp', '^filter\\.lfs\\.(required|clean)$'])
  // The last one counts: git reads the settings of the system first, and those of the repository last.
  const settings = new Map(out.split('\n').map(line => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]))
  if (settings.get('filter.lfs.required') !== 'true') return
  if (settings.get('filter.lfs.clean')?.startsWith('git-lfs ') !== true) return
  const attributes = ['filter=lfs', '--', ':(top,glob)**/.gitattributes']
  if ((await git(['grep', '--cached', '--quiet', '--fixed-strings', ...attributes])).code !== 0) return
  throw new RelayError('environment', 'git-lfs keeps files of this repository, and it is not installed', {
    hint: 'Install git-lfs.',
  })
}

interface ShipPlace {
  readonly root: string
  /** The user's branch that a merge goes into; `undefined` for a detached HEAD. */
  readonly into: string | undefined
}

/** Throws where a branch could not be shipped in this way. */
export async function requireShippable(wish: AfterRun, { root, into }: ShipPlace, system: System): Promise<void> {
  switch (wish) {
    case 'leave':
      return
    case 'merge':
      return mustBeMergeable(root, into, system)
    case 'pr':
      return mustOpenPulls(root, system)
  }
}

async function mustBeMergeable(root: string, into: string | undefined, system: System): Promise<void> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined || (into !== undefined && (await tipOf(into, repository, system)) !== undefined)) return
  const why =
    into === undefined
      ? 'You are on no branch that it could be merged into'
      : `There is no branch ${into} to merge into`
  throw new RelayError('usage', why, { hint: 'Check a branch out, or take `--after leave`.' })
}

async function mustOpenPulls(root: string, system: System): Promise<void> {
  const why = whyNoPulls(await readOrigin(root, system))
  if (why !== undefined) throw new RelayError('environment', why, { hint: 'Take `--after merge` or `--after leave`.' })
  if (await isGhReady(system)) return
  if ((system.env['GITHUB_TOKEN'] ?? '') !== '') return
  throw new RelayError('environment', 'gh is not there or not logged in, and GITHUB_TOKEN is not set', {
    hint: 'Run `gh auth login`.',
  })
}

function whyNoPulls(origin: Origin | undefined): string | undefined {
  if (origin === undefined) return 'There is no remote `origin` that a pull request could go to'
  return origin.github === undefined ? '`origin` is not on GitHub, so that no pull request can be opened' : undefined
}
