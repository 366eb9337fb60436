import type { AgentChange, AgentChanges } from '../model/agent-changes.ts'
import type { PathState } from '../model/plan.ts'
import type { Config, Project } from '../model/project.ts'
import type { Outcome } from '../model/talk.ts'
import { firstGlob } from '../plan/path-glob.ts'
import { sensitivity } from '../plan/sensitive/sensitive-paths.ts'
import { INSTRUCTS } from '../plan/sensitive/sensitive-table.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { adopt } from './adopt.ts'
import { judgeRecovery } from './judge-recovery.ts'

/**
 * Judges an agent's changes as if they came to the user's folder, but in a folder of relay's own that holds the agent's
 * starting point. The policy, the questions, the checks, the gate and the rollback are those of every transaction. After a yes
 * the changes stay in that folder.
 *
 * relay does not ask about instructions for agents here: they have no effect before someone takes the branch and reads them.
 *
 * @param project that folder, with the user's configuration: an agent's changes to the configuration do not count
 */
export async function judge(made: AgentChanges, project: Project, system: System, talk: Talk): Promise<Judged> {
  const named = new Set(instructionsIn(made.changes, project.config))
  let accepted: ReadonlyMap<string, PathState> = new Map()
  const outcome = await adopt(made, project, system, talk, {
    lets: ({ reason, path = '' }) => reason === INSTRUCTS && named.has(path),
    isAlone: true,
    needsTests: true,
    onKept: states => {
      accepted = states
    },
  })
  return { outcome, accepted }
}

export interface Judged {
  readonly outcome: Outcome
  /** The states over which the whole check ran, by path; empty where nothing was accepted, or nothing is to change. */
  readonly accepted: ReadonlyMap<string, PathState>
}

/** The paths of changed texts that instruct agents. Other agent settings run by themselves, so relay asks about them. */
export function instructionsIn(changes: readonly AgentChange[], { policy }: Pick<Config, 'policy'>): readonly string[] {
  const asked = firstGlob(policy.ask)
  return changes
    .map(({ path }) => path)
    .filter(path => /\.mdc?$/i.test(path) && sensitivity(path) === INSTRUCTS && asked(path) === undefined)
}

/** Cleans up after a relay process that was stopped while it judged: ends its commands and rolls back half-written files. */
export async function endJudgement(project: Project, system: System, talk: Talk): Promise<void> {
  await enterProject(project, system, talk, judgeRecovery(project.config), async () => {})
}
