import { resolve } from 'node:path'
import { type AskRequest, prepareAsk, type ReadyAsk } from '../agents/ask.ts'
import { agentsOf } from '../agents/backends/own-agents.ts'
import { mustBeThere } from '../agents/choose-agent.ts'
import { RelayError } from '../errors.ts'
import { usualAgent } from '../model/agent.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { instructionsIn } from '../project/instructions.ts'
import { findProjectFolder } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { readUserConfigFile } from '../project/user-config-file.ts'
import { answerText, askAll } from './ask/ask-all.ts'
import type { AskAndApplyOptions } from './ask/ask-and-apply.ts'
import { openProject } from './open/open-project.ts'
import { readTime } from './open/read-amount.ts'
import { aroundWriting } from './recover/around-writing.ts'
import { confirmAgents } from './talk/confirm-agents.ts'
import { showNotes } from './talk/show-notes.ts'
import { createWatchEvents } from './talk/watch-events.ts'

interface AskOptions extends AskAndApplyOptions {
  readonly to?: readonly string[]
  readonly repo?: string
  readonly contextFile?: string
  readonly contextText?: string
  readonly includeDiff?: string | true
  readonly timeout?: string
  readonly model?: string
  readonly sandbox?: string
  readonly apply?: boolean
  /** `false` makes no commit of what lands. */
  readonly commit?: boolean
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
  const run = () => askAbout(prompt, project, options, given, system)
  return project === undefined ? run() : aroundWriting(run, system, { around: project.root })
}

async function askAbout(
  prompt: string,
  project: Project | undefined,
  options: AskOptions,
  given: System,
  system: System,
): Promise<number> {
  const preferred = project === undefined ? (await readUserConfigFile(system)).user.agent : project.config.agent
  const prepared = await prepareAsk(requestOf(prompt, options, project, preferred), agentsOf(project?.config), system)
  const { agents, request, notes } = prepared
  await mustBeThere(agents, system)
  showNotes(notes, system)
  const mayWrite = request.sandbox !== 'read-only'
  if (project !== undefined && mayWrite) return askAndLand(prepared, project, options, given.env, system)
  const { files } = await confirmAgents(request.cwd, agents, project, system, options)
  const ready = { ...prepared, request: { ...request, confirmed: files } }
  const events = createWatchEvents(system, options.json === true)
  if (project !== undefined && options.apply === true) {
    // Loaded only here: a plain question does not wait for the engine.
    const { askAndApply } = await import('./ask/ask-and-apply.ts')
    return askAndApply(ready, project, options, events, system)
  }
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

function requestOf(
  prompt: string,
  options: AskOptions,
  project: Project | undefined,
  preferred: string | undefined,
): AskRequest {
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
  const how = config !== undefined && apply === true ? instructionsIn(config) : ''
  return {
    prompt: prompt.trim() === '' ? '' : `${prompt.trim()}\n\n${how}`,
    to,
    preferred: preferred || usualAgent,
    repository: repo,
    contextFile,
    contextText,
    includeDiff: includeDiff === '' ? true : includeDiff,
    timeout: timeout === undefined ? usualSeconds : readTime('--timeout', timeout),
    model,
    sandbox,
  }
}

const usualSeconds = 600

/** Runs the agent in a checkout. Its changes land in the project, and are committed. */
async function askAndLand(
  asked: ReadyAsk,
  project: Project,
  options: AskOptions,
  env: System['env'],
  system: System,
): Promise<number> {
  const [agent] = asked.agents
  if (agent === undefined) throw new RelayError('usage', 'No agent was named')
  // Loaded only here: a plain question does not wait for the engine.
  const [{ instructionErrand, instructionWork }, { mustBeAnswerable }, { runAlone }] = await Promise.all([
    import('../agents/instruction.ts'),
    import('./alone/work-options.ts'),
    import('./alone/run-alone.ts'),
  ])
  mustBeAnswerable(project, options, system)
  const ready = await instructionWork(asked, agent, project, env, system)
  const onAnswer = (text: string) => {
    if (options.json !== true) system.terminal.out(answerText(agent.name, text, asked, system))
  }
  return runAlone(instructionErrand(asked, ready, { commits: options.commit !== false, onAnswer }), ready, options)
}
