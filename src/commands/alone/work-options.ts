import { allowedCommands } from '../../agents/allowed-commands.ts'
import type { Backend } from '../../agents/backends/backend.ts'
import { agentsOf } from '../../agents/backends/own-agents.ts'
import { agentsFor, agentThatCan, depthOfAgent, mustBeThere, sandboxFor } from '../../agents/choose-agent.ts'
import type { ReadyWork } from '../../agents/work/errand.ts'
import { RelayError } from '../../errors.ts'
import type { AgentName } from '../../model/agent.ts'
import type { Project } from '../../model/project.ts'
import type { SessionOptions } from '../../model/session.ts'
import type { WorkLimits } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { outsideProject } from '../../project/outside-project.ts'
import type { TakeOptions } from '../follow-up/take-until-settled.ts'
import { readTime } from '../open/read-amount.ts'
import type { TrustOptions } from '../talk/confirm-commands.ts'
import { showNotes } from '../talk/show-notes.ts'

/** Options of every command in which agents work by themselves. */
export interface WorkCommandOptions extends SessionOptions, TrustOptions, Pick<TakeOptions, 'onOverlap'> {
  readonly agent?: string
  readonly review?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/**
 * Chooses the agent and reads its limits, before anything is paid for. Throws `usage` for a wrong option, `environment` where
 * the agent is not installed, and `declined` where a question will come that nobody can answer.
 *
 * @param usual the command's default agent, where neither the command line nor the configuration names one
 */
export async function readWork(
  options: WorkCommandOptions,
  project: Project,
  usual: AgentName,
  given: System,
): Promise<ReadyWork> {
  const system = await outsideProject(project.root, given)
  const { config } = project
  const backends = agentsOf(config)
  const wanted = options.sandbox ?? 'workspace-write'
  const agents = await agentsNamed(options.agent, config.agent || usual, wanted, backends, system)
  const sandbox = sandboxFor(wanted, agents)
  if (sandbox === 'read-only') {
    throw new RelayError('usage', 'An agent that may only read brings nothing home', {
      hint: 'Take `--sandbox workspace-write`.',
    })
  }
  await mustBeThere(agents, system)
  const [backend] = agents
  if (backend === undefined) throw new Error('No agent was chosen')
  const depth = depthOfAgent(system)
  if (options.model !== undefined && backend.hasOneModel === true) {
    throw new RelayError('usage', `--model: the model of ${backend.name} is a part of its command`)
  }
  const limits = limitsOf(options, project)
  for (const [name, option] of [
    ['cost', '--max-cost'],
    ['tokens', '--max-tokens'],
  ] as const) {
    if (limits[name] === undefined || backend.tells.includes(name)) continue
    throw new RelayError('usage', `${option}: ${backend.name} does not tell its ${name}`)
  }
  const reviewed: Project = options.review === true ? { ...project, config: { ...config, approval: 'no' } } : project
  mustBeAnswerable(reviewed, options, system)
  const allow = await allowedCommands(project, system)
  return {
    project: reviewed,
    work: { backend, sandbox, model: options.model, allow, limits, depth, env: given.env },
    system,
  }
}

/**
 * The agent to use. Another agent replaces the preferred one where that cannot give the sandbox. An agent that the command line
 * names is never replaced.
 */
async function agentsNamed(
  name: string | undefined,
  preferred: string,
  sandbox: string,
  backends: readonly Backend[],
  system: System,
): Promise<readonly Backend[]> {
  if (name !== undefined) return agentsFor([name], preferred, backends, system)
  const { agent, passedOver } = await agentThatCan(sandbox, preferred, backends, system)
  if (passedOver !== undefined) {
    showNotes([`${passedOver.name} cannot be kept to ${sandbox}: ${agent.name} is used`], system)
  }
  return [agent]
}

function limitsOf(options: WorkCommandOptions, { config }: Project): WorkLimits {
  const { agentSilence: silence, agentGrace: grace } = config
  const time = (name: string, text: string | undefined) => {
    if (text === undefined) return undefined
    const seconds = readTime(name, text, 'm')
    if (seconds > 0) return seconds
    throw new RelayError('usage', `${name} takes a time above zero`)
  }
  return {
    attempts: options.attempts === undefined ? config.attempts : whole('--attempts', options.attempts),
    timeout: time('--timeout', options.timeout) ?? 60 * config.turnTimeout,
    silence,
    grace,
    wait: options.wait === undefined ? usualWait : readTime('--wait', options.wait, 'm'),
    time: time('--max-time', options.maxTime),
    cost: options.maxCost === undefined ? undefined : amountOf('--max-cost', options.maxCost.replace(/^\$/, '')),
    tokens: options.maxTokens === undefined ? undefined : amountOf('--max-tokens', withoutUnit(options.maxTokens)),
  }
}

/** In seconds. */
const usualWait = 5 * 60 * 60

function whole(option: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return number
  throw new RelayError('usage', `${option} takes a whole number from 1, not "${text}"`)
}

function amountOf(option: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new RelayError('usage', `${option} takes a number above zero, not "${text}"`)
}

/** Reads `200k` and `2M`. */
function withoutUnit(text: string): string {
  const [, number, unit] = /^([\d.]+)([km])$/i.exec(text.trim()) ?? []
  if (number === undefined || unit === undefined) return text
  return String(Number(number) * (unit.toLowerCase() === 'k' ? 1000 : 1_000_000))
}

/** Throws `declined` where a question will come that nobody can answer. Checked before an agent is paid for. */
export function mustBeAnswerable(
  { config }: Project,
  { yes }: Pick<WorkCommandOptions, 'yes'>,
  { terminal }: System,
): void {
  if (config.approval !== 'no' || yes === true || terminal.canAsk) return
  throw new RelayError('declined', 'Every change is asked about, and nobody can be asked here', {
    hint: 'Give --yes, or run it in a terminal.',
  })
}
