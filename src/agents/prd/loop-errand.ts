import type { AfterRun } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { commandsInPrompt, type Errand, type ReadyWork } from '../work/errand.ts'
import type { LandingPlace, LandingTalk } from '../work/land.ts'
import { landOnBranch } from '../work/land-branch.ts'
import { landHere } from '../work/land-here.ts'
import { withFilesAside } from '../work/put-aside.ts'
import { beginLoop } from './begin-loop.ts'
import { loopAsidePlace, loopAsides } from './loop-aside.ts'
import { type Loop, loopShip } from './open-loop.ts'
import { prdBook, storiesToCome } from './prd-book.ts'

interface LoopOptions {
  readonly base: string | undefined
  /** The user has said what becomes of the branch. */
  readonly isShipSaid: boolean
}

/** Has agents carry out the stories of a loop. Each lands in the user's folder, or on the loop's branch. */
export function loopErrand(loop: Loop, ready: ReadyWork, options: LoopOptions): Errand {
  const { paths, branch, usersBranch, isHere } = loop
  const { project, work, system } = ready
  const { base, isShipSaid } = options
  const allow = commandsInPrompt(work)
  const env = work.env ?? system.env
  return {
    isHere,
    commits: true,
    // In the user's own folder there is nothing to ship.
    branch: isHere ? undefined : { name: branch, into: base ?? usersBranch },
    toCome: async () => ({ book: paths.prd, tasks: await storiesToCome({ ...loop, allow }, system) }),
    async begin({ after, note }) {
      const archive = await beginLoop(loop, branch, system)
      if (archive !== undefined) note(`the last run is in ${archive.folder}/`)
      const book = prdBook({ ...loop, allow }, system)
      if (!isHere) return { book, placeFor: await onBranch(loop, ready, { after, base, env, note }) }
      const patience = 1000 * work.limits.timeout
      return { book, placeFor: landing => landHere(project, { commits: true, patience, env }, landing) }
    },
    async ended({ shipped }, after) {
      const isLeft = shipped?.kind === 'left' && after === 'leave' && !isShipSaid
      return { notes: [], next: isLeft ? '`relay loop --after merge`, or `relay loop --after pr`' : undefined }
    },
  }
}

interface BranchOptions {
  readonly after: AfterRun
  readonly base: string | undefined
  readonly env: System['env']
  note(sentence: string): void
}

async function onBranch(
  loop: Loop,
  { project, system }: ReadyWork,
  { after, base, note, ...options }: BranchOptions,
): Promise<(landing: LandingTalk) => LandingPlace> {
  const settings = await loopShip(loop, after, base, system)
  const onInstructions = (paths: readonly string[]) => {
    note(`on ${loop.branch} there is text for agents now, which nobody was asked about: ${paths.join(', ')}`)
  }
  return landing => {
    const place = landOnBranch(project, { ...loop, ship: settings, ...options }, landing, onInstructions)
    const { ship } = place
    if (ship === undefined || settings.wish !== 'merge') return place
    return {
      ...place,
      ship: async () => withFilesAside(loopAsidePlace(loop), await loopAsides(loop, system), ship, system),
    }
  }
}
