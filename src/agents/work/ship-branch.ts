import { holdProject } from '../../flows/hold-project.ts'
import { noteMerge } from '../../flows/merge-note.ts'
import { shellWord } from '../../ground/words.ts'
import type { Project } from '../../model/project.ts'
import type { AfterRun, Shipped } from '../../model/ship.ts'
import type { System, Talk } from '../../ports.ts'
import { type Merged, mergeBranch } from '../ship/merge.ts'
import { openPull, type PullRequestDraft } from '../ship/open-pull.ts'
import type { Origin } from '../ship/origin.ts'

/** How to ship a branch. */
export interface ShipSettings {
  readonly wish: AfterRun
  /** The target branch: the user's own for a merge, a branch of `origin` for a pull request. */
  readonly into: string | undefined
  /** `origin` as it was before an agent ran. */
  readonly origin: Origin | undefined
  /** The title of the pull request. */
  readonly title: string
  body(): Promise<string>
}

interface ShipDoors {
  readonly system: System
  readonly talk: Talk
}

/**
 * Ships a branch as wished. Each step first checks whether it is done already, so it can run again after a kill. Where a step
 * is impossible, the branch stays as it is, and the result says why.
 */
export async function shipBranch(
  branch: string,
  ship: ShipSettings,
  project: Project,
  doors: ShipDoors,
): Promise<Shipped> {
  switch (ship.wish) {
    case 'leave':
      return { kind: 'left', branch, why: undefined }
    case 'merge':
      return merge(branch, ship, project, doors)
    case 'pr':
      return (await openPull(pullOf(branch, ship, project), doors.system)).shipped
  }
}

async function merge(
  branch: string,
  { into }: ShipSettings,
  project: Project,
  { system, talk }: ShipDoors,
): Promise<Shipped> {
  const left = (why: string, next?: string): Shipped => ({ kind: 'left', branch, why, ...(next && { next }) })
  if (into === undefined) return left('you were on no branch that it could go into')
  const { root, config } = project
  const request = { root, branch, into, timeLimit: config.commandTimeout }
  const merged = await holdProject(project, system, talk, async () => {
    const end = await mergeBranch(request, system)
    const at = system.clock.now().toISOString()
    if ('undo' in end) await noteMerge(root, { at, branch, into, undo: end.undo }, system)
    return end
  })
  if (merged === undefined) return left('a question of relay is open here: answer it with `relay recover`')
  if (merged.kind === 'left') return left(wordsOf(merged), nextAfter(merged, branch, into))
  if (merged.kind === 'up-to-date') return { kind: 'merged', branch, into, commit: undefined, undo: undefined }
  return { kind: 'merged', branch, into, commit: merged.commit, undo: merged.undo }
}

function wordsOf({ why, paths }: Extract<Merged, { kind: 'left' }>): string {
  return paths.length === 0 ? why : `${why}: ${paths.join(', ')}`
}

/** A conflict waits for a person; everything else for the way to be free. */
export function nextAfter(
  { reason }: Pick<Extract<Merged, { kind: 'left' }>, 'reason'>,
  branch: string,
  into: string,
): string {
  return reason === 'conflict'
    ? `git switch ${shellWord(into)} && git merge ${shellWord(branch)}`
    : 'the same command with `--after merge`, once nothing is in the way'
}

function pullOf(branch: string, { into, ...ship }: ShipSettings, { root, config }: Project): PullRequestDraft {
  return { ...ship, root, branch, base: into, timeLimit: config.commandTimeout }
}
