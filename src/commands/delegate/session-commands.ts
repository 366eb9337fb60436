import {
  bringHome,
  endProcessOf,
  holdsWork,
  isUnderWay,
  type KnownSession,
  listSessions,
  removeSession,
  sessionNamed,
  sizesOf,
  tidySessions,
  workOf,
} from '../../agents/session/sessions.ts'
import { workUnderWay } from '../../agents/work/under-way.ts'
import { RelayError } from '../../errors.ts'
import { shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { type ShownSession, sessionLines, sessionListLines } from '../../report/agents/session-lines.ts'
import { sessionJson } from '../../report/json/session-json.ts'
import { count, describeSize } from '../../report/text/count.ts'
import { jsonText } from '../../report/text/json-text.ts'
import { showNotes } from '../talk/show-notes.ts'
import { outStyle } from '../talk/style-of.ts'

interface Options {
  readonly json?: boolean
}

/** `relay delegate list`: all sessions, with their size on the disk. */
export async function listAll(name: string | undefined, { json }: Options, system: System): Promise<number> {
  if (name !== undefined)
    throw new RelayError('usage', 'list takes no session', { hint: 'relay delegate status <session>' })
  const all = await shown(await listSessions(system), system)
  const { terminal, clock } = system
  if (json === true) {
    const sessions = all.map(({ session, work, bytes }) => ({ ...sessionJson(session, work), bytes }))
    terminal.out(jsonText({ sessions, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) }))
  } else for (const line of sessionListLines(all, outStyle(terminal), clock.now())) terminal.out(line)
  return 0
}

/** `relay delegate status <session>`. */
export async function showOne(name: string | undefined, { json }: Options, system: System): Promise<number> {
  const { terminal, clock } = system
  for (const each of await shown([await named(name, system)], system)) {
    if (json === true) terminal.out(jsonText({ ...sessionJson(each.session, each.work), bytes: each.bytes }))
    else for (const line of sessionLines(each, outStyle(terminal), clock.now())) terminal.out(line)
  }
  return 0
}

async function shown(all: readonly KnownSession[], system: System): Promise<readonly ShownSession[]> {
  const [works, sizes] = await Promise.all([workUnderWay(system), sizesOf(all, system)])
  return all.map((known, at) => ({
    session: known.session,
    work: workOf(known, works, system),
    bytes: sizes[at] ?? 0,
  }))
}

/** `relay delegate cancel <session>`: ends a session and its agent, and removes it. */
export async function cancel(name: string | undefined, { json }: Options, system: System): Promise<number> {
  const known = await named(name, system)
  if (!(await endProcessOf(known, system))) {
    const { pid, machine } = known.session.owner ?? {}
    throw new RelayError('environment', `Session ${shortId(known.session)} did not end`, {
      hint: `Its process ${pid} runs on ${machine}: end it there. Is that gone? Remove ${known.folder}`,
    })
  }
  // The session may have changed meanwhile.
  const now = await named(known.session.id, system)
  return remove([now], 'Cancelled', json === true, system)
}

/**
 * `relay delegate clean [session]`: removes ended sessions. Without a name, only those whose work is on the remote or in the
 * user's repository.
 */
export async function clean(name: string | undefined, { json }: Options, system: System): Promise<number> {
  await tidySessions(system)
  if (name !== undefined) {
    const known = await named(name, system)
    if (isUnderWay(known.session)) {
      throw new RelayError('usage', `Session ${shortId(known.session)} is under way`, {
        hint: `End it first: \`relay delegate cancel ${shortId(known.session)}\`.`,
      })
    }
    return remove([known], 'Removed', json === true, system)
  }
  const over = (await listSessions(system)).filter(({ session }) => !isUnderWay(session))
  const [go, stay]: [KnownSession[], KnownSession[]] = [[], []]
  for (const known of over) ((await holdsWork(known, system)) ? stay : go).push(known)
  if (stay.length > 0) {
    const names = stay.map(({ session }) => shortId(session)).join(', ')
    showNotes([`kept, since its work is nowhere else: ${names} (relay delegate retry, or clean <session>)`], system)
  }
  return remove(go, 'Removed', json === true, system)
}

/** Removes sessions, after copying their branches into the user's repository. */
async function remove(all: readonly KnownSession[], word: string, json: boolean, system: System): Promise<number> {
  let freed = 0
  const brought: string[] = []
  const sizes = await sizesOf(all, system)
  for (const [at, known] of all.entries()) {
    const branch = await bringHome(known, system)
    if (branch !== undefined) brought.push(branch)
    freed += sizes[at] ?? 0
    await removeSession(known, system)
  }
  const { terminal } = system
  if (brought.length > 0) showNotes([`its work is here now: ${brought.join(', ')}`], system)
  const ids = all.map(({ session }) => session.id)
  if (json) terminal.out(jsonText({ removed: ids, bytes: freed, branches: brought }))
  else terminal.err(`${word} ${count(all.length, 'session')}: ${describeSize(freed)} freed.`)
  return 0
}

async function named(name: string | undefined, system: System): Promise<KnownSession> {
  if (name !== undefined) return sessionNamed(name, system)
  throw new RelayError('usage', 'Which session?', { hint: 'List them: `relay delegate list`.' })
}
