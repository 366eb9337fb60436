import type { LimitWait } from '../../agents/work/work-parts.ts'
import type { WorkEvent } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import type { AskedAgent } from '../../report/agents/turn-lines.ts'
import { readWorkEvent } from '../../report/agents/work-events.ts'
import { noteLines } from '../../report/text/hanging.ts'
import { visible } from '../../report/text/visible.ts'
import { styleOf } from '../talk/style-of.ts'
import { createTurnView, type TurnView } from '../talk/turn-view.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { waitForLimit } from './limit-wait.ts'

/** The view of a run through a book, for the user and for programs (`--json`). */
export interface WorkView {
  tell(event: WorkEvent): void
  /** Takes the user's sentence for the next envelope (`m`), once. */
  takeUserNote(): string | undefined
  waitForLimit(until: Date): LimitWait
  close(): void
}

/** @param hear gets each event as well; `verbose` shows the agent's words from the beginning */
export function createWorkView(
  asked: AskedAgent,
  events: WatchEvents,
  system: System,
  { hear = () => {}, verbose = false }: { hear?: ((event: WorkEvent) => void) | undefined; verbose?: boolean } = {},
): WorkView {
  const agent = asked.name
  let turn: TurnView | undefined
  let isOnly = false
  const keys = createTurnKeys(system, verbose)
  const endTurn = () => {
    keys.stop()
    turn?.close()
    turn = undefined
  }
  const followTurn = (event: WorkEvent) => {
    if (event.kind === 'agent') {
      turn?.tell(agent, event.event)
      if (event.event.kind === 'text' && keys.showsWords()) system.terminal.err(visible(event.event.text))
    }
    if (event.kind === 'turn-ended') {
      turn?.done(agent, event.end)
      turn?.ended(agent, event.end)
      endTurn()
    }
  }
  return {
    tell(event) {
      if (event.kind === 'run-begun') isOnly = event.tasks === 1 && event.limits.attempts === 1
      const { lines, json } = readWorkEvent(event, { agent, isOnly }, styleOf(system.terminal))
      if (json !== undefined) events.say(json)
      followTurn(event)
      for (const line of lines) system.terminal.err(line)
      if (event.kind === 'attempt-begun') {
        turn = createTurnView([asked], events, system)
        keys.start(isOnly)
      }
      hear(event)
    },
    takeUserNote: keys.takeUserNote,
    waitForLimit: until => waitForLimit(until, system),
    close: endTurn,
  }
}

/** Keys while an agent works: `v` shows or hides its words, `m` takes a sentence for its next envelope. */
interface TurnKeys {
  /** @param isOnly no other envelope follows, so `m` does nothing */
  start(isOnly: boolean): void
  stop(): void
  showsWords(): boolean
  takeUserNote(): string | undefined
}

/** @param areShown shows the agent's words from the beginning */
function createTurnKeys({ terminal }: Pick<System, 'terminal'>, areShown = false): TurnKeys {
  let end: (() => void) | undefined
  let wish: string | undefined
  let asking: AbortController | undefined
  const say = (note: string) => {
    for (const line of noteLines(note, styleOf(terminal))) terminal.err(line)
  }
  const askWish = async () => {
    asking = new AbortController()
    const typed = await terminal.ask('What is to be said to the agent in its next attempt?', {
      withdraw: asking.signal,
    })
    asking = undefined
    if (typed === undefined || typed.trim() === '') return
    wish = wish === undefined ? typed.trim() : `${wish} ${typed.trim()}`
    say('The next attempt is told.')
  }
  const pressed = (key: string, isOnly: boolean) => {
    if (key === 'v') {
      areShown = !areShown
      say(areShown ? "The agent's words are shown (v hides them)." : "The agent's words are hidden.")
    }
    if (key === 'm' && !isOnly && asking === undefined) void askWish()
  }
  const stop = () => {
    asking?.abort()
    end?.()
    end = undefined
  }
  return {
    start(isOnly) {
      stop()
      end = terminal.listen({ pasted: () => {}, unmarked: () => {}, pressed: key => pressed(key, isOnly) })
    },
    stop,
    showsWords: () => areShown,
    takeUserNote() {
      const taken = wish
      wish = undefined
      return taken
    },
  }
}
