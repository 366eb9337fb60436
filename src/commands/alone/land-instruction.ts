import { allowedCommands } from '../../agents/allowed-commands.ts'
import type { ReadyAsk } from '../../agents/ask.ts'
import type { Backend } from '../../agents/backends/backend.ts'
import { askWorkEnvelope } from '../../agents/envelope/ask-work-envelope.ts'
import { instructionBook } from '../../agents/instruction.ts'
import type { LandingTalk } from '../../agents/work/land.ts'
import { landHere } from '../../agents/work/land-here.ts'
import { usualLimits } from '../../model/agent.ts'
import type { Project } from '../../model/project.ts'
import type { WorkEvent } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { mustBeClear } from './must-be-clear.ts'
import { type RunOptions, runWork } from './run-work.ts'
import { sayWhatIsUnderWay } from './say-what-is-under-way.ts'
import { mustBeAnswerable } from './work-options.ts'

interface LandOptions extends RunOptions {
  /**
   * The environment of the agent and of the commit's hooks. It is the user's own, since they may run programs of the project.
   */
  readonly env: System['env']
  /** `false` makes no commit of what lands. */
  readonly commit?: boolean
  /** Gets the agent's last words, where its turn ended well. */
  onAnswer(text: string): void
}

/** Runs an agent on a request in a checkout, and lands its work. Gives the exit code. */
export async function landInstruction(
  ready: ReadyAsk,
  agent: Backend,
  project: Project,
  options: LandOptions,
  system: System,
): Promise<number> {
  mustBeAnswerable(project, options, system)
  const commits = options.commit !== false
  await mustBeClear(project, system)
  if (commits) await sayWhatIsUnderWay(project, system)
  const { request, depth, timeout, envelopeFor } = ready
  const { sandbox, model } = request
  const title = titleOf(ready.title)
  const allow = await allowedCommands(project, system)
  const book = instructionBook({
    key: `ask ${agent.name}: ${ready.title}`,
    title,
    message: title,
    envelope: async facts =>
      askWorkEnvelope(envelopeFor(facts.cwd), facts, sandbox === 'workspace-write' ? allow : 'any'),
  })
  const { agentSilence: silence = usualLimits.silence, agentGrace: grace = usualLimits.grace } = project.config
  const limits = { attempts: 1, timeout, silence, grace, wait: 0 }
  const hear = (event: WorkEvent) => {
    if (event.kind === 'turn-ended' && event.end.status === 'ok') options.onAnswer(event.end.text)
  }
  const work = { backend: agent, sandbox, model, allow, limits, depth, env: options.env }
  const place = (landing: LandingTalk) =>
    landHere(project, { commits, patience: 1000 * timeout, env: options.env }, landing)
  return (await runWork(book, place, work, project, { ...options, hear }, system)).code
}

const longestTitle = 72

/** The first line of the prompt, cut between words. */
function titleOf(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n')
  if (line.length <= longestTitle) return line
  const cut = line.slice(0, longestTitle - 1)
  return `${cut.slice(0, cut.lastIndexOf(' ') > 20 ? cut.lastIndexOf(' ') : cut.length).trimEnd()}…`
}
