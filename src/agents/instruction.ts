import { usualLimits } from '../model/agent.ts'
import type { Book } from '../model/book.ts'
import type { Project } from '../model/project.ts'
import type { AttemptFacts } from '../model/task.ts'
import type { System } from '../ports.ts'
import { allowedCommands } from './allowed-commands.ts'
import type { ReadyAsk } from './ask.ts'
import type { Backend } from './backends/backend.ts'
import { askWorkEnvelope } from './envelope/ask-work-envelope.ts'
import { titleOf } from './title-of.ts'
import { commandsInPrompt, type Errand, type ReadyWork } from './work/errand.ts'
import { landHere } from './work/land-here.ts'

/** The work of an agent that was asked and may write: one attempt, within the time of a question. */
export async function instructionWork(
  { request, depth, timeout }: ReadyAsk,
  backend: Backend,
  project: Project,
  env: System['env'],
  system: System,
): Promise<ReadyWork> {
  const { sandbox, model } = request
  const { agentSilence: silence = usualLimits.silence, agentGrace: grace = usualLimits.grace } = project.config
  const limits = { attempts: 1, timeout, silence, grace, wait: 0 }
  const allow = await allowedCommands(project, system)
  return { project, work: { backend, sandbox, model, allow, limits, depth, env }, system }
}

interface InstructionOptions {
  readonly commits: boolean
  /** Gets the agent's last words, where its turn ended well. */
  onAnswer(text: string): void
}

/** Has an agent carry out one instruction. Its work lands in the user's folder. */
export function instructionErrand(
  { title: prompt, envelopeFor }: ReadyAsk,
  { project, work, system }: ReadyWork,
  { commits, onAnswer }: InstructionOptions,
): Errand {
  const title = titleOf(prompt)
  const book = instructionBook({
    key: `ask ${work.backend.name}: ${prompt}`,
    title,
    message: title,
    envelope: async facts => askWorkEnvelope(envelopeFor(facts.cwd), facts, commandsInPrompt(work)),
  })
  const place = { commits, patience: 1000 * work.limits.timeout, env: work.env ?? system.env }
  return {
    isHere: true,
    commits,
    begin: async () => ({ book, placeFor: landing => landHere(project, place, landing) }),
    hear(event) {
      if (event.kind === 'turn-ended' && event.end.status === 'ok') onAnswer(event.end.text)
    },
  }
}

interface Instruction {
  /** Stable for one instruction. */
  readonly key: string
  readonly title: string
  /** The commit message. */
  readonly message: string
  envelope(facts: AttemptFacts): Promise<string>
}

/** A book with one task: an instruction. It is stored in no file, so it ends with its run. */
function instructionBook({ key, title, message, envelope }: Instruction): Book {
  const task = { id: '', title }
  return {
    name: title,
    key,
    tasks: 1,
    next: async ended => (ended.length === 0 ? task : undefined),
    isWanted: async () => true,
    envelope: async (_task, facts) => envelope(facts),
    async settle(_task, { marker }, changes) {
      // The agent itself says that this is not what was asked for.
      if (marker === 'FAILED' || marker === 'BLOCKED') return { kind: 'not-done', why: `The agent says ${marker}` }
      return { kind: 'done', changes, title, message }
    },
    write: async () => {},
  }
}
