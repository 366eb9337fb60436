import type { RelayOptions } from '../../flows/understood-answer.ts'
import type { Project } from '../../model/project.ts'
import type { SourceName } from '../../model/response.ts'
import type { AnswerChoice } from '../../model/stale.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { describeOutcome } from '../../report/answers/describe-outcome.ts'
import { exitCodeByKind, exitCodeOf, exitCodeOfInterruption } from '../talk/exit-code.ts'
import { styleOf } from '../talk/style-of.ts'
import { offerWayOut } from '../talk/way-out.ts'
import { copyIfWished } from './copy-follow-up.ts'

export interface TakeOptions {
  readonly yes?: boolean
  readonly again?: boolean
  readonly last?: boolean
  readonly declined?: string
  readonly onOverlap?: AnswerChoice
  readonly commit?: boolean
}

interface Taken {
  readonly source: SourceName
  readonly isEmpty?: boolean
  /**
   * It is work that an agent made, and no answer: no chat could be asked for a better one. `again` takes it once more.
   * `asksOverlap`: `false` where an overlap goes back to the agent unasked, `true` where a no to it ends the task.
   */
  readonly made?: { readonly again: string; readonly asksOverlap?: boolean }
}

/**
 * Takes a change into the project, and then in another way if it was not taken and the user wants that; gives the exit code.
 */
export async function takeUntilSettled(
  take: (way: RelayOptions) => Promise<Outcome>,
  { source, isEmpty = false, made }: Taken,
  project: Project,
  system: System,
  options: TakeOptions,
  hear?: (outcome: Outcome) => void,
): Promise<number> {
  const { onOverlap, last, again, declined } = options
  const asGiven = {
    again: again === true || last === true || declined !== undefined,
    ...(onOverlap === undefined ? {} : { onOverlap }),
  }
  for (let way: RelayOptions = asGiven; ; ) {
    const outcome = await take(way)
    hear?.(outcome)
    const { whyUnasked, canAsk } = system.terminal
    const { projectId, approval } = project.config
    const willAsk = canAsk && approval !== 'never'
    const about = { now: system.clock.now(), projectId, source, isEmpty, whyUnasked, willAsk, ...made }
    for (const line of describeOutcome(outcome, styleOf(system.terminal), about)) system.terminal.err(line)
    await copyIfWished(outcome, project, system)
    // Who says yes beforehand is not there to be asked.
    const isOverlap = outcome.kind === 'overlap' && made?.asksOverlap !== false
    const isGone = (options.yes === true || made !== undefined) && !isOverlap
    const next = isGone ? undefined : await offerWayOut(outcome, way, project, system, undefined, endsTask(made))
    if (next === undefined) return exitCodeAtEnd(outcome, system)
    way = next
  }
}

/** What a no to an overlap does, besides that nothing is applied. */
function endsTask(made: Taken['made']): string | undefined {
  return made?.asksOverlap === true ? 'the task ends, and its work is kept for `relay apply --kept`' : undefined
}

function exitCodeAtEnd(outcome: Outcome, system: System): number {
  const isUntaken = ['refused', 'ignored', 'overlap'].includes(outcome.kind)
  if (isUntaken && system.interruption.aborted) return exitCodeOfInterruption(system)
  // Whoever was asked has declined.
  return outcome.kind === 'overlap' && system.terminal.canAsk ? exitCodeByKind.declined : exitCodeOf(outcome)
}
