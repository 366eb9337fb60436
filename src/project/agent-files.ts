import { Buffer, isUtf8 } from 'node:buffer'
import { basename, join, relative, sep } from 'node:path'
import { digest } from '../ground/bytes.ts'
import { foldersFrom, insideOf } from '../ground/paths.ts'
import type { ConfirmedFile, ConfirmedFiles } from '../model/agent.ts'
import type { ConfiguredCommand } from '../model/commands-of.ts'
import type { Files, Stat, System } from '../ports.ts'
import { hashesOf } from './trust.ts'
import { hash, readTrust, remember, type Trust, type TrustDoors, UNREADABLE } from './trust-file.ts'

/** A file, or a folder of files, that an agent's program reads by itself: it can make the program run commands. */
export interface AgentFile {
  /** The folder that holds it, and its name there: `.claude/settings.json`. */
  readonly folder: string
  readonly name: string
  /** Compared with the file to which a person has agreed; `unknown` if the agreement cannot be read. */
  readonly state: 'confirmed' | 'new' | 'changed' | 'unknown'
  /** Identifies exactly this content; `undefined`: relay cannot identify it, so it is `changed` each time. */
  readonly mark: string | undefined
  /** Why there is no mark. */
  readonly problem: string | undefined
  /** The file itself, or each file of the folder. */
  readonly parts: readonly AgentFilePart[]
  /** The bytes of each part, by its path in `folder`. */
  readonly contents: ReadonlyMap<string, Uint8Array>
}

export interface AgentFilePart {
  /** Relative to the folder where the agent would work: `../.mcp.json`. */
  readonly path: string
  readonly size: number
  /** The real path, if a link leads there. */
  readonly leadsTo: string | undefined
  /** `undefined` if it may not be shown: it is no text, is outside the folder, or usually holds secrets. */
  readonly text: string | undefined
}

/**
 * The files in a folder, and in each folder above it, that agents read by themselves; each with whether this user has
 * agreed to it as it is now.
 *
 * A project brings such files, and agents read some of them from every folder up to the root of the disk. The user's
 * home is left out: its files are the user's own. An agreement holds for the folder that holds the file, whatever
 * folder below an agent is asked in.
 */
export async function judgeAgentFiles(
  folder: string,
  names: readonly string[],
  doors: TrustDoors & Pick<System, 'home'>,
): Promise<readonly AgentFile[]> {
  const { files, home } = doors
  const from = (await files.realPath(folder)) ?? folder
  const own = home === undefined ? undefined : await files.realPath(home)
  const found: AgentFile[] = []
  for (const place of foldersFrom(from).filter(each => each === from || each !== own)) {
    const looks = []
    for (const name of new Set(names)) {
      const look = await lookAt(join(place, name), { from, place, files })
      if (look.parts.length > 0 || look.problem !== undefined) looks.push({ folder: place, name, ...look })
    }
    if (looks.length === 0) continue
    const known = await readTrust(place, doors)
    found.push(...looks.map(look => ({ ...look, state: stateOf(look, known) })))
  }
  return found
}

/** These files as they were read: so they are confirmed, and so a turn begins with them. */
export async function confirmedFiles(
  folder: string,
  names: readonly string[],
  found: readonly AgentFile[],
  { files }: Pick<System, 'files'>,
): Promise<ConfirmedFiles> {
  const root = (await files.realPath(folder)) ?? folder
  const all = foldersFrom(root)
    .toReversed()
    .flatMap(place => found.filter(file => file.folder === place))
    .flatMap(file => [...file.contents].map(([path, bytes]) => ({ ...placeOf(file, root), path, bytes })))
  return { root, names, files: all }
}

function placeOf({ folder }: AgentFile, root: string): Pick<ConfirmedFile, 'folder' | 'isAbove'> {
  return { folder, isAbove: folder !== root }
}

function stateOf({ name, mark }: Pick<AgentFile, 'name' | 'mark'>, known: Trust): AgentFile['state'] {
  if (known === UNREADABLE) return 'unknown'
  if (mark === undefined) return 'changed'
  const before = known.files.get(name)
  return before === undefined ? 'new' : before === mark ? 'confirmed' : 'changed'
}

/**
 * Remembers that the user has agreed to these files, and to the commands of a project's own agents. Answers why it
 * could not, if so.
 */
export async function trustAgents(
  files: readonly AgentFile[],
  own: { readonly root: string; readonly commands: readonly ConfiguredCommand[] } | undefined,
  doors: TrustDoors,
): Promise<string | undefined> {
  const folders = new Set(files.map(({ folder }) => folder))
  if (own !== undefined && own.commands.length > 0) folders.add(own.root)
  let problem: string | undefined
  for (const folder of folders) {
    const marks = files.flatMap(({ mark, name, folder: at }) =>
      mark === undefined || at !== folder ? [] : [[name, mark] as const],
    )
    const commands = own?.root === folder ? hashesOf(own.commands) : []
    const change = (before: Trust): Trust => ({
      ...before,
      commands: new Map([...before.commands, ...commands]),
      files: new Map([...before.files, ...marks]),
    })
    problem = (await remember(folder, change, doors)) ?? problem
  }
  return problem
}

type Look = Pick<AgentFile, 'mark' | 'problem' | 'parts' | 'contents'>

interface Place {
  readonly files: Files
  /** The folder where the agent would work. */
  readonly from: string
  /** The folder to search. */
  readonly place: string
}

/** Nobody reads more files of a folder, and no agent should wait for more. */
const mostFiles = 200
const mostBytes = 5_000_000

/** Reads a file, or all of a folder, once: relay shows, and the user agrees to, what was read here. */
async function lookAt(path: string, place: Place): Promise<Look> {
  const parts: AgentFilePart[] = []
  const marks: string[] = []
  const contents = new Map<string, Uint8Array>()
  try {
    let seen = 0
    let size = 0
    for await (const each of walk(path, place.files)) {
      if (seen++ > mostFiles) return { parts, contents, ...unmarked(`it holds more than ${mostFiles} files`) }
      if (each.stat === null || each.stat.kind === 'folder') continue
      const shown = relative(place.from, each.at)
      if (each.stat.kind !== 'file') return { parts, contents, ...unmarked(`${shown} is no file`) }
      const bytes = await bytesOf(each, mostBytes - size, place.files)
      if (bytes === undefined) return { parts, contents, ...unmarked('it holds more than 5 MB') }
      size += bytes.length
      contents.set(insideOf(place.place, each.at) ?? each.at, bytes)
      marks.push(JSON.stringify([relative(place.place, each.at), each.leadsTo, digest('sha256', bytes)]))
      parts.push({ path: shown, size: bytes.length, leadsTo: each.leadsTo, text: textOf(bytes, each, place) })
    }
    return { parts, contents, mark: hash(marks.join('\n')), problem: undefined }
  } catch (error) {
    return { parts, contents, ...unmarked(error instanceof Error ? error.message : String(error)) }
  }
}

/** `undefined`: the file has more bytes than there is room for. */
async function bytesOf({ real, stat }: Found, room: number, files: Files): Promise<Uint8Array | undefined> {
  if (stat === null || stat.size > room) return undefined
  const bytes = (await files.read(real)) ?? new Uint8Array()
  return bytes.length > room ? undefined : bytes
}

function unmarked(problem: string) {
  return { mark: undefined, problem }
}

interface Found {
  readonly at: string
  /** The real path, links followed. */
  readonly real: string
  /** The same path, if a link leads there. */
  readonly leadsTo: string | undefined
  /** `null`: a link that leads nowhere. An agent finds nothing there either; a file that appears there is new. */
  readonly stat: Stat | null
}

/** The path and everything in it. Links in a circle would never end. */
async function* walk(at: string, files: Files): AsyncGenerator<Found> {
  const real = await files.realPath(at)
  const stat = real === null ? null : await files.stat(real)
  yield { at, real: real ?? at, leadsTo: real === null || real === at ? undefined : real, stat }
  if (real === null || stat?.kind !== 'folder') return
  for (const name of ((await files.list(real)) ?? []).toSorted()) {
    yield* walk(join(at, name), files)
  }
}

/** A link out of the project can lead to any of the user's files, and `.env` files hold secrets. */
function textOf(bytes: Uint8Array, { at, real }: Found, { place }: Place): string | undefined {
  if (!real.startsWith(place === sep ? sep : place + sep)) return undefined
  if ([at, real].some(path => basename(path).startsWith('.env'))) return undefined
  return isUtf8(bytes) && !bytes.includes(0) ? Buffer.from(bytes).toString('utf8') : undefined
}
