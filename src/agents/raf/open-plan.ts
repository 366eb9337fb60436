import type { System } from '../../ports.ts'
import { worksOf } from '../work/work-note.ts'
import { rafFolderIn } from './find-raf.ts'
import { titleOfFolder } from './names.ts'
import { type RafBranch, rafBranchOf } from './raf-branches.ts'
import { takePlansBack } from './raf-ship.ts'
import { type ReadProject, readProject } from './read-project.ts'

/** A plan to work on. */
export interface Plan {
  readonly root: string
  readonly folder: string
  /** `undefined` where the work lands in the user's folder. */
  readonly branch: RafBranch | undefined
  /** As it was when it was opened. */
  readonly project: ReadProject
  /** Reads it as it is now. */
  read(): Promise<ReadProject>
}

/** Opens the plan of a folder, as it is there or on its branch. */
export async function openPlan(root: string, folder: string, onBranch: boolean, system: System): Promise<Plan> {
  if (onBranch) await takePlansBack(root, system)
  const branch = onBranch ? await rafBranchOf(root, folder, system) : undefined
  const read = branch?.read ?? (() => readProject(rafFolderIn(root), folder, system.files))
  return { root, folder, branch, read, project: await read() }
}

/** Whether a run of the plan was stopped, so that its last steps may be left although all tasks are done. */
export async function isPlanUnfinished({ root, folder }: Plan, system: System): Promise<boolean> {
  return (await worksOf(root, system)).some(({ note }) => note.book === titleOfFolder(folder))
}
