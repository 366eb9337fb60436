import { adopt } from '../../flows/adopt.ts'
import { changedSince, SeenEdits } from '../../flows/kept-edits.ts'
import { noteCommit } from '../../flows/note-in-entry.ts'
import type { RelayOptions } from '../../flows/understood-answer.ts'
import { undoneCommits } from '../../flows/undone-commits.ts'
import type { PathState } from '../../model/plan.ts'
import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { commitLanded, isCommitted, uncommittedAmong } from '../checkout/commit-landed.ts'
import type { LandingEnd, LandingPlace, LandingTalk } from './land.ts'

interface HereOptions {
  /** Whether relay commits what has landed. */
  readonly commits: boolean
  /** How long to wait for another relay run in the project, in milliseconds. */
  readonly patience: number
  /** The environment of commit hooks. By default, relay's own environment. */
  readonly env?: System['env']
}

/** Landing in the user's folder: each accepted attempt becomes a change there, and a commit of exactly its paths. */
export function landHere(project: Project, options: HereOptions, doors: LandingTalk): LandingPlace {
  const { root, config } = project
  const { system, talk } = doors
  /** What was accepted last. */
  let accepted: ReadonlyMap<string, PathState> = new Map()
  const onKept = (states: typeof accepted) => {
    accepted = states
  }
  return {
    root,
    openCheckout: folder => openCheckout(root, folder, system, config.checkout),
    commandTimeout: config.commandTimeout,
    keptVariables: config.checkout.env,
    async uncommitted(paths) {
      if (!options.commits) return undefined
      const undone = (edited: readonly string[]) => undoneCommits(edited, project, system, talk)
      return uncommittedAmong({ folder: root, paths, undone }, system)
    },
    async land({ changes, title, reasoning, agent, uuid, attempt }) {
      const made = { changes, title, reasoning, uuid, source: `agent:${agent}` } as const
      const { patience } = options
      const seen = new SeenEdits()
      const heard = seen.around(talk)
      const take = (way: RelayOptions) =>
        adopt(made, project, system, heard, { ...way, patience, needsTests: true, onKept })
      const outcome = await doors.settle(take, attempt)
      const end = await landingEnd(outcome, changes.length, doors)
      return end.kind === 'landed' && options.commits
        ? { ...end, mixed: await seen.uncommitted((path, bytes) => isCommitted({ folder: root, path, bytes }, system)) }
        : end
    },
    async commit(paths, message, number) {
      // A run that began with commits may continue with `--no-commit`.
      if (!options.commits) return { kind: 'none' }
      const edited = await changedSince(accepted, root, system.files)
      if (edited.length > 0)
        return { kind: 'not-committed', why: `${edited.join(', ')} was edited since it was checked` }
      const timeLimit = config.commandTimeout
      const committed = await commitLanded({ folder: root, paths, message, timeLimit, env: options.env }, system)
      if (committed.kind === 'commit' && number !== undefined) {
        // The note only helps `relay undo` and `relay show`. The landing and the commit are done without it.
        await noteCommit(number, committed.sha, project, system, talk).catch(() => undefined)
      }
      return committed
    },
  }
}

/** Translates an outcome of the engine into the end of a landing. */
export async function landingEnd(
  outcome: Outcome,
  files: number,
  { system, whyNot, optionFor }: Pick<LandingTalk, 'system' | 'whyNot' | 'optionFor'>,
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
      return { kind: 'no', why: await whyNot(outcome), overlap: outcome.overlaps.map(({ path }) => path) }
    case 'ignored':
    case 'refused':
      return { kind: 'no', why: await whyNot(outcome) }
    case 'rolled-back': {
      const option = optionFor?.(outcome)
      const isUnanswered = option !== undefined || outcome.reason.kind === 'unasked'
      return { kind: 'no', why: await whyNot(outcome), isUnanswered, option }
    }
  }
}
