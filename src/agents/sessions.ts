import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { makeFolders } from '../kept-outside.ts'
import { mostSessions, type Session, shortId } from '../model/session.ts'
import type { System } from '../ports.ts'
import { readSession, writeSession } from './books/session/session-file.ts'
import { clonedGitDir } from './checkout/clone.ts'
import { runProgram } from './checkout/program.ts'
import { removeAll } from './checkout/remove-all.ts'
import { endLeftRuns, stateFolderFor } from './run/run-folder.ts'
import { fetchHome } from './ship/fetch-home.ts'
import { workFolder } from './work-note.ts'

/** A session with where it lies. */
export interface KnownSession {
  readonly session: Session
  readonly folder: string
}

type Doors = Pick<System, 'files' | 'stateFolder' | 'shell'>

function above(doors: Pick<System, 'stateFolder'>): string {
  return join(stateFolderFor(doors), 'sessions')
}

export function sessionFolder(id: string, doors: Pick<System, 'stateFolder'>): string {
  return join(above(doors), `session-${id}`)
}

/** Where its agent works. */
export function repoOf(folder: string): string {
  return join(folder, 'repo')
}

/** The name under which the flow knows its work. */
export function workKeyOf({ id }: Pick<Session, 'id'>): string {
  return `delegate ${id}`
}

/** All sessions, oldest first, as they stand: one whose relay is gone was interrupted. */
export async function listSessions(doors: Doors): Promise<readonly KnownSession[]> {
  if (doors.stateFolder === undefined) return []
  const { folders = [] } = (await doors.files.listKinds(above(doors))) ?? {}
  const found: KnownSession[] = []
  for (const name of folders.filter(each => each.startsWith('session-'))) {
    const folder = join(above(doors), name)
    const session = await readSession(folder, doors)
    if (session !== undefined) found.push({ session: await asItStands(session, doors), folder })
  }
  return found.toSorted((a, b) => order(a.session).localeCompare(order(b.session)))
}

function order({ createdAt, id }: Session): string {
  return `${createdAt} ${id}`
}

async function asItStands(session: Session, { shell }: Doors): Promise<Session> {
  if (!isUnderWay(session)) return session
  const life = session.owner === undefined ? 'dead' : await shell.lifeOf(session.owner)
  // What belongs to another machine may well live.
  return life === 'dead' ? { ...session, status: 'error', error: interrupted(session) } : session
}

export function isUnderWay({ status }: Pick<Session, 'status'>): boolean {
  return status === 'initializing' || status === 'working'
}

/** Its relay was ended before it did anything. */
export function isUnbegun({ status, startedAt, commit, error }: Session): boolean {
  return status === 'error' && error?.kind === 'interrupted' && startedAt === undefined && commit === undefined
}

export function interrupted(session: Pick<Session, 'id'>) {
  const hint = `What was done by then is kept: \`relay delegate retry ${shortId(session)}\` goes on.`
  return { kind: 'interrupted', message: 'Session interrupted', hint } as const
}

/** The one session of this id, or with an id that begins so. Throws `usage` where there is none, or more than one. */
export async function sessionNamed(name: string, doors: Doors): Promise<KnownSession> {
  const all = await listSessions(doors)
  const found = all.filter(({ session }) => name.length >= 4 && session.id.startsWith(name.toLowerCase()))
  const [only] = found
  if (found.length === 1 && only !== undefined) return only
  const message = found.length === 0 ? `There is no session ${name}` : `${found.length} sessions begin with ${name}`
  throw new RelayError('usage', message, { hint: 'List them: `relay delegate list`.' })
}

/**
 * Makes a session, with this relay at it. Throws `environment` where as many as may be are under way, and names them; of some
 * that begin at the same moment the later ones are refused.
 */
export async function createSession(session: Session, doors: Doors): Promise<KnownSession> {
  const folder = sessionFolder(session.id, doors)
  await makeFolders(above(doors), doors.files)
  if (!(await doors.files.makeFolder(folder, 0o700))) {
    throw new RelayError('failed', 'Session already exists', { hint: 'Try again.' })
  }
  const self = await doors.shell.self()
  const known = { folder, session: { ...session, owner: self } }
  await writeSession(folder, known.session, doors)
  const refused = await tooMany(known, doors)
  if (refused === undefined) return known
  await forget(folder, doors)
  throw refused
}

/** Those that take of what this machine can do: of others nobody knows. */
export async function sessionsAtWork(doors: Doors): Promise<readonly KnownSession[]> {
  const all = (await listSessions(doors)).filter(({ session }) => isUnderWay(session))
  const lives = await Promise.all(all.map(({ session }) => session.owner && doors.shell.lifeOf(session.owner)))
  return all.filter((_, at) => lives[at] === 'alive')
}

/** Why a session may not be under way now; `undefined`: it may. */
export async function tooMany(
  { session }: KnownSession,
  doors: Doors,
  counts: 'those before' | 'all' = 'those before',
): Promise<RelayError | undefined> {
  const underWay = (await sessionsAtWork(doors)).map(each => each.session)
  const isOther = (each: Session) => each.id !== session.id && (counts === 'all' || isBefore(each, session))
  const others = underWay.filter(isOther)
  if (others.length < mostSessions) return undefined
  const names = others.map(each => `${shortId(each)} (${each.branch})`)
  return new RelayError('environment', `${mostSessions} sessions are under way: ${names.join(', ')}`, {
    hint: 'Wait for one, or cancel one: `relay delegate cancel <session>`.',
  })
}

/** Of those that begin together the first go on; one that is at work counts before. */
function isBefore(other: Session, session: Session): boolean {
  return other.startedAt !== undefined || order(other) < order(session)
}

async function forget(folder: string, { files }: Pick<Doors, 'files'>): Promise<void> {
  await files.remove(join(folder, 'session.json'))
  await files.removeFolder(folder)
}

/** Removes the clone; what is known of the session stays. */
export async function dropClone(folder: string, system: System): Promise<void> {
  await removeAll([repoOf(folder), clonedGitDir(folder), `${clonedGitDir(folder)}.new`], '/', system)
}

/** Removes all of a session. What the agent made and is nowhere else goes with it. */
export async function removeSession({ session, folder }: KnownSession, system: System): Promise<void> {
  const work = await workFolder(session.gitDirectory, workKeyOf(session), system)
  await removeAll([work, folder], '/', system)
}

/** Whether it holds work that is neither on the remote nor in the user's repository. */
export async function holdsWork({ session, folder }: KnownSession, { files }: Pick<Doors, 'files'>): Promise<boolean> {
  if (session.isPushed === true || session.homeBranch !== undefined) return false
  return session.commit !== undefined || (await files.stat(repoOf(folder))) !== null
}

/** Brings what has landed on its branch to the user's repository, unless it is somewhere else already. */
export async function bringHome({ session, folder }: KnownSession, system: System): Promise<string | undefined> {
  if (session.commit === undefined || session.isPushed === true || session.homeBranch !== undefined) return undefined
  const from = clonedGitDir(folder)
  const isThere = async (path: string) => (await system.files.realPath(path)) !== null
  // There is no repository any more to bring it to.
  if (!(await isThere(from)) || !(await isThere(session.gitDirectory))) return undefined
  const home = await fetchHome({ from, branch: session.branch, root: session.gitDirectory }, system)
  return home.branch
}

/** How much a session takes on the disk, in bytes. */
export async function sizeOf({ session, folder }: KnownSession, system: System): Promise<number> {
  const work = await workFolder(session.gitDirectory, workKeyOf(session), system)
  const { out } = await runProgram(['du', '-sk', '--', folder, work], { cwd: '/' }, system)
  await system.files.removeFolder(work)
  return out.split('\n').reduce((sum, line) => sum + 1024 * (Number.parseInt(line, 10) || 0), 0)
}

/**
 * Looks after what crashed relays left: ends agents that outlived theirs, and removes clones whose work is on the remote or in
 * the user's repository, and folders of sessions that never came to be. Work that is nowhere else stays.
 */
export async function tidySessions(system: System): Promise<void> {
  await endLeftRuns(system)
  const { folders = [] } = (await system.files.listKinds(above(system))) ?? {}
  for (const name of folders.filter(each => each.startsWith('session-'))) {
    const folder = join(above(system), name)
    const session = await readSession(folder, system)
    // An empty one alone: what lies in another may be somebody's work.
    if (session === undefined) await dropEmpty(folder, system)
    else if (session.status === 'completed') await dropClone(folder, system)
  }
}

/** One that was made a moment ago is about to be filled. */
async function dropEmpty(folder: string, { files, clock }: System): Promise<void> {
  const made = (await files.stat(folder))?.modifiedMs
  if (made === undefined || clock.now().getTime() - made < 60_000) return
  await files.remove(join(folder, 'session.json.new'))
  await files.removeFolder(folder)
}

/**
 * Ends the relay that is at a session, and with it the agent: as Ctrl+C would, then by force. Gives whether it is gone.
 */
export async function endProcessOf({ session }: KnownSession, system: System): Promise<boolean> {
  const { shell, clock } = system
  const { owner } = session
  if (owner === undefined || !isUnderWay(session)) return true
  const isGone = async () => (await shell.lifeOf(owner)) === 'dead'
  for (const [signal, seconds] of [
    ['TERM', patience],
    ['KILL', 5],
  ] as const) {
    if (await isGone()) break
    if ((await shell.lifeOf(owner)) === 'unseen') return false
    await runProgram(['kill', `-${signal}`, String(owner.pid)], { cwd: '/' }, system)
    for (let waited = 0; waited < seconds * 1000 && !(await isGone()); waited += 50) await clock.sleep(50)
  }
  // Where it was ended by force its agent is still there.
  await endLeftRuns(system)
  return isGone()
}

/** An agent gets 18 seconds to end. */
const patience = 25
