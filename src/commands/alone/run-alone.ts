import { keepRunEvents } from '../../agents/run/run-events.ts'
import type { Errand, ReadyWork } from '../../agents/work/errand.ts'
import { mustHaveLfs, whyNoCommit } from '../../agents/work/preflight.ts'
import type { ConfirmedFiles } from '../../model/agent.ts'
import type { AfterRun } from '../../model/ship.ts'
import type { WorkEvent } from '../../model/task.ts'
import { resumeHeldFirst } from '../recover/resume-held-first.ts'
import { confirmAgents } from '../talk/confirm-agents.ts'
import { confirmCommands, type TrustOptions } from '../talk/confirm-commands.ts'
import { showNotes } from '../talk/show-notes.ts'
import { createTalk } from '../talk/talk.ts'
import { createWatchEvents } from '../talk/watch-events.ts'
import { chooseAfter } from './choose-after.ts'
import { showDryRun } from './dry-run.ts'
import { notifyOfEnd } from './notify-of-end.ts'
import { requireNoOpenQuestion } from './require-no-open-question.ts'
import { runWork } from './run-work.ts'
import type { WorkCommandOptions } from './work-options.ts'

interface AloneOptions
  extends Pick<WorkCommandOptions, 'trust' | 'yes' | 'allowSensitive' | 'onOverlap' | 'dryRun' | 'json'> {
  /** What becomes of the branch; the user is asked where it is left out. */
  readonly after?: AfterRun
  readonly verbose?: boolean
}

/**
 * The road of every command in which agents work by themselves: the user agrees to what will run, whatever would keep the work
 * from landing is settled, and then the agents work through the errand. Gives the exit code.
 *
 * The order is the promise: a dry run starts nothing, every question comes before an agent is paid for, and an errand begins
 * only after all of them.
 */
export async function runAlone(errand: Errand, ready: ReadyWork, options: AloneOptions): Promise<number> {
  const { project, work, system } = ready
  if (options.dryRun === true && errand.toCome !== undefined) {
    const { book, tasks } = await errand.toCome()
    showDryRun(book, tasks, work, system)
    return 0
  }
  if (errand.commits) await mustHaveLfs(project.root, system)
  const confirmed = await confirmWork(ready, options)
  const after = errand.branch ? await chooseAfter(options.after, errand.branch, project, system) : 'leave'
  const isJson = options.json === true
  const screen = createTalk(system, () => project, options)
  const note = (sentence: string) => showNotes([sentence], system)
  try {
    if (errand.isHere) {
      await resumeHeldFirst(project, system, createWatchEvents(system, isJson).around(screen), options)
      await requireNoOpenQuestion(project, system)
      const why = errand.commits ? await whyNoCommit(project.root, system) : undefined
      if (why !== undefined) note(`what lands will not be committed: ${why}`)
    }
    const { code } = await notifyOfEnd(ready, async noteBook => {
      const { book, placeFor } = await errand.begin({ after, note })
      noteBook(book.name)
      const hear = (event: WorkEvent) => errand.hear?.(event)
      const about = { root: project.root, book: book.name, key: book.key, agent: work.backend.name }
      const kept = keepRunEvents(about, why => note(`what this run does cannot be written down: ${why}`), system)
      const events = createWatchEvents(system, isJson, kept.add)
      const doors = { ...options, talk: events.around(screen), events, hear }
      const run = runWork(book, placeFor, { ...work, confirmed }, project, doors, system)
      const done = await run.finally(kept.close)
      const { notes = [], next } = (await errand.ended?.(done.end, after)) ?? {}
      showNotes(notes, system)
      if (next !== undefined) system.terminal.err(`Next: ${next}`)
      return done
    })
    return code
  } finally {
    screen.close()
  }
}

/**
 * Asks the user to agree to what the agent and the checks would run, as it is at this moment. Gives the project's files for
 * agents as they were confirmed.
 */
export async function confirmWork(
  { project, work, system }: ReadyWork,
  options: TrustOptions,
): Promise<ConfirmedFiles> {
  const confirmed = await confirmAgents(project.root, [work.backend], project, system, { ...options, mayWrite: true })
  await confirmCommands(project, system, options)
  return confirmed
}
