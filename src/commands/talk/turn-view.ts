import type { AgentEvent, TurnEnd } from '../../model/agent.ts'
import type { System } from '../../ports.ts'
import { type AskedAgent, endingLine, readAgentEvent, turnLines, workingLine } from '../../report/agents/turn-lines.ts'
import { answeredEvent } from '../../report/json/agent-json.ts'
import { marked } from '../../report/text/hanging.ts'
import { styleOf } from './style-of.ts'
import type { WatchEvents } from './watch-events.ts'

/** What a person and a program see of agents at work. */
export interface TurnView {
  /** An agent does something. */
  tell(agent: string, event: AgentEvent): void
  /** It works no more: a program hears how it came out. */
  done(agent: string, end: TurnEnd): void
  /** A person is told how it came out. */
  ended(agent: string, end: TurnEnd): void
  /** Takes the live line off the screen. */
  close(): void
}

const refreshMs = 1000
/** Where there is no live line: in a pipe and in a log. */
const lineEachMs = 30_000

/**
 * Shows what these agents do from now on: one live line (in a pipe a line now and then), a line for each that ends, and an event
 * for each thing that happens.
 */
export function createTurnView(agents: readonly AskedAgent[], events: WatchEvents, system: System): TurnView {
  const { terminal, clock, interruption } = system
  const begun = clock.monotonic()
  const doing = new Map(agents.map(({ name }) => [name, 'is starting']))
  /** Milliseconds. */
  const took = new Map<string, number>()
  const refused = new Map<string, Set<string>>(agents.map(({ name }) => [name, new Set()]))
  const over = new AbortController()
  const line = () => {
    const working = [...doing].map(([name, words]) => ({ name, doing: words }))
    return workingLine(working, clock.monotonic() - begun, styleOf(terminal))
  }
  let next = begun + lineEachMs
  const show = () => {
    if (terminal.live) return terminal.status(line())
    if (doing.size === 0 || clock.monotonic() < next) return
    next = clock.monotonic() + lineEachMs
    for (const each of marked('watching', line(), styleOf(terminal))) terminal.err(each)
  }
  const refresh = async () => {
    while (!over.signal.aborted) {
      show()
      await clock.sleep(refreshMs, over.signal)
    }
  }
  void refresh()
  const interrupted = () => {
    const names = [...doing.keys()]
    if (names.length > 0) terminal.err(endingLine(names, interruption.reason === 'SIGINT', styleOf(terminal)))
    for (const name of names) doing.set(name, 'is being ended')
    show()
  }
  interruption.addEventListener('abort', interrupted, { signal: over.signal })
  return {
    tell(agent, event) {
      const read = readAgentEvent(agent, event)
      if (read.json !== undefined) events.say(read.json)
      if (event.kind === 'denied') refused.get(agent)?.add(event.what)
      if (read.doing !== undefined && !interruption.aborted) doing.set(agent, read.doing)
    },
    done(agent, end) {
      events.say(answeredEvent(agent, end))
      doing.delete(agent)
      took.set(agent, clock.monotonic() - begun)
    },
    ended(agent, end) {
      const asked = agents.find(({ name }) => name === agent) ?? { name: agent, login: {} }
      const facts = { ms: took.get(agent) ?? 0, refused: [...(refused.get(agent) ?? [])] }
      for (const line of turnLines(asked, end, facts, styleOf(terminal))) terminal.err(line)
    },
    close() {
      over.abort()
      terminal.status(undefined)
    },
  }
}
