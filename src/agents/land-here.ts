import { adopt } from '../flows/adopt.ts'
import type { Project } from '../model/project.ts'
import type { Outcome } from '../model/talk.ts'
import type { System } from '../ports.ts'
import { openCheckout } from './checkout/checkout.ts'
import { commitLanded, uncommittedAmong } from './checkout/commit-landed.ts'
import type { LandingEnd, LandingPlace, LandingTalk } from './land.ts'

interface HereOptions {
  /** Git commits what has landed. */
  readonly commits: boolean
  /** How long another relay that works in the project is waited for, in milliseconds. */
  readonly patience: number
  /** What the hooks of a commit get; by default that of relay's own programs. */
  readonly env?: System['env']
}

/** Landing in the user's folder: each attempt becomes a change there, and a commit of exactly its paths. */
export function landHere(project: Project, options: HereOptions, doors: LandingTalk): LandingPlace {
  const { root, config } = project
  const { system, talk } = doors
  return {
    root,
    openCheckout: folder => openCheckout(root, folder, system, config.checkout),
    commandTimeout: config.commandTimeout,
    keepsCheckout: () => false,
    uncommitted: async paths => (options.commits ? uncommittedAmong({ folder: root, paths }, system) : undefined),
    async land({ changes, title, reasoning, agent, uuid }) {
      const made = { changes, title, reasoning, uuid, source: `agent:${agent}` } as const
      const { patience } = options
      const outcome = await doors.settle(way => adopt(made, project, system, talk, { ...way, patience }))
      return landingEnd(outcome, changes.length, doors)
    },
    commit: (paths, message) =>
      commitLanded({ ...options, folder: root, paths, message, timeLimit: config.commandTimeout }, system),
  }
}

/** What an outcome of the engine means for the attempt. */
export async function landingEnd(
  outcome: Outcome,
  files: number,
  { system, whyNot }: Pick<LandingTalk, 'system' | 'whyNot'>,
): Promise<LandingEnd> {
  if (system.interruption.aborted && outcome.kind !== 'committed') return { kind: 'interrupted' }
  switch (outcome.kind) {
    case 'committed':
      return { kind: 'landed', number: outcome.number, files: outcome.files }
    case 'unchanged':
      return { kind: 'landed', number: undefined, files: 0 }
    case 'skipped':
      if (outcome.state === 'committed') return { kind: 'landed', number: outcome.number, files }
      return { kind: 'no', why: `The user did not take it (#${outcome.number}).`, isFinal: true }
    case 'held':
      return { kind: 'held' }
    case 'overlap':
      return { kind: 'no', why: await whyNot(outcome), isOverlap: true }
    case 'ignored':
    case 'refused':
    case 'rolled-back':
      return { kind: 'no', why: await whyNot(outcome) }
  }
}
