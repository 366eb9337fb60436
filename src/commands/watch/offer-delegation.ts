import { resolve } from 'node:path'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { cutLine } from '../../report/text/cut-line.ts'
import { marked } from '../../report/text/hanging.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { askKey } from '../talk/ask-key.ts'
import { sayTrouble } from '../talk/say-failure.ts'
import { styleOf } from '../talk/style-of.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { withWaitingMark } from '../talk/with-waiting-mark.ts'

/** A text that was copied to be delegated, and to whom. */
export interface CopiedInstruction {
  readonly text: string
  readonly agent: string
}

interface Offering {
  readonly project: Project
  readonly system: System
  readonly events: WatchEvents
  /** Watching ends. */
  readonly stopped: AbortSignal
}

/** Asks whether an agent is to carry out what was copied, in the background. Without a yes nothing is done. */
export async function offerDelegation(wish: CopiedInstruction, offering: Offering): Promise<void> {
  const { project, system, events } = offering
  try {
    await withWaitingMark(project, undefined, system, () => ask(wish, offering))
  } catch (error) {
    sayTrouble(error, system, events)
  }
}

const keys = [
  ['y', 'delegate it: an agent works in the background, up to a pull request'],
  ['r', 'name another repository'],
  ['x', 'add to the instructions'],
  ['n', 'leave it'],
] as const

async function ask({ text, agent }: CopiedInstruction, { project, system, events, stopped }: Offering): Promise<void> {
  const { terminal } = system
  let [gitDir, extra] = [project.root, '']
  for (;;) {
    const style = styleOf(terminal)
    const words = [text, extra]
      .filter(each => each !== '')
      .map(each => cutLine(visibleLine(each.replaceAll(/\s+/g, ' ')), 300, style.sign.cut))
    const about = `${visibleLine(agent)}, in a clone of ${visibleLine(gitDir)}: ${words.join(' / ')}`
    for (const line of marked('needsYou', about, style)) terminal.err(line)
    const answering = { singleKey: project.config.singleKey, withdraw: stopped }
    const key = await askKey('Delegate it? (y/r/x/n/?)', keys, answering, terminal)
    const typed = async (question: string) => (await terminal.ask(question, { withdraw: stopped }))?.trim() ?? ''
    if (key === 'r') gitDir = resolve(system.cwd, (await typed('Which repository?')) || gitDir)
    else if (key === 'x') extra = await typed('What do you want to add?')
    else if (key === 'y') {
      const { delegateApart } = await import('../delegate/delegate-apart.ts')
      return delegateApart({ text, agent, gitDir, extra: extra || undefined }, events, system)
    } else return
  }
}
