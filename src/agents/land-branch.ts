import { endJudgement, instructionsIn, judge } from '../flows/judge.ts'
import type { Made } from '../model/made.ts'
import type { Config, Project } from '../model/project.ts'
import type { Outcome } from '../model/talk.ts'
import type { System, Talk } from '../ports.ts'
import { insteadOf } from './checkout/env-in-checkout.ts'
import { branchTip } from './checkout/users-worktrees.ts'
import { openWorktree, type Worktree, type WorktreePlace } from './checkout/worktree.ts'
import type { LandingPlace, LandingTalk } from './land.ts'
import { landingEnd } from './land-here.ts'
import { withoutCredentials } from './run/guard.ts'
import { type ShipSettings, shipBranch } from './ship-branch.ts'

export interface BranchPlace extends Omit<WorktreePlace, 'folder' | 'root'> {
  /** What was not committed in the work tree is not wanted any more. */
  readonly discard?: boolean
  /** What the project's commands get there; by default that of relay's own programs. */
  readonly env?: System['env']
  /** What is done with it when all tasks are done; it is left without that. */
  readonly ship?: ShipSettings
}

/**
 * Landing on a branch: each attempt that is agreed to becomes one commit there, and nothing in the user's folder changes.
 *
 * @param project the user's; without a configuration, one that has no commands
 * @param onInstructions gets the texts among what landed that tell agents what to do: nobody was asked about these
 */
export function landOnBranch(
  { root, config }: Project,
  { discard = false, ship, env, ...place }: BranchPlace,
  doors: LandingTalk,
  onInstructions: (paths: readonly string[]) => void = () => {},
): LandingPlace {
  const { system, talk } = doors
  let worktree: Worktree | undefined
  return {
    root,
    commandTimeout: config.commandTimeout,
    // To look at what went wrong, or to go on for a pull request.
    keepsCheckout: ({ kind }) => kind !== 'all-done' || ship?.wish === 'pr',
    ...(ship && { ship: () => shipBranch(place.branch, ship, { root, config }, { system, talk }) }),
    async openCheckout(folder) {
      worktree = await openWorktree({ ...place, root, folder }, system, {
        discard,
        settings: config.checkout,
        endJudgement: cwd => endJudgement({ root: cwd, config }, system, talk),
      })
      return worktree
    },
    // The commit holds nothing of the user's.
    uncommitted: async () => [],
    async land({ changes, title, reasoning, agent, uuid, message }) {
      if (worktree === undefined) throw new Error('No checkout was opened')
      const made = { changes, title, reasoning, uuid, source: `agent:${agent}` } as const
      const landed = await landBranch({ made, message, config, env }, worktree, doors)
      if (landed.kind === 'landed' && landed.instructions.length > 0) onInstructions(landed.instructions)
      return landingEnd(landed.outcome, changes.length, doors)
    },
    async commit() {
      const sha = await branchTip({ ...place, root }, system)
      return sha === undefined ? { kind: 'none' } : { kind: 'commit', sha }
    },
  }
}

/** What an agent made in a work tree, and how it is to come to its branch. */
export interface BranchLanding {
  /** Its uuid names this landing for good: one that has come to its end is only told again. */
  readonly made: Made & { readonly uuid: string }
  /** Of the commit. */
  readonly message: string
  readonly config: Config
  readonly env?: System['env'] | undefined
}

export type BranchLanded =
  /** `commit`: where the branch is now. */
  | {
      readonly kind: 'landed'
      readonly commit: string
      readonly outcome: Outcome
      readonly instructions: readonly string[]
    }
  /** What was made is in the work tree again, and the agent can go on. */
  | { readonly kind: 'no'; readonly outcome: Outcome }

/**
 * Brings what an agent made to its branch: judged where the agent worked, from what it started from, and after a yes committed.
 * Only these changes are, as the commands have left them; what else the agent or the commands left there is dropped.
 *
 * Each step is noted, or found by looking: after a kill the same call goes on, and commits nothing twice.
 */
export async function landBranch(
  { made, message, config, env }: BranchLanding,
  worktree: Worktree,
  { system, talk, settle }: Pick<LandingTalk, 'system' | 'talk' | 'settle'>,
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
  const there = { root: worktree.cwd, config }
  const outcome = await settle(async () => {
    return withoutNumber(await judge(made, there, systemIn(worktree, env ?? system.env, system), withoutNumbers(talk)))
  })
  if (outcome.kind !== 'committed' && outcome.kind !== 'unchanged') {
    // After Ctrl+C nothing more is run: whoever opens the work tree next brings it back.
    if (!system.interruption.aborted) await worktree.goOn()
    return { kind: 'no', outcome }
  }
  const paths = made.changes.map(({ path }) => path)
  const tree = await worktree.agree(paths, outcome)
  return { kind: 'landed', commit: await worktree.commit(tree, message), outcome, instructions }
}

/** The work tree counts for itself: its numbers mean nothing in the user's folder, or something else. */
function withoutNumbers(talk: Talk): Talk {
  return {
    ...talk,
    report: progress => talk.report(progress.kind === 'begun' ? { ...progress, number: undefined } : progress),
    ask: question => {
      const isOfEntry = question.kind === 'gate' || question.kind === 'sensitive'
      return talk.ask(isOfEntry ? { ...question, number: undefined } : question)
    },
  }
}

function withoutNumber(outcome: Outcome): Outcome {
  const isOfEntry = outcome.kind === 'committed' || outcome.kind === 'rolled-back' || outcome.kind === 'held'
  return isOfEntry ? { ...outcome, number: undefined } : outcome
}

/**
 * The project's commands meet the work tree, and not the user's folder, by whatever variable leads there. They run what the
 * agent wrote before anybody has seen it, so they get no token that the agent did not get.
 */
function systemIn(worktree: Worktree, given: System['env'], system: System): System {
  const { shell } = system
  const env = worktree.env(withoutCredentials(given))
  const only = insteadOf(given, env)
  return {
    ...system,
    env,
    shell: {
      run: (command, options) => shell.run(command, { ...options, env: { ...only, ...options.env } }),
      self: () => shell.self(),
      lifeOf: mark => shell.lifeOf(mark),
      hasStartedThis: mark => shell.hasStartedThis(mark),
      endLeftGroup: (mark, entry) => shell.endLeftGroup(mark, entry),
      find: program => shell.find(program),
    },
  }
}
