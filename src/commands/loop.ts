import type { LandingTalk } from '../agents/land.ts'
import type { Loop } from '../agents/open-loop.ts'
import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { ShipWish } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { noProject } from '../project/load-project.ts'
import { wordsOfPaths } from '../report/text/words-of-paths.ts'
import { confirmAgents } from './talk/confirm-agents.ts'
import { confirmCommands } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { createWatchEvents } from './talk/watch-events.ts'
import { projectAround } from './work/project-around.ts'
import { readWork, type WorkCommandOptions } from './work/work-options.ts'

interface LoopOptions extends Omit<WorkCommandOptions, 'attempts'> {
  readonly prd?: string
  readonly base?: string
  readonly after?: ShipWish
}

/** `relay loop`: one user story of a prd.json after the other, each by a fresh agent, until all pass. */
export async function loop(system: System, typedMax: string | undefined, options: LoopOptions): Promise<number> {
  const max = maxOf(typedMax)
  // The engine and all of git are loaded for this alone: help need not wait for it.
  const { openLoop, prdPathIn } = await import('../agents/open-loop.ts')
  const { project, isPlain } = await projectAround(system)
  const { root } = project
  const found = await openLoop(root, await prdPathIn(root, options.prd, system), options.base, system)
  const isDone = found.prd.prd.stories.every(({ passes }) => passes)
  if (isDone && (options.after ?? 'leave') === 'leave' && !(await isLeft(found, system))) {
    system.terminal.err(`All user stories of ${found.paths.prd} pass: there is nothing to do.`)
    return 0
  }
  if (found.isHere && isPlain) throw noProject(system.cwd)
  const ready = await readWork(options, project, 'amp', system)
  const limits = { ...ready.work.limits, iterations: max }
  const work = { ...ready.work, limits }
  const allow = work.sandbox === 'danger-full-access' ? 'any' : work.allow
  const { storiesToCome } = await import('../agents/books/prd/prd-book.ts')
  showNotes(notesOn(found, options, isPlain), system)
  if (options.dryRun === true) {
    const { showDryRun } = await import('./work/dry-run.ts')
    showDryRun(found.paths.prd, await storiesToCome({ ...found, allow }, system), work, system)
    return 0
  }
  await confirmAgents(root, [work.backend], project, system, { ...options, mayWrite: true })
  await confirmCommands(ready.project, system, options)
  return run(found, ready.project, { ...options, work, allow }, system)
}

async function run(
  found: Loop,
  project: Project,
  options: LoopOptions & Pick<Awaited<ReturnType<typeof readWork>>, 'work'> & { allow: readonly string[] | 'any' },
  system: System,
): Promise<number> {
  const [
    { createTalk },
    { resumeHeldFirst },
    { runWork },
    { prdBook },
    { beginLoop },
    { landHere },
    { landOnBranch },
    { loopShip },
  ] = await Promise.all([
    import('./talk/talk.ts'),
    import('./recover/resume-held-first.ts'),
    import('./work/run-work.ts'),
    import('../agents/books/prd/prd-book.ts'),
    import('../agents/books/prd/begin-loop.ts'),
    import('../agents/land-here.ts'),
    import('../agents/land-branch.ts'),
    import('../agents/open-loop.ts'),
  ])
  const { work, allow } = options
  const { branch, isHere } = found
  const events = createWatchEvents(system, options.json === true)
  const screen = createTalk(system, () => project, options)
  try {
    const talk = events.around(screen)
    if (isHere) await resumeHeldFirst(project, system, talk, options)
    const archive = await beginLoop(found, branch, system)
    if (archive !== undefined) showNotes([`the last run is in ${archive.folder}/`], system)
    const book = prdBook({ ...found, branchName: branch, allow }, system)
    const ship = await loopShip(found, options, system)
    const onInstructions = (paths: readonly string[]) => {
      showNotes(
        [`on ${branch} there is text for agents now, which nobody was asked about: ${paths.join(', ')}`],
        system,
      )
    }
    const place = (landing: LandingTalk) =>
      isHere
        ? landHere(project, { commits: true, patience: 1000 * work.limits.timeout }, landing)
        : landOnBranch(project, { ...found, ship }, landing, onInstructions)
    return (await runWork(book, place, work, project, { ...options, talk, events }, system)).code
  } finally {
    screen.close()
  }
}

/** A run that was stopped has left something to bring to its end. */
async function isLeft({ root, at, paths }: Loop, system: System): Promise<boolean> {
  const { worksOf } = await import('../agents/work-note.ts')
  const works = await worksOf(root, system)
  return works.some(({ note }) => note.book === paths.prd) || (await system.files.stat(at)) !== null
}

/** What a user has to know before it begins. */
function notesOn(found: Loop, { base }: LoopOptions, isPlain: boolean): readonly string[] {
  const { branch, isHere, isNew, from, uncommitted, root } = found
  const where = isHere
    ? `it lands here: you are on ${branch}`
    : `it lands on the branch ${branch}${isNew ? `, made from ${from}` : ''}; nothing changes here but prd.json and progress.txt`
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
  throw new RelayError('usage', `relay loop takes how many iterations there may be, from 1, not "${typed}"`)
}
