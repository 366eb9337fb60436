import { findRaf, laterPlansIn, laterWords, mustNotBeLater } from '../../agents/raf/find-raf.ts'
import { projectFolder } from '../../agents/raf/identifier.ts'
import { titleOfName } from '../../agents/raf/names.ts'
import { rafElsewhere } from '../../agents/raf/raf-branches.ts'
import { type ReadProject, readProject } from '../../agents/raf/read-project.ts'
import { differingFrom } from '../../agents/raf/status-json.ts'
import { asError, RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import type { Running } from '../../report/agents/plan-lines.ts'
import { showNotes } from '../talk/show-notes.ts'

/** The plans of a folder, and those in work trees and on branches where they differ from the folder. */
export interface Plans {
  readonly projects: readonly ReadProject[]
  readonly worktrees: readonly ReadProject[]
  readonly branches: readonly ReadProject[]
}

/**
 * Reads the plans. Names each one that cannot be read.
 *
 * @param wanted only this plan; throws `usage` where there is none with this name
 * @param here leaves out work trees and branches, for which git has to be asked
 */
export async function lookAtPlans(
  root: string,
  wanted: string | undefined,
  system: System,
  { here = false } = {},
): Promise<Plans> {
  const raf = await findRaf(root, system.files)
  const there = here ? nowhere : await rafElsewhere(root, system).catch(() => nowhere)
  const elsewhere = [...there.worktrees, ...there.branches].map(({ folder }) => folder)
  const folders = [...new Set([...raf.projects, ...elsewhere])].toSorted()
  if (wanted !== undefined) await mustNotBeLater(wanted, raf.folder, system.files)
  else if (!here) await nameLaterPlans(raf.folder, system)
  const only = wanted === undefined ? undefined : projectFolder(wanted, folders)
  const projects: ReadProject[] = []
  for (const folder of raf.projects) {
    if (only !== undefined && folder !== only) continue
    try {
      projects.push(await readProject(raf.folder, folder, system.files))
    } catch (error) {
      if (only !== undefined || !(error instanceof RelayError)) throw error
      showNotes([asError(error).message], system)
    }
  }
  const shown = (those: readonly ReadProject[]) => {
    return differingFrom(
      projects,
      those.filter(({ folder }) => only === undefined || folder === only),
    )
  }
  return { projects, worktrees: shown(there.worktrees), branches: shown(there.branches) }
}

async function nameLaterPlans(rafFolder: string, system: System): Promise<void> {
  const later = await laterPlansIn(rafFolder, system.files)
  if (later.length > 0) showNotes([laterWords(later)], system)
}

const nowhere: Omit<Plans, 'projects'> = { worktrees: [], branches: [] }

/** The task of these plans that an agent works on now. */
export function runningIn(
  { projects, worktrees }: Pick<Plans, 'projects' | 'worktrees'>,
  works: readonly { readonly book: string; readonly task: { readonly id: string }; readonly pid: number | undefined }[],
): Running | undefined {
  const work = works.find(({ pid, book }) => {
    return pid !== undefined && [...projects, ...worktrees].some(({ name }) => titleOfName(name) === book)
  })
  const isIts = ({ name }: ReadProject) => titleOfName(name) === work?.book
  const project = worktrees.find(isIts) ?? projects.find(isIts)
  return work === undefined || project === undefined ? undefined : { path: project.path, id: work.task.id }
}
