import type { ReadyAsk } from '../../agents/ask.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { takeResponse } from '../follow-up/take-response.ts'
import type { TakeOptions } from '../follow-up/take-until-settled.ts'
import { resumeHeldFirst } from '../recover/resume-held-first.ts'
import { confirmCommands, type TrustOptions } from '../talk/confirm-commands.ts'
import { createTalk } from '../talk/talk.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { answerText, askAll } from './ask-all.ts'

/** The answer was no patch, or relay refused it. */
const exitCodeOfUntaken = 6

export interface AskAndApplyOptions extends TrustOptions, Pick<TakeOptions, 'yes' | 'onOverlap'> {
  readonly allowSensitive?: boolean
  readonly json?: boolean
}

/** Asks the agent and applies its answer. Confirmations and open questions come first, because the answer is paid for. */
export async function askAndApply(
  ready: ReadyAsk,
  project: Project,
  options: AskAndApplyOptions,
  events: WatchEvents,
  system: System,
): Promise<number> {
  await confirmCommands(project, system, options)
  const screen = createTalk(system, () => project, options)
  try {
    const talk = events.around(screen)
    await resumeHeldFirst(project, system, talk, options)
    const { code, ends } = await askAll(ready, project, events, system)
    const [agent, end] = [ready.agents[0], ends[0]]
    if (code !== 0 || agent === undefined || end === undefined) return code
    const response = { text: end.text, source: `agent:${agent.name}` } as const
    const taken = await takeResponse(response, project, system, talk, options, events.ended)
    // The answer is paid for, and may be worth reading even where relay cannot apply it.
    if (taken === exitCodeOfUntaken && options.json !== true)
      system.terminal.out(answerText(agent.name, end.text, ready, system))
    return taken
  } finally {
    screen.close()
  }
}
