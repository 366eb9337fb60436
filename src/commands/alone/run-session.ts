import { join } from 'node:path'
import { agentsOf } from '../../agents/backends/own-agents.ts'
import { Delegation } from '../../agents/session/delegation.ts'
import type { KnownSession } from '../../agents/session/sessions.ts'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import type { TurnEnd } from '../../model/agent.ts'
import type { Project } from '../../model/project.ts'
import { type Session, shortId } from '../../model/session.ts'
import type { WorkEvent } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { outsideProject } from '../../project/outside-project.ts'
import { stateWords } from '../../report/agents/session-lines.ts'
import { sessionJson } from '../../report/json/session-json.ts'
import { errorLines } from '../../report/screens/error-lines.ts'
import { confirmAgents } from '../talk/confirm-agents.ts'
import { confirmCommands } from '../talk/confirm-commands.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'
import { sayFailure } from '../talk/say-failure.ts'
import { showNotes } from '../talk/show-notes.ts'
import { isScreen, styleOf } from '../talk/style-of.ts'
import { createTalk } from '../talk/talk.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { runWork } from './run-work.ts'
import { readWork, type WorkCommandOptions } from './work-options.ts'

interface RunOptions extends WorkCommandOptions {
  readonly events: WatchEvents
}

/** Runs a session to its end in this process: the clone, the agent, the checks, the push and the pull request. */
export async function runSession(
  known: KnownSession,
  project: Project,
  options: RunOptions,
  given: System,
): Promise<number> {
  // git, gh and the agent are never looked up inside the project.
  const system = await outsideProject(project.root, given)
  const owners = join(known.folder, 'owners')
  const leave = await takeAlone(owners, `session ${shortId(known.session)}`, system)
  try {
    return await runAlone(known, project, options, system)
  } finally {
    await leave()
    await system.files.removeFolder(owners)
  }
}

async function runAlone(known: KnownSession, project: Project, options: RunOptions, system: System): Promise<number> {
  const { events } = options
  const { session } = known
  const delegation = await Delegation.open(known, project, system)
  const self = await system.shell.self()
  await delegation.note({ status: 'initializing', error: undefined, endedAt: undefined, owner: self })
  try {
    system.terminal.status(stateWords({ ...session, status: 'initializing' }))
    const ready = await readWork({ ...options, agent: session.agent }, project, 'claude', system)
    await confirmSession(session, ready.project, options, system)
    const onInstructions = (paths: readonly string[]) => {
      showNotes([`it changed what agents go by: ${paths.join(', ')}`], system)
    }
    const placeFor = await delegation.place(onInstructions)
    const startedAt = session.startedAt ?? system.clock.now().toISOString()
    await delegation.note({ status: 'working', startedAt })
    const screen = createTalk(system, () => ready.project, options)
    let last: TurnEnd['status'] | undefined
    const hear = (event: WorkEvent) => {
      if (event.kind === 'turn-ended') last = event.end.status
    }
    try {
      const run = { ...options, talk: events.around(screen), events, hear }
      const { end, code } = await runWork(delegation.book, placeFor, ready.work, ready.project, run, system)
      const ended = await delegation.end(end, last)
      return tell(ended, code, options, system)
    } finally {
      screen.close()
    }
  } catch (error) {
    const ended = await delegation.broke(error)
    tell(ended, 1, options, system)
    return sayFailure(ended.error === undefined ? error : said(error, ended), system)
  } finally {
    system.terminal.status(undefined)
  }
}

/** Marks the error as shown: the session has shown it already. */
function said(error: unknown, { error: told }: Session): unknown {
  if (!(error instanceof RelayError) || told === undefined) return error
  return new RelayError(error.kind, told.message, { isSaid: true })
}

/** Asks the user to trust what the agent and its checks would run, as it is at this moment. */
export async function confirmSession(
  session: Pick<Session, 'agent'>,
  project: Project,
  options: Pick<WorkCommandOptions, 'trust'>,
  system: System,
): Promise<void> {
  const agents = agentsOf(project.config).filter(({ name }) => name === session.agent)
  await confirmAgents(project.root, agents, project, system, { ...options, mayWrite: true })
  await confirmCommands(project, system, options)
}

/** Shows the end of a session. stdout gets the place of its work. Gives the exit code. */
function tell(session: Session, code: number, { events, json }: RunOptions, system: System): number {
  const { terminal } = system
  events.say({ event: 'session', ...sessionJson(session) })
  if (session.error !== undefined) {
    for (const line of errorLines(session.error, styleOf(terminal), isScreen(terminal))) terminal.err(line)
    return exitCodeOfSession(session, code, system)
  }
  terminal.err(stateWords(session))
  if (json !== true) terminal.out(session.prUrl ?? session.homeBranch ?? session.branch)
  return 0
}

function exitCodeOfSession({ error }: Session, code: number, system: System): number {
  if (error?.kind === 'interrupted') return exitCodeOfInterruption(system)
  if (error?.kind === 'auth' || error?.kind === 'network') return exitCodeByKind.environment
  return code === 0 || error?.kind === 'limit' ? exitCodeByKind.agent : code
}
