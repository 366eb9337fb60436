import type { LandingPlace } from '../../agents/work/land.ts'
import type { WorkOptions } from '../../agents/work/work-parts.ts'
import { workThrough } from '../../agents/work/work-through.ts'
import type { Book } from '../../model/book.ts'
import type { Project } from '../../model/project.ts'
import type { Shipped } from '../../model/ship.ts'
import type { WorkEnd, WorkEvent } from '../../model/task.ts'
import type { System, Talk } from '../../ports.ts'
import type { TakeOptions } from '../follow-up/take-until-settled.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { createLandingTalk, type PersonsLanding } from './landing-talk.ts'
import { createWorkView } from './work-view.ts'

interface RunOptions extends Pick<TakeOptions, 'yes' | 'onOverlap'> {
  readonly talk: Talk
  readonly events: WatchEvents
  /** Gets each event as well. */
  hear?(event: WorkEvent): void
  /** Shows the agent's words from the beginning. */
  readonly verbose?: boolean
}

export interface WorkDone {
  readonly end: WorkEnd
  readonly code: number
}

/** Works through a book, and shows what happens on the screen and as events. */
export async function runWork(
  book: Book,
  placeFor: (landing: PersonsLanding) => LandingPlace,
  work: WorkOptions,
  project: Project,
  { talk, events, hear, verbose = false, ...options }: RunOptions,
  system: System,
): Promise<WorkDone> {
  const agent = work.backend.name
  const view = createWorkView(work.backend, events, system, { hear, verbose })
  const landing = createLandingTalk(agent, project, talk, options, system, events.ended)
  try {
    const end = await workThrough(book, placeFor(landing), work, { system, ...view })
    // For a single attempt, the exit code of the engine says more.
    const isOnly = end.tasks.length <= 1 && work.limits.attempts === 1
    const own = isOnly && end.stopped.kind === 'work-left' ? landing.exitCode : undefined
    return { end, code: own || exitCodeOfWork(end, system) }
  } finally {
    view.close()
  }
}

/** 0: all tasks are done. 7: a question is left open. 8: the agent cannot work. 9: work is left. */
export function exitCodeOfWork({ stopped, shipped }: WorkEnd, system: System): number {
  switch (stopped.kind) {
    case 'all-done':
      return isMissed(shipped) ? exitCodeByKind.agent : 0
    case 'interrupted':
      return exitCodeOfInterruption(system)
    case 'held':
      return exitCodeByKind.unfinished
    case 'no-agent':
      return exitCodeByKind.environment
    case 'work-left':
      return exitCodeByKind.agent
  }
}

/** Whether the user wanted a merge or a pull request, and it was not possible. */
function isMissed(shipped: Shipped | undefined): boolean {
  switch (shipped?.kind) {
    case 'left':
      return shipped.why !== undefined
    case 'pushed':
      return shipped.isFailed
    case 'merged':
    case 'pull-request':
    case undefined:
      return false
  }
}
