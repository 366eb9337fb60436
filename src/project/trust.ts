import { join } from 'node:path'
import { type PackageScript, scriptsFor, scriptsNamed } from '../ground/package-scripts.ts'
import { agentCommandsOf, allowedCommandsOf, type ConfiguredCommand, commandsOf } from '../model/commands-of.ts'
import type { Config, Project } from '../model/project.ts'
import { hash, readTrust, remember, type Trust, type TrustDoors, textOf, UNREADABLE } from './trust-file.ts'

/** A command, compared with what a person has agreed to here. */
export interface JudgedCommand extends ConfiguredCommand {
  /** `unknown` if the agreement cannot be read. */
  readonly state: 'confirmed' | 'new' | 'changed' | 'unknown'
  /** The scripts of package.json that the command names, with their texts. */
  readonly scripts: readonly PackageScript[]
}

/** A fact about a project's place that lets others change the files that relay relies on. */
export interface PlaceDoubt {
  /** The name under which the user's agreement is remembered. */
  readonly mark: string
  /** One sentence without a period. */
  readonly what: string
}

/**
 * The commands of a configuration, each with whether this user has agreed to it for this project on this machine.
 *
 * A cloned project brings its configuration: its commands must not run because somebody watched the clipboard there.
 * Agreements are kept outside the project, where nothing in the project can reach them.
 */
export function judgeCommands({ root, config }: Project, doors: TrustDoors): Promise<readonly JudgedCommand[]> {
  return judged(commandsOf(config), root, doors)
}

/**
 * The same for the project's own agents with these names and, if agents may write, for the commands that they may then
 * run.
 */
export function judgeAgentCommands(
  { root, config }: Project,
  { names, mayWrite }: { readonly names: readonly string[]; readonly mayWrite: boolean },
  doors: TrustDoors,
): Promise<readonly JudgedCommand[]> {
  const allowed = mayWrite ? allowedCommandsOf(config) : []
  return judged([...agentCommandsOf(config, names), ...allowed], root, doors)
}

async function judged(
  commands: readonly ConfiguredCommand[],
  root: string,
  doors: TrustDoors,
): Promise<readonly JudgedCommand[]> {
  if (commands.length === 0) return []
  const known = await readTrust(root, doors)
  const texts = commands.map(({ command }) => command)
  const all = await scriptsFor(texts, root, doors.files)
  return commands.map(({ key, command }) => {
    // Package managers run these two around a script as well.
    const named = scriptsNamed(command).flatMap(name => [`pre${name}`, name, `post${name}`])
    const scripts = all.filter(([name]) => named.includes(name))
    if (known === UNREADABLE) return { key, command, scripts, state: 'unknown' }
    const before = known.commands.get(key)
    const state = before === undefined ? 'new' : before === hash(command) ? 'confirmed' : 'changed'
    return { key, command, scripts, state }
  })
}

/**
 * Doubts about a project's place to which the user has not agreed yet: a `.relaycode/` of another user (in a container
 * or a shared folder), which decides what a recovery restores; a project in which everybody may write.
 */
export async function judgePlace(root: string, doors: TrustDoors): Promise<readonly PlaceDoubt[]> {
  const doubts = await doubtsAbout(root, doors)
  if (doubts.length === 0) return []
  const known = await readTrust(root, doors)
  return doubts.filter(({ mark }) => !known.accepted.has(mark))
}

async function doubtsAbout(root: string, { files, uid }: TrustDoors): Promise<readonly PlaceDoubt[]> {
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
 * Remembers that the user has agreed to the commands, and to the doubts about the place. Answers why it could not, if
 * so.
 */
export function trustProject(
  { root, config }: { readonly root: string; readonly config: Partial<Config> },
  doubts: readonly PlaceDoubt[],
  doors: TrustDoors,
): Promise<string | undefined> {
  return trustCommands(root, commandsOf(config), doubts, doors)
}

/** The same for these commands only. */
export function trustCommands(
  root: string,
  commands: readonly ConfiguredCommand[],
  doubts: readonly PlaceDoubt[],
  doors: TrustDoors,
): Promise<string | undefined> {
  const change = (before: Trust): Trust => ({
    ...before,
    // The user agrees to the commands of agents separately.
    commands: new Map([...[...before.commands].filter(([key]) => isOfAgent(key)), ...hashesOf(commands)]),
    accepted: new Set([...before.accepted, ...doubts.map(({ mark }) => mark)]),
  })
  return remember(root, change, doors)
}

function isOfAgent(key: string): boolean {
  return /^(?:agents|allow)\./.test(key)
}

/** The text to remember when a user agrees to the commands of a configuration. */
export function trustText(root: string, config: Partial<Config>): string {
  return textOf(root, { commands: hashesOf(commandsOf(config)) })
}

export function hashesOf(commands: readonly ConfiguredCommand[]): ReadonlyMap<string, string> {
  return new Map(commands.map(({ key, command }) => [key, hash(command)]))
}
