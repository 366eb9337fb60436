import { join } from 'node:path'
import { Delegation } from '../../agents/session/delegation.ts'
import type { KnownSession } from '../../agents/session/sessions.ts'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import type { Project } from '../../model/project.ts'
import { type Session, shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { outsideProject } from '../../project/outside-project.ts'
import { stateWords } from '../../report/agents/session-lines.ts'
import { sessionJson } from '../../report/json/session-json.ts'
import { errorLines } from '../../report/screens/error-lines.ts'
import { runAlone } from '../alone/run-alone.ts'
import { readWork, type WorkCommandOptions } from '../alone/work-options.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'
import { sayFailure } from '../talk/say-failure.ts'
import { isScreen, styleOf } from '../talk/style-of.ts'
import { createWatchEvents } from '../talk/watch-events.ts'

/** Runs a session to its end in this process: the clone, the agent, the checks, the push and the pull request. */
export async function runSession(
  known: KnownSession,
  project: Project,
  options: WorkCommandOptions,
  given: System,
): Promise<number> {
  // git, gh and the agent are never looked up inside the project.
  const system = await outsideProject(project.root, given)
  const owners = join(known.folder, 'owners')
  const leave = await takeAlone(owners, `session ${shortId(known.session)}`, system)
  try {
    return await workOn(known, project, options, system)
  } finally {
    await leave()
    await system.files.removeFolder(owners)
  }
}

async function workOn(
  known: KnownSession,
  project: Project,
  options: WorkCommandOptions,
  system: System,
): Promise<number> {
  const { session } = known
  const delegation = await Delegation.open(known, project, system)
  const self = await system.shell.self()
  await delegation.note({ status: 'initializing', error: undefined, endedAt: undefined, owner: self })
  try {
    system.terminal.status(stateWords({ ...session, status: 'initializing' }))
    const ready = await readWork({ ...options, agent: session.agent }, project, 'claude', system)
    const code = await runAlone(delegation, ready, options)
    return tell(await delegation.read(), code, options, system)
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

/** Shows the end of a session. stdout gets the place of its work. Gives the exit code. */
function tell(session: Session, code: number, { json }: WorkCommandOptions, system: System): number {
  const { terminal } = system
  createWatchEvents(system, json === true).say({ event: 'session', ...sessionJson(session) })
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
