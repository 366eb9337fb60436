import { resolve } from 'node:path'
import { beginLoop } from '../agents/prd/begin-loop.ts'
import { loopAsidePlace, loopAsides } from '../agents/prd/loop-aside.ts'
import { usualPlaces } from '../agents/prd/loop-files.ts'
import { type Loop, lastPrdIn, loopFolder, loopShip, openLoop, prdPathIn } from '../agents/prd/open-loop.ts'
import { loopKey, prdBook, storiesToCome } from '../agents/prd/prd-book.ts'
import type { ReadyWork } from '../agents/work/errand.ts'
import type { LandingPlace, LandingTalk } from '../agents/work/land.ts'
import { landOnBranch } from '../agents/work/land-branch.ts'
import { landHere } from '../agents/work/land-here.ts'
import { takeBack, withFilesAside } from '../agents/work/put-aside.ts'
import { isWorkLeft } from '../agents/work/work-note.ts'
import { RelayError } from '../errors.ts'
import { insideOf } from '../ground/paths.ts'
import type { Project } from '../model/project.ts'
import type { ShipWish } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { noProject } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { wordsOfPaths } from '../report/text/words-of-paths.ts'
import { chooseAfter } from './alone/choose-after.ts'
import { showDryRun } from './alone/dry-run.ts'
import { projectAround } from './alone/project-around.ts'
import { runWork } from './alone/run-work.ts'
import { readWork, type WorkCommandOptions } from './alone/work-options.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { confirmAgents } from './talk/confirm-agents.ts'
import { confirmCommands } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { createTalk } from './talk/talk.ts'
import { createWatchEvents } from './talk/watch-events.ts'

interface LoopOptions extends Omit<WorkCommandOptions, 'attempts'> {
  readonly prd?: string
  readonly base?: string
  readonly after?: ShipWish
  readonly discardCheckout?: boolean
}

/** `relay loop`: carries out the user stories of a prd.json one by one, each with a fresh agent, until all pass. */
export async function loop(given: System, typedMax: string | undefined, options: LoopOptions): Promise<number> {
  const max = maxOf(typedMax)
  const { project, isPlain } = await projectAround(given)
  const { root } = project
  const system = await outsideProject(root, given)
  const named = options.prd === undefined ? [] : [insideOf(root, resolve(system.cwd, options.prd)) ?? '']
  for (const path of [...usualPlaces, ...named]) {
    await takeBack(loopAsidePlace({ root, lastPrd: lastPrdIn(loopFolder(root, path, system)) }), system)
  }
  const found = await openLoop(root, await prdPathIn(root, options.prd, system), options.base, system)
  const isDone = found.prd.prd.stories.every(({ passes }) => passes)
  // A run that was stopped after the last story still has work to land.
  if (isDone && (options.after ?? 'leave') === 'leave' && !(await isWorkLeft(root, loopKey(found), system))) {
    system.terminal.err(`All user stories of ${found.paths.prd} pass: there is nothing to do.`)
    return 0
  }
  if (found.isHere && isPlain) throw noProject(system.cwd)
  if (found.isHere && options.after !== undefined) {
    throw new RelayError('usage', `You are on ${found.branch}: the stories land here, and --after has nothing to do`, {
      hint: 'Leave it out, or check out another branch first.',
    })
  }
  const ready = await readWork(options, project, 'amp', given)
  const work = { ...ready.work, limits: { ...ready.work.limits, iterations: max } }
  showNotes(notesOn(found, options, isPlain), system)
  if (options.dryRun === true) {
    showDryRun(found.paths.prd, await storiesToCome({ ...found, allow: toldCommands(work) }, system), work, system)
    return 0
  }
  await confirmAgents(root, [work.backend], project, system, { ...options, mayWrite: true })
  await confirmCommands(project, system, options)
  return run(found, { ...ready, work }, options)
}

async function run(found: Loop, { project, work, system }: ReadyWork, options: LoopOptions): Promise<number> {
  const after = await chooseAfterLoop(found, options, project, system)
  const events = createWatchEvents(system, options.json === true)
  const screen = createTalk(system, () => project, options)
  try {
    const talk = events.around(screen)
    if (found.isHere) await resumeHeldFirst(project, system, talk, options)
    const archive = await beginLoop(found, found.branch, system)
    if (archive !== undefined) showNotes([`the last run is in ${archive.folder}/`], system)
    const book = prdBook({ ...found, allow: toldCommands(work) }, system)
    const place = await placeOf(found, project, work, { ...options, after }, system)
    const { end, code } = await runWork(book, place, work, project, { ...options, talk, events }, system)
    if (end.shipped?.kind === 'left' && after === 'leave' && options.after === undefined) {
      system.terminal.err('Next: `relay loop --after merge`, or `relay loop --after pr`')
    }
    return code
  } finally {
    screen.close()
  }
}

/** In the user's own folder there is nothing to ship. */
async function chooseAfterLoop(
  { branch, usersBranch, isHere }: Loop,
  { after, base }: LoopOptions,
  project: Project,
  system: System,
): Promise<ShipWish> {
  return isHere ? 'leave' : chooseAfter(after, { name: branch, into: base ?? usersBranch }, project, system)
}

function toldCommands({ sandbox, allow }: ReadyWork['work']): readonly string[] | 'any' {
  return sandbox === 'danger-full-access' ? 'any' : allow
}

async function placeOf(
  found: Loop,
  project: Project,
  { limits, env }: ReadyWork['work'],
  { after, base, discardCheckout }: LoopOptions & { readonly after: ShipWish },
  system: System,
): Promise<(landing: LandingTalk) => LandingPlace> {
  const { branch, isHere } = found
  if (isHere)
    return landing =>
      landHere(project, { commits: true, patience: 1000 * limits.timeout, ...(env && { env }) }, landing)
  const settings = await loopShip(found, after, base, system)
  const discard = discardCheckout === true
  const onInstructions = (paths: readonly string[]) => {
    showNotes(
      [`on ${branch} there is text for agents now, which nobody was asked about: ${wordsOfPaths(paths)}`],
      system,
    )
  }
  return landing => {
    const place = landOnBranch(
      project,
      { ...found, ship: settings, discard, ...(env && { env }) },
      landing,
      onInstructions,
    )
    const { ship } = place
    if (ship === undefined || settings.wish !== 'merge') return place
    return {
      ...place,
      ship: async () => withFilesAside(loopAsidePlace(found), await loopAsides(found, system), ship, system),
    }
  }
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
