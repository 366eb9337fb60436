import type { AgentEvent, TurnEnd } from '../../model/agent.ts'
import type { System } from '../../ports.ts'
import { agentEvent, answeredEvent } from '../../report/agent-json.ts'
import { doingWords, turnLines, workingLine } from '../../report/turn-lines.ts'
import { styleOf } from './style-of.ts'
import type { WatchEvents } from './watch-events.ts'

/** What a person and a program see of agents at work. */
export interface TurnView {
  /** An agent does something. */
  tell(agent: string, event: AgentEvent): void
  /** It works no more. */
  done(agent: string): void
  /** How it came out. */
  ended(agent: string, end: TurnEnd): void
  /** Takes the live line off the screen. */
  close(): void
}

const refreshMs = 1000

/** Shows what these agents do from now on: one live line, a line for each that ends, and an event for each thing that happens. */
export function createTurnView(agents: readonly string[], events: WatchEvents, system: System): TurnView {
  const { terminal, clock } = system
  const begun = clock.monotonic()
  const doing = new Map(agents.map(agent => [agent, 'is starting']))
  /** Milliseconds. */
  const took = new Map<string, number>()
  const over = new AbortController()
  const show = () => {
    const working = [...doing].map(([name, words]) => ({ name, doing: words }))
    terminal.status(workingLine(working, clock.monotonic() - begun, styleOf(terminal)))
  }
  const refresh = async () => {
    while (!over.signal.aborted) {
      show()
      await clock.sleep(refreshMs, over.signal)
    }
  }
  if (terminal.live) void refresh()
  return {
    tell(agent, event) {
      // An answer comes in many pieces; nobody needs to be told of each.
      const told = agentEvent(agent, event)
      if (told !== undefined) events.say(told)
      const words = doingWords(event)
      if (words !== undefined) doing.set(agent, words)
    },
    done(agent) {
      doing.delete(agent)
      took.set(agent, clock.monotonic() - begun)
    },
    ended(agent, end) {
      events.say(answeredEvent(agent, end))
      for (const line of turnLines(agent, end, took.get(agent) ?? 0, styleOf(terminal))) terminal.err(line)
    },
    close() {
      over.abort()
      terminal.status(undefined)
    },
  }
}
