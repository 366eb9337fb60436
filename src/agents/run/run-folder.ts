import { Buffer } from 'node:buffer'
import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { isRecord, parseJson } from '../../ground/json.ts'
import type { ProcessMark, System } from '../../ports.ts'
import { isPrivate, makeFolders } from '../../state-files.ts'

type Doors = Pick<System, 'files' | 'stateFolder' | 'randomUuid' | 'shell' | 'programs' | 'clock'> &
  Partial<Pick<System, 'uid'>>

/** The folder of one run of an agent: files for the program, which process runs, and what it printed. */
export interface RunFolder {
  readonly path: string
  /** Writes to the disk which process runs, so that a later relay process can end it if this one cannot, and others see it. */
  note(group: ProcessMark, entry: string, about: AgentAbout): Promise<void>
  /** Logs a line as the program printed it. Returns at once; `close` waits for the disk. */
  log(line: string, from: 'out' | 'err'): void
  /** Call when nothing runs any more. The output stays on the disk; `false`: it could not be written, or not cleaned up. */
  close(): Promise<boolean>
}

/** What an agent's run is about, for those who look at what runs. */
interface AgentAbout {
  readonly agent: string
  /** The folder that it was asked about, or its place in a checkout. */
  readonly cwd: string
  /** Absent for work, which has a note of its own. */
  readonly title?: string | undefined
  /** The agent's folder, if it has one of its own. */
  readonly folder?: string | undefined
}

/** The number of runs whose output is kept. */
const mostRuns = 20
/** Bytes that are kept of each of a run's two streams. */
const mostBytes = 8 * 1024 * 1024
/** Bytes per write. */
const portion = 256 * 1024

/** Makes the folder of a run, private to the user, with these files in it. Deletes the folders of old runs. */
export async function openRunFolder(texts: Readonly<Record<string, string>>, doors: Doors): Promise<RunFolder> {
  const { files, shell, randomUuid, clock } = doors
  const above = await makeFolders(runsFolder(doors), files)
  await dropOldRuns(above, doors)
  const path = join(above, randomUuid())
  await files.makeFolder(path, 0o700)
  await files.makeFolder(join(path, emptyName), 0o700)
  for (const [name, text] of Object.entries(texts)) {
    if (dirname(name) !== '.') await files.makeFolder(join(path, dirname(name)), 0o700)
    await files.create(join(path, name), Buffer.from(text), { mode: 0o600, sync: false })
  }
  const self = await shell.self()
  const logs = { out: new Log(join(path, 'stdout.txt'), doors), err: new Log(join(path, 'stderr.txt'), doors) }
  return {
    path,
    async note(group, entry, about) {
      const mark: RunMark = { relay: self, group, entry, at: clock.now().toISOString(), ...about }
      await files.create(join(path, markName), Buffer.from(`${JSON.stringify(mark)}\n`), { mode: 0o600, sync: 'name' })
    },
    log: (line, from) => logs[from].add(line),
    async close() {
      const areWritten = await Promise.all([logs.out.close(), logs.err.close()])
      try {
        await keepLogs(path, files)
      } catch {
        // The answer has arrived: a failed cleanup is no reason to lose it.
        return false
      }
      return areWritten.every(Boolean)
    },
  }
}

/** The empty folder for an agent that must not see the project. */
export function emptyFolder({ path }: RunFolder): string {
  return join(path, emptyName)
}

/** Ends the agents whose relay process was killed; returns their number. */
export async function endLeftRuns(doors: Doors): Promise<number> {
  const { files, shell, programs, stateFolder } = doors
  if (stateFolder === undefined) return 0
  await openStateFolder(doors)
  let ended = 0
  for (const path of await runsIn(runsFolder(doors), doors)) {
    const mark = await readMark(join(path, markName), doors)
    if (mark === undefined || (await shell.lifeOf(mark.relay)) !== 'dead') continue
    if (await programs.endLeft(mark.group, mark.entry, mark.folder)) ended++
    await keepLogs(path, files)
  }
  return ended
}

/** An agent that runs now. */
export interface RunningAgent extends AgentAbout {
  readonly at: string
  readonly pid: number
  /** The relay process that started it; `undefined`: that is gone, and nobody waits for the agent. */
  readonly relay: number | undefined
}

/** The agents that relay processes of this user have started, and that run now. Ends none. */
export async function runningAgents(
  doors: Pick<Doors, 'files' | 'shell' | 'stateFolder'>,
): Promise<readonly RunningAgent[]> {
  if (doors.stateFolder === undefined) return []
  const found: RunningAgent[] = []
  for (const path of await runsIn(runsFolder(doors), doors)) {
    const mark = await readMark(join(path, markName), doors)
    if (mark === undefined || (await doors.shell.lifeOf(mark.group)) !== 'alive') continue
    const { relay, group, entry: _, agent = '', cwd = '', at = '', ...about } = mark
    const isLeft = (await doors.shell.lifeOf(relay)) === 'dead'
    found.push({ agent, cwd, at, ...about, pid: group.pid, relay: isLeft ? undefined : relay.pid })
  }
  return found
}

const markName = 'run.json'
const emptyName = 'empty'
const logNames = ['stdout.txt', 'stderr.txt']

/** The process that runs; written before the program begins. An older relay did not say what it is about. */
interface RunMark extends Partial<AgentAbout> {
  readonly relay: ProcessMark
  readonly group: ProcessMark
  readonly entry: string
  readonly at?: string
}

function runsFolder(doors: Pick<System, 'stateFolder'>): string {
  return join(stateFolderFor(doors), 'agents')
}

/** The folder where relay keeps the user's own files. Throws `environment` when there is no home folder. */
export function stateFolderFor({ stateFolder }: Pick<System, 'stateFolder'>): string {
  if (stateFolder !== undefined) return stateFolder
  throw new RelayError('environment', 'There is no home folder, and an agent needs one', { hint: 'Set HOME.' })
}

/**
 * Makes the state folder ready for agents, whose work and processes are noted there. Throws `environment` where it is another
 * user's, or others can write to it, or it cannot be made: a home can be a file.
 */
export async function openStateFolder(doors: StateDoors): Promise<void> {
  await refuseForeignState(doors)
  const folder = stateFolderFor(doors)
  try {
    await makeFolders(folder, doors.files)
  } catch (cause) {
    throw new RelayError('environment', `relay cannot keep anything in ${folder}: ${(cause as Error).message}`, {
      hint: 'Set HOME, or XDG_STATE_HOME, to a folder that you can write to.',
      cause,
    })
  }
}

/** Throws `environment` where there is a state folder that others can change: they would decide what relay runs and removes. */
export async function refuseForeignState({ files, uid, stateFolder }: StateDoors): Promise<void> {
  if (stateFolder === undefined) return
  const real = await files.realPath(stateFolder).catch(() => null)
  const found = real === null ? null : await files.stat(real)
  if (found === null || isPrivate(found, uid)) return
  const isForeign = found.uid !== uid && found.uid !== 0
  const what = isForeign ? `belongs to another user (number ${found.uid})` : 'can be changed by other users'
  throw new RelayError('environment', `${stateFolder} ${what}, and relay keeps there what agents do`, {
    hint: isForeign ? 'Set XDG_STATE_HOME to a folder of your own.' : `Run \`chmod go-w ${stateFolder}\`.`,
  })
}

/** `uid` is missing where the system has no users. */
type StateDoors = Pick<System, 'files' | 'stateFolder'> & Partial<Pick<System, 'uid'>>

async function runsIn(folder: string, { files }: Pick<Doors, 'files'>): Promise<readonly string[]> {
  const { folders = [] } = (await files.listKinds(folder)) ?? {}
  return folders.map(name => join(folder, name))
}

async function dropOldRuns(above: string, doors: Doors): Promise<void> {
  const { files } = doors
  const all = await Promise.all(
    (await runsIn(above, doors)).map(async path => ({ path, at: (await files.stat(path))?.modifiedMs ?? 0 })),
  )
  const old = all.toSorted((one, other) => other.at - one.at).slice(mostRuns - 1)
  for (const { path } of old) {
    // A folder that cannot be removed is no reason not to run the agent.
    await dropRun(path, files).catch(() => undefined)
  }
}

/** Removes a run's folder; the next call goes on where this one was interrupted. */
async function dropRun(path: string, files: Doors['files']): Promise<void> {
  const names = (await files.list(path)) ?? []
  // The run goes on, or still has to be ended.
  if (names.includes(markName)) return
  await removeTree(path, files)
}

/** Removes all but what the program printed: its files may hold the user's login. The mark goes last. */
async function keepLogs(path: string, files: Doors['files']): Promise<void> {
  const names = ((await files.list(path)) ?? []).filter(name => !logNames.includes(name) && name !== markName)
  for (const name of [...names, markName]) await removeTree(join(path, name), files)
}

/** Follows no link. */
async function removeTree(path: string, files: Doors['files']): Promise<void> {
  if ((await files.stat(path))?.kind !== 'folder') {
    await files.remove(path)
    return
  }
  for (const name of (await files.list(path)) ?? []) await removeTree(join(path, name), files)
  await files.removeFolder(path)
}

async function readMark(path: string, { files }: Pick<Doors, 'files'>): Promise<RunMark | undefined> {
  const bytes = await files.read(path).catch(() => null)
  const found = bytes === null ? undefined : parseJson(Buffer.from(bytes).toString('utf8'))
  const isMark = isRecord(found) && isRecord(found['relay']) && isRecord(found['group']) && 'entry' in found
  return isMark ? (found as unknown as RunMark) : undefined
}

/** Writes one stream of a program to a file, in large portions and up to a limit. */
class Log {
  readonly #path: string
  readonly #files: Doors['files']
  #lines: string[] = []
  #waiting = 0
  #left = mostBytes
  #isWritten = true
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string, { files }: Doors) {
    this.#path = path
    this.#files = files
  }

  add(line: string): void {
    if (this.#left <= 0) return
    const fits = `${line}\n`.slice(0, this.#left)
    this.#left -= fits.length
    this.#waiting += fits.length
    this.#lines.push(fits)
    if (this.#waiting >= portion) this.#write()
  }

  async close(): Promise<boolean> {
    if (this.#waiting > 0) this.#write()
    await this.#writing
    return this.#isWritten
  }

  #write(): void {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#waiting = 0
    this.#writing = this.#writing.then(async () => {
      // A full disk is no reason to end a run that costs money.
      await this.#files.append(this.#path, bytes, { sync: false }).catch(() => {
        this.#isWritten = false
      })
    })
  }
}
