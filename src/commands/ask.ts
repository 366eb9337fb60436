import { resolve } from 'node:path'
import { type AskRequest, ask as askAgents, enforcementOf, prepareAsk, type ReadyAsk } from '../agents/ask.ts'
import { agentsOf } from '../agents/backends/own-agents.ts'
import { mustBeThere } from '../agents/choose-agent.ts'
import { RelayError } from '../errors.ts'
import { type TurnEnd, usualAgent, usualLimits } from '../model/agent.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { instructions } from '../project/instructions.ts'
import { findProjectFolder } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { askedLine, unfinishedText } from '../report/agents/turn-lines.ts'
import { askedAgentEvent } from '../report/json/agent-json.ts'
import { visible } from '../report/text/visible.ts'
import type { TakeOptions } from './follow-up/take-until-settled.ts'
import { openProject } from './open/open-project.ts'
import { readTime } from './open/read-amount.ts'
import { confirmAgents } from './talk/confirm-agents.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { exitCodeByKind, exitCodeOfInterruption } from './talk/exit-code.ts'
import { showNotes } from './talk/show-notes.ts'
import { styleOf } from './talk/style-of.ts'
import { createTurnView } from './talk/turn-view.ts'
import { createWatchEvents, type WatchEvents } from './talk/watch-events.ts'

interface AskOptions extends TrustOptions, Pick<TakeOptions, 'yes' | 'onOverlap'> {
  readonly to?: readonly string[]
  readonly repo?: string
  readonly contextFile?: string
  readonly contextText?: string
  readonly includeDiff?: string | true
  readonly timeout?: string
  readonly model?: string
  readonly sandbox?: string
  readonly apply?: boolean
  readonly allowSensitive?: boolean
  /** `false` makes no commit of what lands. */
  readonly commit?: boolean
  readonly json?: boolean
}

/**
 * `relay ask`: asks another model through its own program. stdout is its answer. With `--apply` the answer goes through the
 * engine; the changes of an agent that may write land in the project.
 */
export async function ask(given: System, typed: string | undefined, options: AskOptions): Promise<number> {
  mustGoTogether(options)
  const system = await outsideProject(resolve(given.cwd, options.repo ?? '.'), given)
  const prompt = await promptFrom(typed, system)
  const project = await projectIn(options, system)
  const ready = await prepareAsk(requestOf(prompt, options, project), agentsOf(project?.config), system)
  await mustBeThere(ready.agents, system)
  showNotes(ready.notes, system)
  const mayWrite = ready.request.sandbox !== 'read-only'
  await confirmAgents(ready.request.cwd, ready.agents, project, system, { ...options, mayWrite })
  const events = createWatchEvents(system, options.json === true)
  if (project !== undefined && options.apply === true) return askAndApply(ready, project, options, events, system)
  if (project !== undefined && mayWrite) return askAndLand(ready, project, options, events, given.env, system)
  const { code } = await askAll(ready, project, events, system, (agent, text) => {
    if (options.json !== true) system.terminal.out(answerText(agent, text, ready, system))
  })
  return code
}

/** The project of the repository. A plain question needs none. */
async function projectIn({ repo = '.', apply, sandbox }: AskOptions, system: System): Promise<Project | undefined> {
  const there = { ...system, cwd: resolve(system.cwd, repo) }
  const isTaken = apply === true || sandbox === 'workspace-write' || sandbox === 'danger-full-access'
  const isNeeded = isTaken || (await findProjectFolder(there)) !== undefined
  return isNeeded ? openProject(there) : undefined
}

function mustGoTogether({ apply, to = [], sandbox = 'read-only' }: AskOptions): void {
  const mayWrite = sandbox !== 'read-only'
  if (mayWrite && to.length > 1) {
    throw new RelayError('usage', `--sandbox ${sandbox} takes the work of one agent: give --to once`)
  }
  if (apply !== true) return
  if (to.length > 1) throw new RelayError('usage', '--apply takes the answer of one agent: give --to once')
  if (mayWrite) throw new RelayError('usage', '--apply goes with `--sandbox read-only` alone')
}

/** The argument; stdin for `-`, or where there is no argument and stdin is piped. A given argument never waits for stdin. */
async function promptFrom(typed: string | undefined, { terminal }: System): Promise<string> {
  if (typed !== '-' && (typed !== undefined || !terminal.piped)) return typed ?? ''
  return Buffer.from(await terminal.readStdin(mostStdin)).toString('utf8')
}

/** In bytes; more is too large for any agent. */
const mostStdin = 16 * 1024 * 1024

function requestOf(prompt: string, options: AskOptions, project: Project | undefined): AskRequest {
  const {
    to = [],
    repo = '.',
    contextFile,
    contextText,
    includeDiff,
    timeout,
    model,
    sandbox = 'read-only',
    apply,
  } = options
  const config = project?.config
  const how = config !== undefined && apply === true ? instructions(config.projectId, config.instructions) : ''
  return {
    prompt: prompt.trim() === '' ? '' : `${prompt.trim()}\n\n${how}`,
    to,
    preferred: config?.agent || usualAgent,
    repository: repo,
    contextFile,
    contextText,
    includeDiff: includeDiff === '' ? true : includeDiff,
    timeout: timeout === undefined ? usualSeconds : readTime('--timeout', timeout),
    model,
    sandbox,
  }
}

/** The answer was no patch, or relay refused it. */
const exitCodeOfUntaken = 6
const usualSeconds = 600

/** Asks the agent and applies its answer. Confirmations and open questions come first, because the answer is paid for. */
async function askAndApply(
  ready: ReadyAsk,
  project: Project,
  options: AskOptions,
  events: WatchEvents,
  system: System,
): Promise<number> {
  // Loaded only here: a plain question does not wait for the engine.
  const [{ createTalk }, { resumeHeldFirst }, { takeResponse }] = await Promise.all([
    import('./talk/talk.ts'),
    import('./recover/resume-held-first.ts'),
    import('./follow-up/take-response.ts'),
  ])
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

/** Runs the agent in a checkout. Its changes land in the project, and are committed. */
async function askAndLand(
  ready: ReadyAsk,
  project: Project,
  options: AskOptions,
  events: WatchEvents,
  env: System['env'],
  system: System,
): Promise<number> {
  const [agent] = ready.agents
  if (agent === undefined) throw new RelayError('usage', 'No agent was named')
  const [{ landInstruction }, { createTalk }, { resumeHeldFirst }] = await Promise.all([
    import('./alone/land-instruction.ts'),
    import('./talk/talk.ts'),
    import('./recover/resume-held-first.ts'),
  ])
  await confirmCommands(project, system, options)
  const screen = createTalk(system, () => project, options)
  try {
    const talk = events.around(screen)
    await resumeHeldFirst(project, system, talk, options)
    const onAnswer = (text: string) => {
      if (options.json !== true) system.terminal.out(answerText(agent.name, text, ready, system))
    }
    return await landInstruction(ready, agent, project, { ...options, talk, events, env, onAnswer }, system)
  } finally {
    screen.close()
  }
}

/**
 * Asks all agents and shows their ends in order, each as soon as the ones before it are shown. After Ctrl+C, shows every
 * finished answer at once, because it is paid for. `--json` reports each end as it comes. `onText` gets the successful answers.
 */
async function askAll(
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
function answerText(agent: string, text: string, { agents }: ReadyAsk, { terminal }: System): string {
  const named = agents.length === 1 ? text : `# ${agent}\n\n${text.trimEnd()}\n`
  return terminal.isRead ? visible(named) : named
}
