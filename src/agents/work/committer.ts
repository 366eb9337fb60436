import type { Committer } from '../../flows/commit-kept.ts'
import { undoneCommits } from '../../flows/undone-commits.ts'
import type { Project } from '../../model/project.ts'
import type { System, Talk } from '../../ports.ts'
import { commitLanded, isCommitted, uncommittedAmong } from '../checkout/commit-landed.ts'

/** Commits with the user's git in a project. */
export function committerOf(project: Project, system: System, talk: Talk): Committer {
  const { root: folder, config } = project
  return {
    async uncommitted(paths) {
      const undone = (edited: readonly string[]) => undoneCommits(edited, project, system, talk)
      try {
        const found = await uncommittedAmong({ folder, paths, undone }, system)
        if (found === undefined) return { why: 'there is no git repository with a commit' }
        const [uncompared] = found.uncompared
        if (uncompared === undefined) return found.edited
        return { why: `relay cannot compare ${uncompared}: a filter of the repository stands between` }
      } catch (error) {
        system.interruption.throwIfAborted()
        return { why: (error as Error).message }
      }
    },
    isCommitted: (path, bytes) => isCommitted({ folder, path, bytes }, system),
    commit: (paths, message, number) => {
      const env = { ...system.env, RELAY_PHASE: 'commit', RELAY_NUMBER: `${number}` }
      return commitLanded({ folder, paths, message, timeLimit: config.commandTimeout, env }, system)
    },
  }
}
