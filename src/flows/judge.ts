import type { Made, MadeChange } from '../model/made.ts'
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
 * Judges what was made as if it came to the user's folder, but in a folder of relay's that stands at what it was made from:
 * policy, questions, checks and gate are the engine's own, and so is the way back. After a yes the changes stay there.
 *
 * Instructions for agents are not asked about here: they do nothing before somebody takes the branch, and reads it.
 *
 * @param project that folder, with the configuration of the user's: what an agent made of its own says nothing
 */
export function judge(made: Made, project: Project, system: System, talk: Talk): Promise<Outcome> {
  const named = new Set(instructionsIn(made.changes, project.config))
  return adopt(made, project, system, talk, {
    lets: ({ reason, path = '' }) => reason === INSTRUCTS && named.has(path),
  })
}

/** Texts that tell agents what to do, to be named. What else of an agent's settings is made runs by itself, and is asked about. */
export function instructionsIn(changes: readonly MadeChange[], { policy }: Pick<Config, 'policy'>): readonly string[] {
  const asked = firstGlob(policy.ask)
  return changes
    .map(({ path }) => path)
    .filter(path => /\.mdc?$/i.test(path) && sensitivity(path) === INSTRUCTS && asked(path) === undefined)
}

/** Ends what a relay that was stopped while it judged has left there: its commands, and what it had half written. */
export async function endJudgement(project: Project, system: System, talk: Talk): Promise<void> {
  await enterProject(project, system, talk, judgeRecovery(project.config), async () => {})
}
