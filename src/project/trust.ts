import { Buffer } from 'node:buffer'
import { dirname, join } from 'node:path'
import { digest } from '../ground/digest.ts'
import { type PackageScript, scriptsFor, scriptsNamed } from '../ground/package-scripts.ts'
import { isOwn, makeFolders } from '../kept-outside.ts'
import { type ConfiguredCommand, commandsOf } from '../model/commands-of.ts'
import type { Config, Project } from '../model/project.ts'
import type { System } from '../ports.ts'

/** How one command stands to what a person has agreed to here. */
export interface JudgedCommand extends ConfiguredCommand {
  /** `unknown` where what was agreed to cannot be read. */
  readonly state: 'confirmed' | 'new' | 'changed' | 'unknown'
  /** The scripts of package.json that it names, with their texts. */
  readonly scripts: readonly PackageScript[]
}

/** What about the place of a project lets others change what relay goes by there. */
export interface PlaceDoubt {
  /** How it is remembered once the user has agreed to it. */
  readonly mark: string
  /** One sentence without a period. */
  readonly what: string
}

type Doors = Pick<System, 'files' | 'stateFolder' | 'uid' | 'randomUuid'>

/**
 * The commands of a configuration, each with whether this user has agreed to it for this project on this machine.
 *
 * A configuration comes with a cloned project: what stands in it must not run because somebody looked at a clipboard
 * there. What was agreed to is kept outside the project, where nothing that a project brings can reach it.
 */
export async function judgeCommands({ root, config }: Project, doors: Doors): Promise<readonly JudgedCommand[]> {
  const commands = commandsOf(config)
  if (commands.length === 0) return []
  const known = await readTrust(root, doors)
  const texts = commands.map(({ command }) => command)
  const all = await scriptsFor(texts, root, doors.files)
  return commands.map(({ key, command }) => {
    // Package managers run these two around a script as well.
    const named = scriptsNamed(command).flatMap(name => [`pre${name}`, name, `post${name}`])
    const scripts = all.filter(([name]) => named.includes(name))
    if (known === UNREADABLE) return { key, command, scripts, state: 'unknown' }
    const before = known?.commands.get(key)
    const state = before === undefined ? 'new' : before === hash(command) ? 'confirmed' : 'changed'
    return { key, command, scripts, state }
  })
}

/**
 * What the user has not yet agreed to about the place of a project: a `.relaycode/` of another user's (of a container,
 * of whoever shares a folder), which decides what a recovery restores; a project in which everybody may write.
 */
export async function judgePlace(root: string, doors: Doors): Promise<readonly PlaceDoubt[]> {
  const doubts = await doubtsAbout(root, doors)
  if (doubts.length === 0) return []
  const known = await readTrust(root, doors)
  return doubts.filter(({ mark }) => known?.accepted.has(mark) !== true)
}

async function doubtsAbout(root: string, { files, uid }: Doors): Promise<readonly PlaceDoubt[]> {
  if (uid === undefined) return []
  const [place, folder] = [await files.stat(root), await files.stat(join(root, '.relaycode'))]
  const doubts: PlaceDoubt[] = []
  if (folder !== null && folder.uid !== uid) {
    const who = folder.uid === 0 ? 'root' : `another user (number ${folder.uid})`
    doubts.push({ mark: `owner ${folder.uid}`, what: `its .relaycode/ belongs to ${who}` })
  }
  if (place !== null && (place.mode & 0o002) !== 0) {
    doubts.push({ mark: 'open', what: 'every user of this machine can change it (mode o+w; `chmod o-w` ends it)' })
  }
  return doubts
}

/**
 * Remembers that the user has agreed to the commands, and to what was found about the place; answers why it could not,
 * if so.
 */
export async function trustProject(
  { root, config }: { readonly root: string; readonly config: Partial<Config> },
  doubts: readonly PlaceDoubt[],
  doors: Doors,
): Promise<string | undefined> {
  const { files, stateFolder, randomUuid } = doors
  if (stateFolder === undefined) return 'there is no home folder to remember it in'
  try {
    const path = join(await makeFolders(dirname(trustPath(stateFolder, root)), files), trustName(root))
    const accepted = [...((await readTrust(root, doors))?.accepted ?? []), ...doubts.map(({ mark }) => mark)]
    await files.replace(path, Buffer.from(trustText(root, config, accepted)), `${path}.${randomUuid()}.tmp`, {
      mode: 0o600,
    })
    return (await isOwn(path, doors)) ? undefined : `${dirname(path)} can be changed by others`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Where it is remembered: one file for each project's real path. */
export function trustPath(stateFolder: string, root: string): string {
  return join(stateFolder, 'trust', trustName(root))
}

function trustName(root: string): string {
  return `${hash(root).slice(0, 32)}.json`
}

/** What is remembered. Hashes are enough to know a command again, and a command can hold a secret. */
export function trustText(root: string, config: Partial<Config>, accepted: readonly string[] = []): string {
  const commands = Object.fromEntries(commandsOf(config).map(({ key, command }) => [key, hash(command)]))
  return `${JSON.stringify({ version: 1, root, commands, accepted: [...new Set(accepted)] }, null, 2)}\n`
}

interface Trust {
  readonly commands: ReadonlyMap<string, unknown>
  readonly accepted: ReadonlySet<string>
}

const UNREADABLE: Trust = { commands: new Map(), accepted: new Set() }

/** Whatever is not exactly what relay wrote there, or cannot be read, counts as nothing: then the user is asked. */
async function readTrust(root: string, doors: Doors): Promise<Trust | undefined> {
  if (doors.stateFolder === undefined) return undefined
  const path = trustPath(doors.stateFolder, root)
  try {
    if (!(await isOwn(path, doors))) return undefined
    return trustIn(Buffer.from((await doors.files.read(path)) ?? []).toString('utf8'), root)
  } catch {
    return UNREADABLE
  }
}

function trustIn(text: string, root: string): Trust | undefined {
  try {
    const found = JSON.parse(text) as Readonly<Record<'version' | 'root' | 'commands' | 'accepted', unknown>>
    if (found.version !== 1 || found.root !== root) return undefined
    return {
      commands: new Map(Object.entries(found.commands as object)),
      accepted: new Set(Array.isArray(found.accepted) ? found.accepted.map(String) : []),
    }
  } catch {
    return undefined
  }
}

function hash(text: string): string {
  return digest('sha256', text)
}
