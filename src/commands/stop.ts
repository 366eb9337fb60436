import { askToStop, interrupt, isGoingOn } from '../agents/work/steering.ts'
import type { System } from '../ports.ts'
import { visibleLine } from '../report/text/visible.ts'
import { chooseRun } from './alone/choose-run.ts'
import { styleOf } from './talk/style-of.ts'

interface StopOptions {
  /** Ends the turn that is under way as well. */
  readonly now?: boolean
}

/** `relay stop`: ends a run that is under way, after its turn or at once. */
export async function stop(system: System, book: string | undefined, { now = false }: StopOptions): Promise<number> {
  const { terminal } = system
  const run = await chooseRun(book, system)
  const { paint, sign } = styleOf(terminal)
  if (now) await interrupt(run, system)
  else await askToStop(run.folder, system)
  const when = (await isGoingOn(run, system)) ? (now ? 'ends now' : 'ends after this turn') : 'has ended'
  terminal.err(`${paint.ok(sign.ok)} The run of ${visibleLine(run.word)} (pid ${run.owner.pid}) ${when}`)
  return 0
}
