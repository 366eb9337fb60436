import { bytesOfSession, titleOfSession } from '../../agents/session/delegation.ts'
import {
  createSession,
  isUnderWay,
  type KnownSession,
  sessionNamed,
  tidySessions,
  tooMany,
} from '../../agents/session/sessions.ts'
import { RelayError } from '../../errors.ts'
import { shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { showDryRun } from '../alone/dry-run.ts'
import { newSession, projectAt, readyFor } from './new-session.ts'
import type { DelegateOptions } from './options.ts'
import { runSession } from './run-session.ts'
import { startApart, takeOver } from './start-apart.ts'

/** Carries out one instruction, in this process or in a background process. */
export async function delegateOne(
  typed: string | undefined,
  options: DelegateOptions,
  system: System,
): Promise<number> {
  const text = await instructionsFrom(typed, system)
  const project = await projectAt(options.gitDir, system)
  const ready = await readyFor(project, options, system)
  const session = await newSession({ ...options, text, ready }, system)
  if (options.dryRun === true) {
    const task = { id: '', title: titleOfSession(session), bytes: bytesOfSession(session) }
    showDryRun(session.branch, [task], ready.work, system)
    return 0
  }
  await tidySessions(system)
  const known = await createSession(session, system)
  if (options.detach === true) return startApart(known, options.json === true, system)
  system.terminal.err(`session ${shortId(session)}: ${session.branch}`)
  return runHere(known, options, system)
}

/** `relay delegate retry <session>`: continues an interrupted or failed session. */
export async function retry(name: string | undefined, options: DelegateOptions, system: System): Promise<number> {
  const known = await sessionFor(name, system)
  const { session } = known
  if (isUnderWay(session)) {
    throw new RelayError('environment', `Session ${shortId(session)} is under way (process ${session.owner?.pid})`)
  }
  if (session.status === 'completed') throw new RelayError('usage', `Session ${shortId(session)} is completed`)
  const refused = await tooMany(known, system, 'all')
  if (refused !== undefined) throw refused
  await tidySessions(system)
  await readyFor(
    await projectAt(session.gitDirectory, system),
    { ...session.options, ...options, agent: session.agent, pr: session.wantsPullRequest, base: session.start },
    system,
  )
  if (options.detach === true) return startApart(known, options.json === true, system)
  return runHere(known, options, system)
}

/** Continues a session that another relay run began. That run waits until this one takes over. */
export async function runApart(name: string | undefined, options: DelegateOptions, system: System): Promise<number> {
  const known = await sessionFor(name, system)
  await takeOver(known, system)
  return runHere(known, options, system)
}

async function runHere(known: KnownSession, options: DelegateOptions, system: System): Promise<number> {
  const project = await projectAt(known.session.gitDirectory, system)
  return runSession(known, project, { ...known.session.options, ...options }, system)
}

async function sessionFor(name: string | undefined, system: System): Promise<KnownSession> {
  if (name !== undefined) return sessionNamed(name, system)
  throw new RelayError('usage', 'Which session?', { hint: 'List them: `relay delegate list`.' })
}

/** The argument; stdin for `-`, or where there is no argument and stdin is piped. */
async function instructionsFrom(typed: string | undefined, { terminal }: System): Promise<string> {
  if (typed !== '-' && (typed !== undefined || !terminal.piped)) return typed ?? ''
  return Buffer.from(await terminal.readStdin(mostStdin)).toString('utf8')
}

const mostStdin = 1024 * 1024
