import type { Outcome } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { describeOutcome } from '../../report/answers/describe-outcome.ts'
import type { About } from '../../report/answers/outcome-words.ts'
import { plainOutcome } from '../../report/answers/plain-lines.ts'
import { isScreen, styleOf } from './style-of.ts'
import type { WatchEvents } from './watch-events.ts'

/** How a response ended: on a screen a verdict with what belongs to it, in a log one stamped line. */
export function sayOutcome(
  outcome: Outcome,
  known: Omit<About, 'now'>,
  { terminal, clock }: Pick<System, 'terminal' | 'clock'>,
  events: WatchEvents,
): void {
  const about = { ...known, now: clock.now(), whyUnasked: terminal.whyUnasked }
  const lines = isScreen(terminal)
    ? describeOutcome(outcome, styleOf(terminal), about)
    : [plainOutcome(outcome, about.now, about)]
  for (const line of lines) terminal.err(line)
  events.ended(outcome)
}
