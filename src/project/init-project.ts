import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { foldersFrom } from '../ground/paths.ts'
import { linterLine } from '../model/linters-of.ts'
import type { Config } from '../model/project.ts'
import type { Files, System } from '../ports.ts'
import { addIgnoreLine } from './add-ignore-line.ts'
import { type DetectedLinter, detectLinter } from './detect-linter.ts'
import { detectProjectId } from './detect-project-id.ts'
import { configName, readConfigFile } from './read-config-file.ts'

/** The parts of the project, and which of them this run made. */
export interface Initialised {
  readonly root: string
  readonly projectId: string
  readonly idFrom: 'package.json' | 'folder name' | typeof configName
  readonly linter: DetectedLinter
  readonly approval: Config['approval']
  /** The number of new errors that are kept without a question. */
  readonly approvalOnErrorCount: number
  readonly config: 'created' | 'kept'
  readonly folder: 'created' | 'kept'
  /** `left`: it is no regular text file, or is read-only; a note says so. */
  readonly ignore: 'created' | 'updated' | 'kept' | 'left'
  /** Each is one line. */
  readonly notes: readonly string[]
}

type Doors = Pick<System, 'cwd' | 'env' | 'files' | 'home' | 'shell' | 'randomUuid'>

/**
 * Makes the current folder a project: `.relaycode/`, the line in `.gitignore`, and last the configuration.
 *
 * It reads everything before it writes anything, and undoes its steps when a later one fails: in the end there is a
 * whole project, or none. Existing files stay as they are.
 */
export async function initProject(system: Doors): Promise<Initialised> {
  const { files } = system
  const root = await files.realPath(system.cwd)
  if (root === null) throw new RelayError('environment', `The current folder is gone: ${system.cwd}`)

  const settings = (await keptSettings(root, system)) ?? (await newSettings(root, system))
  const folder = await lookAtFolder(join(root, '.relaycode'), files)
  const ignore = await lookAtIgnore(join(root, '.gitignore'), files)

  const undo: Undo[] = []
  try {
    await makeFolder(join(root, '.relaycode'), files, undo)
    await writeIgnore(join(root, '.gitignore'), ignore, temporaryIn(root, system), files, undo)
    if (settings.config === 'created') {
      const [path, bytes] = [join(root, configName), Buffer.from(configText(settings, await schemaFor(root, files)))]
      undo.push({ path, run: async () => (await holds(path, bytes, files)) && files.remove(path) })
      await files.replace(path, bytes, temporaryIn(root, system))
    }
  } catch (error) {
    throw await takeBack(undo, error)
  }

  const notes = ignore.kind === 'left' ? [...settings.notes, ignore.note] : settings.notes
  return { root, ...settings, folder, ignore: ignore.kind, notes }
}

type Settings = Omit<Initialised, 'root' | 'folder' | 'ignore'>

async function keptSettings(root: string, system: Doors): Promise<Settings | undefined> {
  const { files, shell } = system
  const file = await readConfigFile(root, system)
  if (file === null) return undefined
  const { projectId, approval, approvalOnErrorCount } = file.config
  const linter = linterLine(file.config)
  const found = linter === '' ? (await detectLinter(root, files, shell)).command : ''
  const setIt = found === '' ? 'set it' : `set "linter": ${JSON.stringify(found)}`
  const none = `none, so relay checks nothing; ${setIt} in relaycode.config.json`
  return {
    projectId,
    idFrom: configName,
    linter: { command: linter, why: linter === '' ? none : 'as configured' },
    approval,
    approvalOnErrorCount,
    config: 'kept',
    notes: file.notes,
  }
}

async function newSettings(root: string, { files, shell }: Doors): Promise<Settings> {
  const { projectId, from } = await detectProjectId(root, files)
  const linter = await detectLinter(root, files, shell)
  const outer = await above(root, configName, files)
  const repository = (await files.stat(join(root, '.git'))) === null ? await repositoryAbove(root, files) : undefined
  const { missing } = linter
  const notes = [
    ...(missing === undefined
      ? []
      : [
          `${missing.file} is here, but not ${missing.program}: once you have installed it, \`relay doctor\` names the linter to set`,
        ]),
    ...allNote(linter),
    ...(outer === undefined ? [] : [`${outer} is a project too; from now on this folder is its own project`]),
    // If the user meant the whole repository, each file of an answer would land one level too deep.
    ...(repository === undefined || outer !== undefined
      ? []
      : [`the git repository begins above, in ${repository}; paths in answers begin here`]),
  ]
  return { projectId, idFrom: from, linter, approval: 'yes', approvalOnErrorCount: 0, config: 'created', notes }
}

/** Offers the list of all that were found: only one of them is set. */
function allNote({ command, others = [] }: DetectedLinter): string[] {
  if (others.length === 0) return []
  const all = JSON.stringify([command, ...others.map(other => other.command)])
  return [`${others.map(({ why }) => why).join(', and ')}, too; for all: relay config linter '${all}'`]
}

/** git passes an empty folder of that name by, and goes on above it. */
async function repositoryAbove(root: string, files: Files): Promise<string | undefined> {
  for (const folder of foldersFrom(root).slice(1)) {
    const stat = await files.stat(join(folder, '.git'))
    const isFolder = stat?.kind === 'folder'
    if (stat !== null && (!isFolder || (await files.stat(join(folder, '.git', 'HEAD'))) !== null)) return folder
  }
  return undefined
}

/** The nearest folder above that contains this name. */
async function above(root: string, name: string, files: Files): Promise<string | undefined> {
  for (const folder of foldersFrom(root).slice(1)) {
    if ((await files.stat(join(folder, name))) !== null) return folder
  }
  return undefined
}

async function lookAtFolder(path: string, files: Files): Promise<'created' | 'kept'> {
  const stat = await files.stat(path)
  if (stat === null) return 'created'
  if (stat.kind === 'folder') return 'kept'
  const found = stat.kind === 'link' ? 'a link' : stat.kind === 'file' ? 'a file' : 'no folder'
  throw new RelayError('usage', `${path} is ${found}, but relay keeps its state in a real folder of that name`, {
    hint: 'Move it away, then run `relay --init` again.',
  })
}

type Ignore =
  | { readonly kind: 'created'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'updated'
      readonly mode: number
      readonly owner: { readonly uid: number; readonly gid: number }
    }
  | { readonly kind: 'kept' }
  | { readonly kind: 'left'; readonly note: string }

async function lookAtIgnore(path: string, files: Files): Promise<Ignore> {
  const stat = await files.stat(path)
  const before = stat?.kind === 'file' ? await files.read(path) : null
  if (stat === null || (stat.kind === 'file' && before === null)) {
    return { kind: 'created', bytes: Buffer.from(addIgnoreLine('') ?? '') }
  }
  // git does not follow a link of that name, and the file behind it may belong to others.
  if (before === null) return { kind: 'left', note: '.gitignore is no regular file: add the line .relaycode/ yourself' }
  if (before.includes(0))
    return { kind: 'left', note: '.gitignore is no plain text: add the line .relaycode/ yourself' }

  if (lineAdded(before) === null) return { kind: 'kept' }
  // The .gitignore in `.relaycode/` keeps it out of git as well.
  if (!(await files.mayWrite(path)))
    return { kind: 'left', note: 'you may not write .gitignore: add the line .relaycode/ yourself' }
  const { mode, uid, gid } = stat
  return { kind: 'updated', mode, owner: { uid, gid } }
}

/** The undo of one step. */
interface Undo {
  readonly path: string
  run(): Promise<unknown>
}

async function makeFolder(path: string, files: Files, undo: Undo[]): Promise<void> {
  if (await files.makeFolder(path, 0o700)) undo.push({ path, run: () => files.removeFolder(path) })
  // Keeps the state out of git even if no other .gitignore does.
  const ignore = join(path, '.gitignore')
  const made = await files.create(ignore, Buffer.from('*\n'), { mode: 0o600 })
  if (made === 'created') undo.push({ path: ignore, run: () => files.remove(ignore) })
}

async function writeIgnore(path: string, ignore: Ignore, temporary: string, files: Files, undo: Undo[]): Promise<void> {
  if (ignore.kind === 'created') {
    if ((await files.create(path, ignore.bytes)) === 'exists') {
      throw new RelayError('conflict', `another program created ${path} in the same moment`, {
        hint: 'Run `relay --init` again.',
      })
    }
    undo.push({ path, run: () => files.remove(path) })
  } else if (ignore.kind === 'updated') {
    // Appended to the present file, which is never replaced: the user may have saved it since it was read.
    const before = await files.read(path)
    const bytes = before && lineAdded(before)
    if (!before || !bytes) return
    const { mode, owner } = ignore
    const takeBack = () => files.replace(path, before, temporary, { mode, owner })
    undo.push({ path, run: async () => (await holds(path, bytes, files)) && takeBack() })
    await files.append(path, bytes.subarray(before.length))
  }
}

function lineAdded(before: Uint8Array): Uint8Array | null {
  const text = addIgnoreLine(Buffer.from(before).toString('latin1'))
  return text === null ? null : Buffer.from(text, 'latin1')
}

/** A replacement can fail after the new file is in place. Only relay's own file may be removed. */
async function holds(path: string, bytes: Uint8Array, files: Files): Promise<boolean> {
  const there = await files.read(path)
  return there !== null && Buffer.from(there).equals(bytes)
}

/**
 * Undoes the steps, the last one first, and answers the error to throw: it names the steps that could not be undone.
 */
async function takeBack(undo: readonly Undo[], error: unknown): Promise<unknown> {
  const left: string[] = []
  for (const step of undo.toReversed()) {
    try {
      await step.run()
    } catch {
      left.push(step.path)
    }
  }
  if (left.length === 0) return error
  const message = error instanceof Error ? error.message : String(error)
  const kind = error instanceof RelayError ? error.kind : 'failed'
  return new RelayError(kind, `${message}\nThese files of this run are still there: ${left.join(', ')}`, {
    hint: 'Remove the cause, then run `relay --init` again: it continues from there.',
    cause: error,
  })
}

/**
 * An editor finds the description of the keys in the project's own package; no other place is the same for everybody.
 */
async function schemaFor(root: string, files: Files): Promise<string | undefined> {
  const installed = 'node_modules/relaycode/docs/relaycode.config.schema.json'
  return (await files.realPath(join(root, installed))) === null ? undefined : `./${installed}`
}

/** The seven keys that every new configuration has to show; all others have defaults. */
function configText(
  { projectId, approval, approvalOnErrorCount, linter }: Settings,
  schema: string | undefined,
): string {
  const config = {
    ...(schema === undefined ? {} : { $schema: schema }),
    projectId,
    clipboardPollInterval: 2000,
    approval,
    approvalOnErrorCount,
    linter: linter.command,
    preCommand: '',
    postCommand: '',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

function temporaryIn(root: string, system: Doors): string {
  return join(root, '.relaycode', `init-${system.randomUuid()}.tmp`)
}
