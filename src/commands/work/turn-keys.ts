import type { System } from '../../ports.ts'
import { noteLines } from '../../report/text/hanging.ts'
import { styleOf } from '../talk/style-of.ts'

/** Keys while an agent works: `v` shows or hides its words, `m` takes a sentence for its next envelope. */
interface TurnKeys {
  /** @param isOnly no other envelope follows, so `m` does nothing */
  start(isOnly: boolean): void
  stop(): void
  showsWords(): boolean
  takeWish(): string | undefined
}

/** @param areShown shows the agent's words from the beginning */
export function createTurnKeys({ terminal }: Pick<System, 'terminal'>, areShown = false): TurnKeys {
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
    takeWish() {
      const taken = wish
      wish = undefined
      return taken
    },
  }
}
