import { RelayError } from '../errors.ts'
import { type BackOutcome, type UndoRequest, undoEntry } from '../flows/undo.ts'
import type { OverlapChoice } from '../model/back.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { backDone, backUntouched } from '../report/answers/describe-back.ts'
import { describeOutcome } from '../report/answers/describe-outcome.ts'
import { noAnswer } from '../report/answers/outcome-words.ts'
import { committerFor } from './open/committer.ts'
import { openProject } from './open/open-project.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { createBackTalk } from './talk/back-talk.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { exitCodeOf, exitCodeOfInterruption } from './talk/exit-code.ts'
import { styleOf } from './talk/style-of.ts'
import { createWatchEvents, type WatchEvents } from './talk/watch-events.ts'

interface BackOptions extends TrustOptions {
  readonly yes?: boolean
  readonly allowSensitive?: boolean
  /** What to do where edits overlap, said beforehand. */
  readonly onOverlap?: OverlapChoice
}

/** `hasKeys`: of a watcher, whose window takes keys and no commands. */
type TakeBackOptions = BackOptions & { readonly hasKeys?: boolean }

/** `relay undo`, `redo` and `revert`: take back what was kept, with what changed since merged in. */
export const undo = (system: System, which: string | undefined, options: BackOptions) =>
  which === undefined ? back(system, { kind: 'undo' }, options) : revert(system, which, options)
export const redo = (system: System, options: BackOptions) => back(system, { kind: 'redo' }, options)
export const revert = (system: System, which: string, options: BackOptions) =>
  back(system, { kind: 'revert', which }, options)

async function back(system: System, request: UndoRequest, options: BackOptions): Promise<number> {
  const project = await openProject(system)
  await confirmCommands(project, system, options)
  return exitCodeOfBack(await takeBackIn(project, request, options, system), system)
}

/** The same in a project whose commands are agreed to already; what a transaction tells, a program may hear as well. */
export async function takeBackIn(
  project: Project,
  request: UndoRequest,
  options: TakeBackOptions,
  system: System,
  events: WatchEvents = createWatchEvents(system, false),
): Promise<BackOutcome> {
  const talk = events.around(createBackTalk(system, project, options))
  try {
    await resumeHeldFirst(project, system, talk, options)
    const end = await undoEntry(request, project, system, talk, await committerFor(project, system, talk))
    talk.close()
    say(end, request, options, system)
    if (end.kind === 'ended') events.ended(end.outcome)
    return end
  } finally {
    talk.close()
  }
}

function say(end: BackOutcome, request: UndoRequest, { hasKeys }: TakeBackOptions, system: System): void {
  const { terminal, clock } = system
  const style = styleOf(terminal)
  switch (end.kind) {
    case 'none':
      terminal.err(backUntouched({ ...end, wish: request.kind }, style))
      return
    case 'already-undone':
      terminal.err(backUntouched({ kind: 'already-undone', ...end.of, by: end.by }, style))
      return
    case 'left':
      terminal.err(backUntouched(end, style))
      return
    case 'unasked':
      throw new RelayError('declined', `This needs a yes, but ${noAnswer(terminal)}: nothing was written`, {
        hint: `To go on without a question: \`relay ${wordsOf(request)} --yes\`.`,
      })
    case 'ended': {
      const { outcome, view, rescued } = end
      const lines =
        outcome.kind === 'committed'
          ? backDone(view, outcome, rescued, style, hasKeys)
          : describeOutcome(outcome, style, { now: clock.now() })
      for (const line of lines) terminal.err(line)
    }
  }
}

function exitCodeOfBack(end: BackOutcome, system: System): number {
  if (end.kind === 'ended') return exitCodeOf(end.outcome)
  if (end.kind !== 'left') return 0
  return system.interruption.aborted ? exitCodeOfInterruption(system) : 3
}

function wordsOf(request: UndoRequest): string {
  return request.kind === 'revert' ? `undo ${request.which}` : request.kind
}
