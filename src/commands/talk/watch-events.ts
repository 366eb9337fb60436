import type { Outcome } from '../../model/talk.ts'
import type { System, Talk } from '../../ports.ts'
import {
  answeredEvent,
  askedEvent,
  outcomeEvent,
  progressEvent,
  type WatchEvent,
} from '../../report/json/event-json.ts'
import { jsonText } from '../../report/text/json-text.ts'

/** What `relay watch` tells a program, beside what it tells people. */
export interface WatchEvents {
  say(event: WatchEvent): void
  ended(outcome: Outcome): void
  /** The same talk, heard by the program as well. */
  around<T extends Talk>(talk: T): T
}

/**
 * One JSON object a line: on stdout where `isOn`, and to `keep`, for a run of agents that others may look at.
 */
export function createWatchEvents(
  { terminal, clock }: Pick<System, 'terminal' | 'clock'>,
  isOn: boolean,
  keep?: (line: string, event: string) => void,
): WatchEvents {
  if (!isOn && keep === undefined) return { say: () => undefined, ended: () => undefined, around: talk => talk }
  const say = ({ event, ...fields }: WatchEvent) => {
    const line = jsonText({ event, at: clock.now().toISOString(), ...fields }, 0)
    if (isOn) terminal.out(line)
    keep?.(line, event)
  }
  return {
    say,
    ended: outcome => say(outcomeEvent(outcome)),
    around: talk => ({
      ...talk,
      report(progress) {
        talk.report(progress)
        say(progressEvent(progress))
      },
      async ask(question) {
        say(askedEvent(question))
        const answer = await talk.ask(question)
        say(answeredEvent(question, answer))
        return answer
      },
    }),
  }
}
