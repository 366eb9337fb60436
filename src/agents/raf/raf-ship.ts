import { join } from 'node:path'
import { cutBytes } from '../../ground/bytes.ts'
import { quietGit } from '../../ground/quiet-git.ts'
import { firstSentence } from '../../model/first-sentence.ts'
import type { AfterRun, Shipped } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { runProgram } from '../checkout/program.ts'
import { findUsersRepository, usersBranch } from '../checkout/users-repository.ts'
import { readOrigin } from '../ship/origin.ts'
import { type Aside, type AsideMerge, restoreLeftAsides, withFilesAside } from '../work/put-aside.ts'
import type { ShipSettings } from '../work/ship-branch.ts'
import { placeOfWork } from '../work/work-note.ts'
import { taskOf, titleOfFolder } from './names.ts'
import { isReport, summaryOf } from './outcome.ts'
import { filesOf, rafKey } from './raf-book.ts'
import type { RafBranch } from './raf-branches.ts'
import { textBelow } from './raf-files.ts'
import type { ReadProject } from './read-project.ts'

/** How to ship the branch of a plan when all of its tasks are done. */
export async function rafShip(
  root: string,
  { folder, read }: Pick<RafBranch, 'folder' | 'read'>,
  wish: AfterRun,
  system: System,
): Promise<ShipSettings> {
  return {
    wish,
    into: wish === 'merge' ? await branchIn(root, system) : undefined,
    origin: wish === 'pr' ? await readOrigin(root, system) : undefined,
    title: titleOfFolder(folder),
    body: async () => planPullRequest(await read()),
  }
}

/**
 * Ships a branch. Files of the plan that are untracked in the user's folder would be in the way of a merge. relay puts aside
 * those equal to the branch's, and reports on failed or blocked tasks. They come back where nothing is merged.
 */
export async function shipPlan(
  root: string,
  branch: RafBranch,
  ship: () => Promise<Shipped>,
  system: System,
): Promise<Shipped> {
  const held = new Map(filesOf(await branch.read()))
  const asides: Aside[] = []
  for (const path of await unknownToGit(root, join('RAF', branch.folder), system)) {
    const [users, there] = [await textBelow(root, path, system.files), held.get(path)]
    if (users === undefined || there === undefined) continue
    if (users !== there && !(path.includes('/outcomes/') && isReport(users))) continue
    asides.push({ path, users, head: null, branch: there })
  }
  const folder = placeOfWork(root, rafKey(branch.folder, true), system)
  return withFilesAside({ root, folder, merge: theirs }, asides, ship, system)
}

/** Restores the files that stopped plans put aside in the project around a folder. Gives their paths. */
export async function takePlansBack(around: string, system: System): Promise<readonly string[]> {
  return restoreLeftAsides('work', around, theirs, system)
}

const theirs: AsideMerge = (_, text) => text

async function unknownToGit(root: string, folder: string, system: System): Promise<readonly string[]> {
  const args = [...quietGit, 'ls-files', '-z', '--others', '--exclude-standard', '--', folder]
  const { out } = await runProgram(['git', ...args], { cwd: root }, system)
  return out.split('\0').filter(Boolean)
}

/** The branch that the user is on; `undefined` for a detached HEAD. */
export async function branchIn(root: string, system: System): Promise<string | undefined> {
  const repository = await findUsersRepository(root, system)
  return repository && usersBranch(repository, system)
}

const mostOfInput = 4_000

/** The text of a plan's pull request: what was asked for, what was done, and how to review it. */
function planPullRequest({ input = '', state, outcomes }: ReadProject): string {
  const done = state.tasks.map(({ id, title, status }) => {
    const outcome = outcomes.findLast(({ name }) => taskOf(name)?.id === id)?.text ?? ''
    const what = firstSentence([summaryOf(outcome)])
    return `- **${id} ${title}**${what === '' ? '' : `: ${what}`}${status === 'completed' ? '' : ` (${status})`}`
  })
  return [
    '## Summary',
    cutBytes(input.trim(), mostOfInput) || 'The tasks below.',
    '## Changes',
    done.join('\n'),
    '## Test Plan',
    'Each task is a commit of its own, with its outcome: look at them one by one.',
    '',
  ].join('\n\n')
}
