import { ask as askAgents, enforcementOf, type ReadyAsk } from '../../agents/ask.ts'
import { type TurnEnd, usualLimits } from '../../model/agent.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { askedLine, unfinishedText } from '../../report/agents/turn-lines.ts'
import { askedAgentEvent } from '../../report/json/agent-json.ts'
import { visible } from '../../report/text/visible.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'
import { styleOf } from '../talk/style-of.ts'
import { createTurnView } from '../talk/turn-view.ts'
import type { WatchEvents } from '../talk/watch-events.ts'

/**
 * Asks all agents and shows their ends in order, each as soon as the ones before it are shown. After Ctrl+C, shows every
 * finished answer at once, because it is paid for. `--json` reports each end as it comes. `onText` gets the successful answers.
 */
export async function askAll(
  ready: ReadyAsk,
  project: Project | undefined,
  events: WatchEvents,
  system: System,
  onText: (agent: string, text: string) => void = () => {},
): Promise<{ readonly code: number; readonly ends: readonly TurnEnd[] }> {
  const { agents, request, timeout } = ready
  const { interruption, terminal } = system
  const { agentSilence: silence = usualLimits.silence, agentGrace: grace = usualLimits.grace } = project?.config ?? {}
  for (const agent of agents) events.say(askedAgentEvent(agent.name, request, enforcementOf(agent, request), timeout))
  for (const line of askedLine(agents, request, timeout, styleOf(terminal))) terminal.err(line)
  const view = createTurnView(agents, events, system)
  const ends = new Map<string, TurnEnd>()
  const left = agents.map(({ name }) => name)
  const showOne = (name: string, end: TurnEnd) => {
    left.splice(left.indexOf(name), 1)
    view.ended(name, end)
    if (end.status === 'ok') onText(name, end.text)
    else for (const line of unfinishedText(end, styleOf(terminal))) terminal.err(line)
  }
  const show = () => {
    const firstOut = left.findIndex(name => !ends.has(name))
    const now = interruption.aborted || firstOut < 0 ? left : left.slice(0, firstOut)
    for (const name of [...now]) {
      const end = ends.get(name)
      if (end !== undefined) showOne(name, end)
    }
  }
  interruption.addEventListener('abort', show)
  try {
    const turns = await askAgents(ready, { silence, grace }, system, (agent, event) => view.tell(agent.name, event))
    const settled = agents.map(async ({ name }, at) => {
      const end = await (turns[at] as Promise<TurnEnd>)
      view.done(name, end)
      ends.set(name, end)
      show()
      return end
    })
    const all = await Promise.all(settled)
    return { ends: all, code: interruption.aborted ? exitCodeOfInterruption(system) : exitCodeFor(all) }
  } finally {
    interruption.removeEventListener('abort', show)
    view.close()
  }
}

/** With several agents, one failure does not hide the other answers, but is in the exit code. */
function exitCodeFor(ends: readonly TurnEnd[]): number {
  const failed = ends.filter(({ status }) => status !== 'ok')
  if (failed.length === 0) return 0
  const isOutOfReach = ends.length === 1 && failed.some(({ status }) => status === 'missing' || status === 'auth')
  return exitCodeByKind[isOutOfReach ? 'environment' : 'agent']
}

/** With several agents, each answer has a heading. A terminal gets control characters made visible, a pipe as they are. */
export function answerText(agent: string, text: string, { agents }: ReadyAsk, { terminal }: System): string {
  const named = agents.length === 1 ? text : `# ${agent}\n\n${text.trimEnd()}\n`
  return terminal.isRead ? visible(named) : named
}
