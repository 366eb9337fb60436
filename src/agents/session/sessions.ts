import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { mostSessions, type Session, shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import { clonedGitDir } from '../checkout/clone.ts'
import { runProgram } from '../checkout/program.ts'
import { removeLater } from '../checkout/remove-later.ts'
import { endLeftRuns, openStateFolder, refuseForeignState, stateFolderFor } from '../run/run-folder.ts'
import { fetchHome } from '../ship/fetch-home.ts'
import type { FoundWork } from '../work/under-way.ts'
import { placeOfWork, workFolder } from '../work/work-note.ts'
import { readSession, writeSession } from './session-file.ts'

/** A session and its folder. */
export interface KnownSession {
  readonly session: Session
  readonly folder: string
}

type Doors = Pick<System, 'files' | 'stateFolder' | 'shell'> & Partial<Pick<System, 'uid'>>

function above(doors: Pick<System, 'stateFolder'>): string {
  return join(stateFolderFor(doors), 'sessions')
}

export function sessionFolder(id: string, doors: Pick<System, 'stateFolder'>): string {
  return join(above(doors), `session-${id}`)
}

/** The folder in which the agent of an older relay worked. */
function oldRepoOf(folder: string): string {
  return join(folder, 'repo')
}

/** The session's key in the work state. */
export function workKeyOf({ id }: Pick<Session, 'id'>): string {
  return `delegate ${id}`
}

/** All sessions, oldest first. A session whose relay run is gone counts as interrupted. */
export async function listSessions(doors: Doors): Promise<readonly KnownSession[]> {
  if (doors.stateFolder === undefined) return []
  await refuseForeignState(doors)
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
  // A relay run on another machine may still be alive.
  return life === 'dead' ? { ...session, owner: undefined, status: 'error', error: interrupted(session) } : session
}

export function isUnderWay({ status }: Pick<Session, 'status'>): boolean {
  return status === 'initializing' || status === 'working'
}

/** Its relay run was ended before any work began. */
export function isUnbegun({ status, startedAt, commit, error }: Session): boolean {
  return status === 'error' && error?.kind === 'interrupted' && startedAt === undefined && commit === undefined
}

export function interrupted(session: Pick<Session, 'id'>) {
  const hint = `What was done by then is kept: \`relay delegate retry ${shortId(session)}\` goes on.`
  return { kind: 'interrupted', message: 'Session interrupted', hint } as const
}

/** The session whose id begins with this text (at least 4 characters). Throws `usage` where there is none, or more than one. */
export async function sessionNamed(name: string, doors: Doors): Promise<KnownSession> {
  const all = await listSessions(doors)
  const found = all.filter(({ session }) => name.length >= 4 && session.id.startsWith(name.toLowerCase()))
  const [only] = found
  if (found.length === 1 && only !== undefined) return only
  const message = found.length === 0 ? `There is no session ${name}` : `${found.length} sessions begin with ${name}`
  throw new RelayError('usage', message, { hint: 'List them: `relay delegate list`.' })
}

/**
 * Makes a session that this relay run works on. Throws `environment` where the maximum number of sessions is under way, and
 * names them. Of several that begin at the same moment, the later ones are refused.
 */
export async function createSession(session: Session, doors: Doors): Promise<KnownSession> {
  const folder = sessionFolder(session.id, doors)
  await openStateFolder(doors)
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

/** Sessions whose relay run is alive on this machine. relay cannot see those on other machines. */
export async function sessionsAtWork(doors: Doors): Promise<readonly KnownSession[]> {
  const all = (await listSessions(doors)).filter(({ session }) => isUnderWay(session))
  const lives = await Promise.all(all.map(({ session }) => session.owner && doors.shell.lifeOf(session.owner)))
  return all.filter((_, at) => lives[at] === 'alive')
}

/** The error where too many other sessions are under way; `undefined` where the session may run. */
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

/** Whether another session goes first: one that has started work, or one that was made earlier. */
function isBefore(other: Session, session: Session): boolean {
  return other.startedAt !== undefined || order(other) < order(session)
}

async function forget(folder: string, { files }: Pick<Doors, 'files'>): Promise<void> {
  await files.remove(join(folder, 'session.json'))
  await files.removeFolder(folder)
}

/** Removes the clone. The session's note stays. */
export async function dropClone(folder: string, system: System): Promise<void> {
  await removeLater([oldRepoOf(folder), clonedGitDir(folder), `${clonedGitDir(folder)}.new`], system)
}

/** Removes a session with all its files. Work of the agent that is nowhere else is lost. */
export async function removeSession({ session, folder }: KnownSession, system: System): Promise<void> {
  const work = await workFolder(session.gitDirectory, workKeyOf(session), system)
  await removeLater([work, folder], system)
}

/** Whether a session has work that is neither on the remote nor in the user's repository. */
export async function holdsWork(known: KnownSession, doors: Pick<Doors, 'files' | 'stateFolder'>): Promise<boolean> {
  const { session, folder } = known
  if (session.isPushed === true || session.homeBranch !== undefined) return false
  const places = [join(workPlaceOf(known, doors), 'checkout/work'), oldRepoOf(folder)]
  const found = await Promise.all(places.map(place => doors.files.stat(place)))
  return session.commit !== undefined || found.some(stat => stat !== null)
}

/** Copies the session's branch into the user's repository, unless it is there or was pushed. Gives the branch's name there. */
export async function bringHome({ session, folder }: KnownSession, system: System): Promise<string | undefined> {
  if (session.commit === undefined || session.isPushed === true || session.homeBranch !== undefined) return undefined
  const from = clonedGitDir(folder)
  const isThere = async (path: string) => (await system.files.realPath(path)) !== null
  // The clone or the user's repository is gone.
  if (!(await isThere(from)) || !(await isThere(session.gitDirectory))) return undefined
  const home = await fetchHome({ from, branch: session.branch, root: session.gitDirectory }, system)
  return home.branch
}

/** The sizes of sessions on the disk, in bytes. */
export async function sizesOf(all: readonly KnownSession[], system: System): Promise<readonly number[]> {
  const places = all.map(known => [known.folder, workPlaceOf(known, system)])
  if (all.length === 0) return []
  // One call for all of them: to start a program takes longer than to look.
  const { out } = await runProgram(['du', '-sk', '--', ...places.flat()], { cwd: '/' }, system)
  const kilobytes = new Map(
    out.split('\n').map(line => {
      const [size = '', path = ''] = line.split('\t')
      return [path, Number.parseInt(size, 10)] as const
    }),
  )
  return places.map(of => of.reduce((sum, place) => sum + 1024 * (kilobytes.get(place) ?? 0), 0))
}

/** The session's work folder, which need not exist. */
function workPlaceOf({ session }: KnownSession, doors: Pick<Doors, 'files' | 'stateFolder'>): string {
  return placeOfWork(session.gitDirectory, workKeyOf(session), doors)
}

/** What is under way for a session: whether its relay and its agent live, and how far they are. */
export function workOf(
  known: KnownSession,
  works: readonly FoundWork[],
  doors: Pick<Doors, 'files' | 'stateFolder'>,
): FoundWork | undefined {
  return works.find(({ folder }) => folder === workPlaceOf(known, doors))
}

/**
 * Clears up after crashed relay runs: ends agents that outlived their run, and removes empty session folders and clones of
 * completed sessions. The work of a completed session is on the remote or in the user's repository; work that is nowhere else
 * stays.
 */
export async function tidySessions(system: System): Promise<void> {
  await endLeftRuns(system)
  const { folders = [] } = (await system.files.listKinds(above(system))) ?? {}
  for (const name of folders.filter(each => each.startsWith('session-'))) {
    const folder = join(above(system), name)
    const session = await readSession(folder, system)
    // Only an empty folder: any other may contain somebody's work.
    if (session === undefined) await dropEmpty(folder, system)
    else if (session.status === 'completed') await dropClone(folder, system)
  }
}

/** Removes an empty session folder. Keeps a young one, which another relay run is about to fill. */
async function dropEmpty(folder: string, { files, clock }: System): Promise<void> {
  const made = (await files.stat(folder))?.modifiedMs
  if (made === undefined || clock.now().getTime() - made < 60_000) return
  await files.remove(join(folder, 'session.json.new'))
  await files.removeFolder(folder)
}

/** Ends the relay run of a session and its agent: first as Ctrl+C would, then by force. Gives whether the run is gone. */
export async function endProcessOf({ session }: KnownSession, system: System): Promise<boolean> {
  const { shell, clock } = system
  const owner = isUnderWay(session) ? session.owner : undefined
  const isGone = async () => owner === undefined || (await shell.lifeOf(owner)) === 'dead'
  for (const [signal, seconds] of [
    ['TERM', patience],
    ['KILL', 5],
  ] as const) {
    if (owner === undefined || (await isGone())) break
    if ((await shell.lifeOf(owner)) === 'unseen') return false
    await runProgram(['kill', `-${signal}`, String(owner.pid)], { cwd: '/' }, system)
    for (let waited = 0; waited < seconds * 1000 && !(await isGone()); waited += 50) await clock.sleep(50)
  }
  // After a kill, now or long ago, the agent may still run.
  await endLeftRuns(system)
  return isGone()
}

/** In seconds. The agent itself gets 18 seconds to end. */
const patience = 25
