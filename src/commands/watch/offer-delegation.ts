import { resolve } from 'node:path'
import { agentsOf } from '../../agents/backends/own-agents.ts'
import { repositoryTop } from '../../agents/session/delegation.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { cutLine } from '../../report/text/cut-line.ts'
import { marked } from '../../report/text/hanging.ts'
import type { Style } from '../../report/text/style.ts'
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
  /** What the user has said of it before something else was copied. */
  readonly gitDir?: string
  readonly extra?: string
}

interface Offering {
  readonly project: Project
  readonly system: System
  readonly events: WatchEvents
  /** Watching ends. */
  readonly stopped: AbortSignal
  /** An answer was copied: it does not wait behind this. */
  readonly arrival: AbortSignal
}

/**
 * Why nothing can be delegated to the agent from here; `undefined`: something can. A question whose yes leads nowhere is not
 * worth asking.
 */
export async function whyNotDelegated(agent: string, project: Project, system: System): Promise<string | undefined> {
  const backend = agentsOf(project.config).find(({ name }) => name === agent)
  const { shell, env } = system
  if (backend === undefined || (await shell.find(backend.program, env['PATH'])) === null) {
    return `${agent} is not installed here`
  }
  return repositoryTop(project.root, system).then(
    () => undefined,
    () => 'this folder is in no git repository',
  )
}

/**
 * Asks whether an agent is to carry out what was copied, in the background. Without a yes nothing is done. What it gives has
 * to be asked again, because an answer came first.
 */
export async function offerDelegation(
  wish: CopiedInstruction,
  offering: Offering,
): Promise<CopiedInstruction | undefined> {
  const { project, system, events } = offering
  try {
    return await withWaitingMark(project, undefined, system, () => ask(wish, offering))
  } catch (error) {
    sayTrouble(error, system, events)
    return undefined
  }
}

const keys = [
  ['y', 'delegate it: an agent works in the background, up to a pull request'],
  ['r', 'name another repository'],
  ['x', 'add to the instructions'],
  ['n', 'leave it'],
] as const

async function ask(
  wish: CopiedInstruction,
  { project, system, events, stopped, arrival }: Offering,
): Promise<CopiedInstruction | undefined> {
  const { terminal } = system
  const { text, agent } = wish
  let { gitDir = project.root, extra = '' } = wish
  const withdraw = AbortSignal.any([stopped, arrival])
  for (;;) {
    for (const line of wishLines({ text, agent, gitDir, extra }, styleOf(terminal))) terminal.err(line)
    const answering = { singleKey: project.config.singleKey, withdraw }
    const key = await askKey('Delegate it? (y/r/x/n/?)', keys, answering, terminal)
    const typed = async (question: string) => (await terminal.ask(question, { withdraw: stopped }))?.trim() ?? ''
    if (key === 'r') gitDir = resolve(system.cwd, (await typed('Which repository?')) || gitDir)
    else if (key === 'x') extra = await typed('What do you want to add?')
    else if (key === 'y') {
      const { delegateApart } = await import('../delegate/delegate-apart.ts')
      await delegateApart({ text, agent, gitDir, extra: extra || undefined }, events, system)
      return undefined
    } else return key === undefined ? unlessOver({ text, agent, gitDir, extra }, arrival, stopped) : undefined
  }
}

function unlessOver(wish: CopiedInstruction, arrival: AbortSignal, stopped: AbortSignal) {
  return arrival.aborted && !stopped.aborted ? wish : undefined
}

function wishLines({ text, agent, gitDir, extra }: Required<CopiedInstruction>, style: Style): readonly string[] {
  const words = [text, extra]
    .filter(each => each !== '')
    .map(each => cutLine(visibleLine(each.replaceAll(/\s+/g, ' ')), 300, style.sign.cut))
  const about = `${visibleLine(agent)}, in a clone of ${visibleLine(gitDir)}: ${words.join(' / ')}`
  return marked('needsYou', about, style)
}
