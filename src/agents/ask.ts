import { resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import type { AgentEvent, AgentRequest, Enforcement, TurnEnd } from '../model/agent.ts'
import type { System } from '../ports.ts'
import type { Backend } from './backends/backend.ts'
import { agentsFor, depthOfAgent, sandboxFor } from './choose-agent.ts'
import { differencesIn } from './differences.ts'
import { askEnvelope, mostContextBytes, mostDiffBytes, mostPromptBytes, tooLarge } from './envelope/ask-envelope.ts'
import { runAgent } from './run/run-agent.ts'
import { endLeftRuns } from './run/run-folder.ts'
import { titleOf } from './title-of.ts'

/** The options of `relay ask`, not checked yet. */
export interface AskRequest {
  readonly prompt: string
  /** Names of agents. When empty, relay asks `preferred` if it is installed, else the first agent that is. */
  readonly to: readonly string[]
  readonly preferred: string
  readonly repository: string
  readonly contextFile?: string | undefined
  readonly contextText?: string | undefined
  /** `true` sends what is not staged; a text sends the differences from that commit. */
  readonly includeDiff?: true | string | undefined
  /** Seconds. */
  readonly timeout: number
  readonly model?: string | undefined
  readonly sandbox: string
}

/** A checked request, and the agents that get it. */
export interface ReadyAsk {
  readonly agents: readonly Backend[]
  readonly request: AgentRequest
  readonly depth: number
  readonly timeout: number
  /** The prompt alone, without the envelope around it. */
  readonly title: string
  /** The envelope for a copy of the repository. */
  envelopeFor(repository: string): string
  /** Hints to the user about a likely mistake, as sentences. */
  readonly notes: readonly string[]
}

const allStaged = 'nothing is unstaged: `--include-diff=HEAD` sends what is staged as well'

/**
 * Checks a whole request before any agent is started, in this order: prompt, time, repository, agents, sandbox, context, diff,
 * size, depth. Throws `usage` where one is wrong, and `environment` where no agent is installed.
 */
export async function prepareAsk(asked: AskRequest, backends: readonly Backend[], system: System): Promise<ReadyAsk> {
  const { timeout, model } = asked
  const prompt = asked.prompt.trim()
  if (prompt === '') throw new RelayError('usage', 'Prompt is required', { hint: 'relay ask "Is this right?"' })
  if (!(timeout > 0)) throw new RelayError('usage', 'Timeout must be greater than zero')
  const repository = await repositoryAt(asked.repository, system)
  const agents = await agentsFor(asked.to, asked.preferred, backends, system)
  const sandbox = sandboxFor(asked.sandbox, agents)
  if (model?.startsWith('-') === true)
    throw new RelayError('usage', `--model takes the name of a model, not "${model}"`)
  const deaf = model === undefined ? undefined : agents.find(({ hasOneModel }) => hasOneModel === true)
  if (deaf !== undefined) throw new RelayError('usage', `--model: the model of ${deaf.name} is a part of its command`)
  const context = await contextOf(asked, system)
  const { includeDiff } = asked
  const found = includeDiff === undefined ? undefined : await differencesIn(repository, includeDiff, system)
  const diff = mustFit('Git diff', found?.text ?? '', mostDiffBytes)
  const envelopeFor = (about: string) => askEnvelope({ repository: about, prompt, context, diff })
  const envelope = mustFit('Relay prompt', envelopeFor(repository), mostPromptBytes)
  const depth = depthOfAgent(system)
  // An agent can change the depth in its environment, so this is a second check.
  if (system.env['RELAY_AGENT'] === '1')
    throw new RelayError('usage', 'An agent of relay runs this (RELAY_AGENT=1), and relay asks no other for it')
  const request = { prompt: envelope, title: titleOf(prompt), sandbox, model, cwd: repository, allow: [] }
  const notes = found?.isAllStaged === true ? [allStaged] : []
  return { agents, request, depth, timeout, title: prompt, envelopeFor, notes }
}

/** The limits of a turn, in seconds: `silence` without an event, and `grace` after the end event. */
export interface AskLimits {
  readonly silence: number
  readonly grace: number
}

/**
 * Asks all agents at the same time. Gives their turns in the order of the agents; one failure does not hide the other answers.
 *
 * First ends the agents that outlived an earlier relay run.
 */
export async function ask(
  { agents, request, depth, timeout }: ReadyAsk,
  limits: AskLimits,
  system: System,
  onEvent: (agent: Backend, event: AgentEvent) => void,
): Promise<readonly Promise<TurnEnd>[]> {
  await endLeftRuns(system)
  return agents.map(async agent => {
    try {
      const onOne = (event: AgentEvent) => onEvent(agent, event)
      return await runAgent(agent, request, { ...limits, system, depth, timeout, onEvent: onOne })
    } catch (error) {
      if (agents.length === 1 || !(error instanceof RelayError)) throw error
      return notStarted(error)
    }
  })
}

function notStarted({ message: why }: RelayError): TurnEnd {
  const nothing = { sessionId: undefined, resetsAt: undefined, marker: undefined, log: undefined }
  return { ...nothing, status: 'failed', text: '', usage: {}, why }
}

/** How strictly the agent's sandbox is enforced for this request. */
export function enforcementOf(agent: Backend, { sandbox }: AgentRequest): Enforcement {
  return agent.sandboxes[sandbox]
}

async function repositoryAt(path: string, { cwd, files }: System): Promise<string> {
  const absolute = resolve(cwd, path)
  const real = await files.realPath(absolute)
  const found = real === null ? null : await files.stat(real)
  if (real !== null && found?.kind === 'folder') return real
  throw new RelayError('usage', `Repository path does not exist or is not a directory: ${absolute}`)
}

async function contextOf({ contextFile, contextText }: AskRequest, system: System): Promise<string> {
  if (contextFile !== undefined && contextText !== undefined) {
    throw new RelayError('usage', 'Use either context_file or context_text, not both')
  }
  if (contextFile === undefined) return mustFit('Context text', (contextText ?? '').trim(), mostContextBytes)
  return mustFit('Context file', (await readContext(contextFile, system)).trim(), mostContextBytes)
}

async function readContext(path: string, { cwd, files }: System): Promise<string> {
  const absolute = resolve(cwd, path)
  const real = await files.realPath(absolute)
  if (real === null) throw new RelayError('usage', `Context file does not exist: ${absolute}`)
  if ((await files.stat(real))?.kind !== 'file')
    throw new RelayError('usage', `Context path is not a file: ${absolute}`)
  try {
    const bytes = await files.read(real, mostRead)
    return Buffer.from(bytes ?? []).toString('utf8')
  } catch (cause) {
    throw new RelayError('usage', `Failed reading context file: ${(cause as Error).message}`, { cause })
  }
}

/** In bytes. A larger context file is refused anyway, so no more of it is read. */
const mostRead = 64 * 1024 * 1024

function mustFit(label: string, text: string, most: number): string {
  const problem = tooLarge(label, text, most)
  if (problem !== undefined) throw new RelayError('usage', problem)
  return text
}
