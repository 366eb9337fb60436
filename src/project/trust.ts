import { join } from 'node:path'
import { type PackageScript, scriptsFor, scriptsNamed } from '../ground/package-scripts.ts'
import { agentCommandsOf, allowedCommandsOf, type ConfiguredCommand, commandsOf } from '../model/commands-of.ts'
import type { Config, Project } from '../model/project.ts'
import { hash, readTrust, remember, type Trust, type TrustDoors, textOf, UNREADABLE } from './trust-file.ts'

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

/**
 * The commands of a configuration, each with whether this user has agreed to it for this project on this machine.
 *
 * A configuration comes with a cloned project: what stands in it must not run because somebody looked at a clipboard
 * there. What was agreed to is kept outside the project, where nothing that a project brings can reach it.
 */
export function judgeCommands({ root, config }: Project, doors: TrustDoors): Promise<readonly JudgedCommand[]> {
  return judged(commandsOf(config), root, doors)
}

/** The same for the project's own agents of these names, and where agents may write for what they may run then. */
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
 * What the user has not yet agreed to about the place of a project: a `.relaycode/` of another user's (of a container,
 * of whoever shares a folder), which decides what a recovery restores; a project in which everybody may write.
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
 * Remembers that the user has agreed to the commands, and to what was found about the place; answers why it could not,
 * if so.
 */
export function trustProject(
  { root, config }: { readonly root: string; readonly config: Partial<Config> },
  doubts: readonly PlaceDoubt[],
  doors: TrustDoors,
): Promise<string | undefined> {
  return trustCommands(root, commandsOf(config), doubts, doors)
}

/** The same for these commands, and none beside them. */
export function trustCommands(
  root: string,
  commands: readonly ConfiguredCommand[],
  doubts: readonly PlaceDoubt[],
  doors: TrustDoors,
): Promise<string | undefined> {
  const change = (before: Trust): Trust => ({
    ...before,
    // The commands of agents are agreed to apart from these.
    commands: new Map([...[...before.commands].filter(([key]) => isOfAgent(key)), ...hashesOf(commands)]),
    accepted: new Set([...before.accepted, ...doubts.map(({ mark }) => mark)]),
  })
  return remember(root, change, doors)
}

function isOfAgent(key: string): boolean {
  return /^(?:agents|allow)\./.test(key)
}

/** What is remembered of a configuration whose commands a user has agreed to. */
export function trustText(root: string, config: Partial<Config>): string {
  return textOf(root, { commands: hashesOf(commandsOf(config)) })
}

export function hashesOf(commands: readonly ConfiguredCommand[]): ReadonlyMap<string, string> {
  return new Map(commands.map(({ key, command }) => [key, hash(command)]))
}
