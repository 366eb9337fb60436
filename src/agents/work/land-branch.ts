import { RelayError } from '../../errors.ts'
import { endJudgement, instructionsIn, type Judged, judge } from '../../flows/judge.ts'
import { secretsIn } from '../../ground/secret-names.ts'
import type { AgentChanges } from '../../model/agent-changes.ts'
import type { Config, Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System, Talk } from '../../ports.ts'
import { type BranchCheckout, type BranchOfWork, openBranchCheckout } from '../checkout/branch-checkout.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { insteadOf } from '../checkout/env-in-checkout.ts'
import { branchTip } from '../checkout/users-branches.ts'
import type { LandingAttempt, LandingPlace, LandingTalk } from './land.ts'
import { landingEnd } from './land-here.ts'
import { missingPackages } from './missing-packages.ts'
import { mustBeCountable } from './must-be-countable.ts'
import { setupFailure } from './setup-failure.ts'
import { type ShipSettings, shipBranch } from './ship-branch.ts'

export interface BranchPlace extends Omit<BranchOfWork, 'root'> {
  /** The environment of the project's commands there. By default, relay's own environment. */
  readonly env?: System['env']
  /** How to ship the branch after all tasks are done. Without it, the branch is left as it is. */
  readonly ship?: ShipSettings
}

/**
 * Landing on a branch: each accepted attempt becomes one commit there. Nothing in the user's folder changes.
 *
 * @param project the user's project; without a configuration, one that has no commands
 * @param onInstructions gets the landed files that instruct agents: relay asked the user about none of them
 */
export function landOnBranch(
  { root, config }: Project,
  { ship, env, ...place }: BranchPlace,
  doors: LandingTalk,
  onInstructions: (paths: readonly string[]) => void = () => {},
): LandingPlace {
  const { system, talk } = doors
  let checkout: BranchCheckout | undefined
  return {
    root,
    commandTimeout: config.commandTimeout,
    keptVariables: config.checkout.env,
    ...(ship && { ship: () => shipBranch(place.branch, ship, { root, config }, { system, talk }) }),
    async openCheckout(folder) {
      checkout = await openBranchCheckout({ ...place, root, folder }, system, {
        settings: config.checkout,
        endJudgement: cwd => endJudgement({ root: cwd, config }, system, talk),
      })
      return checkout
    },
    async preflight(there) {
      const { cwd } = there
      await mustBeCountable({ root: cwd, config }, systemIn(there, env ?? system.env, system), talk)
    },
    // The commit never contains the user's edits.
    uncommitted: async () => ({ edited: [], uncompared: [] }),
    async land({ changes, title, reasoning, agent, uuid, message, attempt }) {
      if (checkout === undefined) throw new Error('No checkout was opened')
      const made = { changes, title, reasoning, uuid, source: `agent:${agent}` } as const
      const landed = await landBranch({ made, message, config, env, attempt }, checkout, doors)
      if (landed.kind === 'moved') return landed
      if (landed.kind === 'landed' && landed.instructions.length > 0) onInstructions(landed.instructions)
      const end = await landingEnd(landed.outcome, changes.length, doors)
      if (end.kind !== 'no' || config.checkout.setup.trim() !== '') return end
      const missing = await missingPackages(changes, root, system)
      return missing.length === 0 ? end : { ...end, missing }
    },
    async commit() {
      const sha = await branchTip({ ...place, root }, system)
      return sha === undefined ? { kind: 'none' } : { kind: 'commit', sha }
    },
  }
}

/** An agent's work in a checkout, with what its commit on the branch needs. */
export interface BranchLanding {
  /** The uuid identifies this landing. A landing that already finished is only reported again. */
  readonly made: AgentChanges & { readonly uuid: string }
  /** The commit message. */
  readonly message: string
  readonly config: Config
  readonly env?: System['env'] | undefined
  readonly attempt: LandingAttempt
}

export type BranchLanded =
  /** `commit` is the tip of the branch now. */
  | {
      readonly kind: 'landed'
      readonly commit: string
      readonly outcome: Outcome
      readonly instructions: readonly string[]
    }
  /** The work is back in the checkout. It was accepted, but the branch has moved meanwhile. */
  | { readonly kind: 'moved' }
  /** The work is back in the checkout, and the agent can continue. */
  | { readonly kind: 'no'; readonly outcome: Outcome }

/**
 * Lands an agent's work on its branch. relay judges it in the checkout, against its start, and commits it after a yes. The
 * commit has exactly the bytes that the checks accepted. Everything else that the agent or the commands left is dropped.
 *
 * Each step is noted or can be found by looking. So after a kill, the same call continues and commits nothing twice.
 */
export async function landBranch(
  { made, message, config, env, attempt }: BranchLanding,
  checkout: BranchCheckout,
  { system, talk, settle }: Pick<LandingTalk, 'system' | 'talk' | 'settle'>,
): Promise<BranchLanded> {
  const instructions = instructionsIn(made.changes, config)
  const earlier = checkout.landed(made.uuid)
  if (earlier !== undefined) {
    return { kind: 'landed', commit: earlier.commit, outcome: earlier.outcome, instructions }
  }
  const { agreed } = await checkout.beginLanding(made.uuid)
  const landed = async (tree: string, outcome: Outcome): Promise<BranchLanded> => {
    const commit = await checkout.commit(tree, message)
    return commit === undefined ? { kind: 'moved' } : { kind: 'landed', commit, outcome, instructions }
  }
  if (agreed !== undefined) return landed(agreed.tree, agreed.outcome)
  const there = { root: checkout.cwd, config }
  const inside = systemIn(checkout, env ?? system.env, system)
  let accepted: Judged['accepted'] = new Map()
  const outcome = await settle(async () => {
    const broken = await freshen(checkout, config, inside)
    if (broken !== undefined) return broken
    const judged = await judge(made, there, inside, withoutNumbers(talk))
    accepted = judged.accepted
    return withoutNumber(judged.outcome)
  }, attempt)
  if (outcome.kind !== 'committed' && outcome.kind !== 'unchanged') {
    // After Ctrl+C relay runs nothing more. The next run that opens the checkout restores the work.
    if (!system.interruption.aborted) await checkout.goOn()
    return { kind: 'no', outcome }
  }
  return landed(await checkout.agree(accepted, outcome), outcome)
}

/** Makes the checkout ready for the checks. Gives the outcome where `checkout.setup` failed, so that they would say nothing. */
async function freshen(
  checkout: BranchCheckout,
  { commandTimeout, checkout: settings }: Config,
  system: System,
): Promise<Outcome | undefined> {
  const without = secretsIn(system.env, settings.env)
  const result = await checkout.freshen((command, cwd) =>
    system.shell.run(command, {
      cwd,
      env: Object.fromEntries(without.map(name => [name, undefined])),
      timeLimit: commandTimeout,
      signal: system.interruption,
      onStart: async () => {},
    }),
  )
  if (result === undefined || (result.end.kind === 'exit' && result.end.code === 0)) return undefined
  const error = new RelayError('agent', setupFailure(result, commandTimeout, without))
  const restoration = { restored: [], rescued: [], kept: [], merged: [] }
  return { kind: 'rolled-back', number: undefined, reason: { kind: 'failed', error }, restoration, ms: 0 }
}

/** Removes transaction numbers: the checkout has its own, and in the user's folder they mean nothing or something else. */
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

/** The system for the project's commands: every path variable leads to the checkout instead of the user's folder. */
function systemIn(checkout: Checkout, given: System['env'], system: System): System {
  const { shell } = system
  const env = checkout.env(given)
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
