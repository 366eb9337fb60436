import type { RafBranch } from '../../agents/raf/raf-branches.ts'
import { rafShip, shipPlan } from '../../agents/raf/raf-ship.ts'
import type { LandingPlace } from '../../agents/work/land.ts'
import { landOnBranch } from '../../agents/work/land-branch.ts'
import { landHere } from '../../agents/work/land-here.ts'
import type { WorkOptions } from '../../agents/work/work-through.ts'
import type { Project } from '../../model/project.ts'
import type { ShipWish } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { showNotes } from '../talk/show-notes.ts'
import type { PersonsLanding } from './landing-talk.ts'

interface PlaceOptions {
  readonly work: WorkOptions
  readonly after: ShipWish | undefined
  readonly commit?: boolean
  /** Drops uncommitted changes in the work tree. */
  readonly discardCheckout?: boolean
}

/** The landing place of a plan's tasks: the user's folder, or the plan's branch. */
export async function placeOfPlan(
  project: Project,
  branch: RafBranch | undefined,
  { work, after, commit, discardCheckout }: PlaceOptions,
  system: System,
): Promise<(landing: PersonsLanding) => LandingPlace> {
  if (branch === undefined) {
    const patience = 1000 * work.limits.timeout
    return landing => landHere(project, { commits: commit !== false, patience, env: work.env ?? system.env }, landing)
  }
  const { folder, at } = branch
  const ship = await rafShip(project.root, branch, after ?? 'leave', system)
  const onInstructions = (paths: readonly string[]) => {
    showNotes([`on ${folder} there is text for agents now, which nobody was asked about: ${paths.join(', ')}`], system)
  }
  return landing => {
    const place = landOnBranch(
      project,
      { branch: folder, at, ship, discard: discardCheckout === true, env: work.env ?? system.env },
      landing,
      onInstructions,
    )
    const shipIt = place.ship
    return shipIt === undefined ? place : { ...place, ship: () => shipPlan(project.root, branch, shipIt, system) }
  }
}
