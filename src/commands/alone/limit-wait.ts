import type { LimitWait } from '../../agents/work/work-parts.ts'
import type { System } from '../../ports.ts'
import { waitingLine } from '../../report/agents/turn-lines.ts'
import { styleOf } from '../talk/style-of.ts'

const refreshMs = 1000

/** Shows how long relay still waits for a limit, and ends the wait where the user presses Esc. */
export function waitForLimit(until: Date, { terminal, clock }: System): LimitWait {
  const [ended, over] = [new AbortController(), new AbortController()]
  const show = async () => {
    while (!over.signal.aborted) {
      terminal.status(waitingLine(until.getTime() - clock.now().getTime(), styleOf(terminal)))
      await clock.sleep(refreshMs, over.signal)
    }
  }
  if (terminal.live) void show()
  const quiet = terminal.listen({
    pasted: () => {},
    unmarked: () => {},
    pressed: () => {},
    escaped: () => ended.abort(),
  })
  return {
    ended: ended.signal,
    over() {
      over.abort()
      quiet?.()
      terminal.status(undefined)
    },
  }
}
