import { endJudgement, instructionsIn, judge } from '../flows/judge.ts'
import type { Made } from '../model/made.ts'
import type { Config } from '../model/project.ts'
import type { Outcome } from '../model/talk.ts'
import type { System, Talk } from '../ports.ts'
import { openWorktree, type Worktree, type WorktreePlace } from './checkout/worktree.ts'

/** What an agent made in a work tree, and how it is to come to its branch. */
export interface BranchLanding {
  /** Its uuid names this landing for good: one that has come to its end is only told again. */
  readonly made: Made & { readonly uuid: string }
  /** Of the commit. */
  readonly message: string
  /** The user's; without one, a configuration that has no commands and asks for nothing. */
  readonly config: Config
}

export type BranchLanded =
  /**
   * `commit`: where the branch is now. `instructions`: the files among the changes that tell agents what to do; nobody was
   * asked about these.
   */
  | {
      readonly kind: 'landed'
      readonly commit: string
      readonly outcome: Outcome
      readonly instructions: readonly string[]
    }
  /** What was made is in the work tree again, and the agent can go on. */
  | { readonly kind: 'no'; readonly outcome: Outcome }

/** Opens the work tree of a branch; where a relay was stopped while it judged there, that is ended first. */
export function openBranch(
  place: WorktreePlace,
  config: Config,
  system: System,
  talk: Talk,
  options: { readonly discard?: boolean } = {},
): Promise<Worktree> {
  return openWorktree(place, system, {
    ...options,
    endJudgement: root => endJudgement({ root, config }, system, talk),
  })
}

/**
 * Brings what an agent made to its branch: judged where the agent worked, from what it started from, and after a yes committed.
 * Only these changes are, as the commands have left them; what else the agent or the commands left there is dropped.
 *
 * Each step is noted, or found by looking: after a kill the same call goes on, and neither asks nor commits twice.
 */
export async function landBranch(
  { made, message, config }: BranchLanding,
  worktree: Worktree,
  system: System,
  talk: Talk,
): Promise<BranchLanded> {
  const instructions = instructionsIn(made.changes, config)
  const earlier = worktree.landed(made.uuid)
  if (earlier !== undefined) {
    return { kind: 'landed', commit: earlier.commit, outcome: earlier.outcome, instructions }
  }
  const { agreed } = await worktree.beginLanding(made.uuid)
  if (agreed !== undefined) {
    return {
      kind: 'landed',
      commit: await worktree.commit(agreed.tree, message),
      outcome: agreed.outcome,
      instructions,
    }
  }
  const outcome = await judge(made, { root: worktree.cwd, config }, system, talk)
  if (outcome.kind !== 'committed' && outcome.kind !== 'unchanged') {
    // After Ctrl+C nothing more is run: whoever opens the work tree next brings it back.
    if (!system.interruption.aborted) await worktree.goOn()
    return { kind: 'no', outcome }
  }
  const paths = made.changes.map(({ path }) => path)
  const tree = await worktree.agree(paths, outcome)
  return { kind: 'landed', commit: await worktree.commit(tree, message), outcome, instructions }
}
