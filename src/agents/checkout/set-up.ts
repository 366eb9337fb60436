import { join } from 'node:path'
import { digest } from '../../ground/bytes.ts'
import type { CommandResult } from '../../model/check.ts'
import { readNote, writeNote } from '../../state-files.ts'
import { copyIndex } from './copy-index.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { type Stamps, stampsOf, untrackedIn } from './tools.ts'

/** What relay remembers about `checkout.setup` in one checkout. */
export interface SetupNote {
  /** A digest of the command and the lock files, from the last time that the command succeeded. */
  readonly done: string
  /** Files that the command made and git does not ignore. */
  readonly made: readonly string[]
  /** An agent may have worked in the checkout since it was made. */
  readonly isUsed?: true
  /** The state of the folder before the command. Present until the command has ended. */
  readonly found?: Found
}

interface Found {
  readonly tree: string
  readonly others: readonly string[]
}

/** Runs the command in a folder. `isUsed`: an agent has worked there, so that the command may run what the agent made. */
export type RunSetup = (command: string, cwd: string, isUsed: boolean) => Promise<CommandResult>

/**
 * Runs the configured `checkout.setup` through `run` where the command is new or a lock file has changed since. Gives
 * `undefined` where there is nothing to run.
 *
 * The files that the command makes are no part of a change. Project files that it writes are restored, also when a relay run
 * was killed meanwhile; new files are noted.
 *
 * Afterwards the checkout counts as used: a turn follows.
 *
 * With `tools`, relay also remembers what the command made, and for a judgement (`isJudged`) runs it again where anybody has
 * changed any of that since.
 */
export async function setUp(
  { command, work, own, run, tools }: SetUpParts,
  system: Doors,
  isJudged = false,
): Promise<CommandResult | undefined> {
  const before = await readSetupNote(own, system)
  const isUsed = before.isUsed === true
  if (command.trim() === '') return undefined
  const isDone = before.found === undefined && before.done === (await stateOf(command, before, work, own, system))
  if (isDone && !(isJudged && (await isDamaged(work, own, system)))) return undefined
  // What an agent, or a command that was cut short, left in the places of tools must not pass for the command's work.
  if (isUsed || before.found !== undefined) await tools?.renew([...(await readMade(own, system)).keys()])
  const found = before.found ?? (await look(work, own, system))
  await note({ ...before, found }, own, system)
  const earlier = tools === undefined ? undefined : await stampsOf(await untrackedIn(work, own), work, system.files)
  const result = await run(command, join(work, own.prefix), isUsed)
  await putBack(found, work, own, system)
  const known = new Set(found.others)
  const made = (await othersIn(work, own)).filter(path => !known.has(path))
  if (earlier !== undefined) await noteMade(earlier, work, own, system)
  const after: SetupNote = { ...(isUsed && { isUsed }), done: '', made: [...new Set([...before.made, ...made])] }
  const isGood = result.end.kind === 'exit' && result.end.code === 0
  const done = isGood ? await stateOf(command, after, work, own, system) : ''
  await note(isGood ? { ...after, isUsed: true, done } : after, own, system)
  return result
}

export interface SetUpParts {
  readonly command: string
  readonly work: string
  readonly own: PrivateRepository
  readonly run: RunSetup
  /** Removes all tools, and these paths, and lays anew what comes from the user's folder. */
  readonly tools?: { renew(made: readonly string[]): Promise<void> }
}

const madeName = 'setup-made.json'

/** What the command made and git does not know, each with a stamp. */
export async function readMade({ at }: PrivateRepository, system: Doors): Promise<Stamps> {
  const noted = await readNote(at(madeName), system)
  return new Map(Object.entries((noted ?? {}) as Readonly<Record<string, string>>))
}

async function noteMade(earlier: Stamps, work: string, own: PrivateRepository, system: Doors): Promise<void> {
  const now = await stampsOf(await untrackedIn(work, own), work, system.files)
  const made = [...now].filter(([path, stamp]) => earlier.get(path) !== stamp)
  await writeNote(own.at(madeName), Object.fromEntries(made), system, { sync: false })
}

async function isDamaged(work: string, own: PrivateRepository, system: Doors): Promise<boolean> {
  const made = await readMade(own, system)
  const now = await stampsOf([...made.keys()], work, system.files)
  return [...made].some(([path, stamp]) => now.get(path) !== stamp)
}

const name = 'setup.json'

export async function readSetupNote({ at }: PrivateRepository, system: Doors): Promise<SetupNote> {
  return ((await readNote(at(name), system)) as SetupNote | undefined) ?? { done: '', made: [] }
}

async function note(noted: SetupNote, { at }: PrivateRepository, system: Doors): Promise<void> {
  await writeNote(at(name), noted, system, { sync: false })
}

const lockFiles = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'deno.lock'],
  ...['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'requirements*.txt'],
  ...['Cargo.lock', 'go.sum', 'Gemfile.lock', 'composer.lock', 'mix.lock', 'pubspec.lock', 'packages.lock.json'],
]

export function isLockFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return lockFiles.includes(name) || /^requirements.*\.txt$/.test(name)
}

async function stateOf(
  command: string,
  { made }: SetupNote,
  work: string,
  { git }: PrivateRepository,
  { files }: Doors,
): Promise<string> {
  const wanted = lockFiles.map(each => `:(glob)**/${each}`)
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...wanted]
  const paths = new Set(
    (await git('index', work)(args)).split('\0').filter(path => path !== '' && !made.includes(path)),
  )
  const parts = [...paths].toSorted().map(async path => {
    const bytes = await files.read(join(work, path)).catch(() => null)
    return bytes === null ? '' : `${digest('sha256', bytes)} ${path}\n`
  })
  return digest('sha256', `${command}\n${(await Promise.all(parts)).join('')}`)
}

async function look(work: string, own: PrivateRepository, system: Doors): Promise<Found> {
  const git = own.git('taken', work)
  await copyIndex(own.at('index'), own.at('taken'), system)
  await git(['add', '--update', ':/'])
  return { tree: (await git(['write-tree'])).trim(), others: await othersIn(work, own) }
}

async function othersIn(work: string, { git }: PrivateRepository): Promise<readonly string[]> {
  const others = await git('index', work)(['ls-files', '-z', '--others', '--exclude-standard'])
  return others.split('\0').filter(Boolean)
}

async function putBack({ tree }: Found, work: string, own: PrivateRepository, system: Doors): Promise<void> {
  const git = own.git('taken', work)
  await copyIndex(own.at('index'), own.at('taken'), system)
  await git(['read-tree', '--reset', tree])
  // Exit code 1: some files have changed.
  await git(['update-index', '-q', '--refresh'], '', [0, 1])
  const changed = await git(['diff-files', '-z', '--name-only'])
  if (changed !== '') await git(['checkout-index', '--force', '-z', '--stdin'], changed)
}
