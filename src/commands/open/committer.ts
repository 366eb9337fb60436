import type { Committer } from '../../flows/commit-kept.ts'
import type { Project } from '../../model/project.ts'
import type { System, Talk } from '../../ports.ts'

/** What commits kept changes in a project; `undefined` where they are not to be committed. */
export async function committerFor(
  project: Project,
  system: System,
  talk: Talk,
  isWished = project.config.commit,
): Promise<Committer | undefined> {
  if (!isWished) return undefined
  // Loaded here: nobody else who takes an answer needs git.
  return (await import('../../agents/work/committer.ts')).committerOf(project, system, talk)
}
