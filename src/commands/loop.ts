import { takeLoopsBack } from '../agents/prd/loop-aside.ts'
import { loopErrand } from '../agents/prd/loop-errand.ts'
import { claimLoop, type Loop, openLoop, prdPathIn } from '../agents/prd/open-loop.ts'
import { loopKey } from '../agents/prd/prd-book.ts'
import { isWorkLeft } from '../agents/work/work-note.ts'
import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { AfterRun } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { noProject } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { wordsOfPaths } from '../report/text/words-of-paths.ts'
import { projectAround } from './alone/project-around.ts'
import { runAlone } from './alone/run-alone.ts'
import { readWork, type WorkCommandOptions } from './alone/work-options.ts'
import { showNotes } from './talk/show-notes.ts'

interface LoopOptions extends Omit<WorkCommandOptions, 'attempts'> {
  readonly prd?: string
  readonly base?: string
  readonly after?: AfterRun
  readonly verbose?: boolean
}

/** `relay loop`: carries out the user stories of a prd.json one by one, each with a fresh agent, until all pass. */
export async function loop(given: System, typedMax: string | undefined, options: LoopOptions): Promise<number> {
  const max = maxOf(typedMax)
  const around = await projectAround(given)
  const { root } = around.project
  const system = await outsideProject(root, given)
  const doors = { ...around, given, system }
  if (options.dryRun === true) return carryOut(await prdPathIn(root, options.prd, system), max, options, doors)
  await takeLoopsBack(root, system)
  const path = await prdPathIn(root, options.prd, system)
  // Before anything is prepared: it would be another loop's files that change.
  const leave = await claimLoop(root, path, system)
  try {
    return await carryOut(path, max, options, doors)
  } finally {
    await leave()
  }
}

interface LoopDoors {
  readonly project: Project
  readonly isPlain: boolean
  /** As the user started relay; the other one without what lies in the project. */
  readonly given: System
  readonly system: System
}

async function carryOut(
  prdPath: string,
  max: number,
  options: LoopOptions,
  { project, isPlain, given, system }: LoopDoors,
): Promise<number> {
  const { base, after } = options
  const { root } = project
  const found = await openLoop(root, prdPath, base, system)
  const isDone = found.prd.prd.stories.every(({ passes }) => passes)
  // A run that was stopped after the last story still has work to land.
  if (isDone && (after ?? 'leave') === 'leave' && !(await isWorkLeft(root, loopKey(found), system))) {
    system.terminal.err(`All user stories of ${found.paths.prd} pass: there is nothing to do.`)
    return 0
  }
  if (found.isHere && isPlain) throw noProject(system.cwd)
  if (found.isHere && after !== undefined && after !== 'leave') {
    throw new RelayError('usage', `You are on ${found.branch}: the stories land here, and --after has nothing to do`, {
      hint: 'Leave it out, or check out another branch first.',
    })
  }
  const ready = await readWork(options, project, 'amp', given)
  const work = { ...ready.work, limits: { ...ready.work.limits, iterations: max } }
  showNotes(notesOn(found, options, isPlain), system)
  const errand = loopErrand(found, { ...ready, work }, { base, isShipSaid: after !== undefined })
  return runAlone(errand, { ...ready, work }, options)
}

/** Notes that the user should read before the run begins. */
function notesOn(found: Loop, { base, after }: LoopOptions, isPlain: boolean): readonly string[] {
  const { branch, isHere, isNew, from, uncommitted, root, paths } = found
  const where = isHere
    ? `the work lands here, because you are on ${branch}`
    : `the work goes to the branch ${branch}${isNew ? `, which starts at ${from}` : ''}; here only ${paths.prd} and ${paths.progress} change${after === 'merge' ? ' until it is merged' : ''}`
  return [
    where,
    ...(!isNew && base !== undefined ? [`${branch} is there already: --base is not used`] : []),
    ...(uncommitted.length === 0 ? [] : [`not committed, so not on that branch: ${wordsOfPaths(uncommitted)}`]),
    ...(isPlain ? [`no relaycode.config.json in ${root}: nothing is checked but what the agent checks itself`] : []),
  ]
}

const usualMax = 10

function maxOf(typed: string | undefined): number {
  const max = typed === undefined ? usualMax : Number(typed)
  if (Number.isInteger(max) && max >= 1) return max
  throw new RelayError('usage', `relay loop takes the number of iterations, 1 or more, not "${typed}"`)
}
