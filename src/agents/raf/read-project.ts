import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { RafProject } from '../../model/raf.ts'
import type { Files } from '../../ports.ts'
import { projectOf, taskOf } from './names.ts'
import { type RafFile, stateOf } from './state.ts'

/** A RAF project with the texts of its files. */
export interface ReadProject extends RafProject {
  /** `<id>-<name>`. */
  readonly folder: string
  /** Sorted by name. */
  readonly plans: readonly RafFile[]
  readonly outcomes: readonly RafFile[]
  /** `undefined`: the file does not exist. */
  readonly input: string | undefined
  readonly decisions: string | undefined
}

/** The file operations that reading needs; they may read from the disk or from a commit. */
export type ReadFiles = Pick<Files, 'list' | 'inspect'>

/** The project folders in a RAF folder, oldest first; folders with other names are ignored. */
export async function listProjects(rafFolder: string, files: Files): Promise<readonly string[]> {
  const found = await files.listKinds(rafFolder)
  return (found?.folders ?? []).filter(folder => projectOf(folder) !== undefined).toSorted()
}

/**
 * Reads a project. Files with other names are ignored. Throws `usage` for a project file that cannot be read, because the rest
 * would give a wrong state without it.
 *
 * No link is followed: the texts go to an agent, and a cloned repository could link to anything.
 */
export async function readProject(rafFolder: string, folder: string, files: ReadFiles): Promise<ReadProject> {
  const parts = projectOf(folder)
  const path = join(rafFolder, folder)
  if (parts === undefined) throw new RelayError('usage', `${path} is no project: its name is no <id>-<name>`)
  const [plans, outcomes] = [await tasksIn(join(path, 'plans'), files), await tasksIn(join(path, 'outcomes'), files)]
  const [input, decisions] = [
    await textOf(join(path, 'input.md'), files),
    await textOf(join(path, 'decisions.md'), files),
  ]
  return { ...parts, path, folder, plans, outcomes, input, decisions, state: stateOf(plans, outcomes) }
}

async function tasksIn(folder: string, files: ReadFiles): Promise<readonly RafFile[]> {
  const names = ((await files.list(folder)) ?? []).filter(name => taskOf(name) !== undefined).toSorted()
  const read: RafFile[] = []
  for (const name of names) {
    const text = await textOf(join(folder, name), files)
    if (text !== undefined) read.push({ name, text })
  }
  return read
}

/** `undefined`: there is no such file, or it is a folder. */
async function textOf(path: string, files: ReadFiles): Promise<string | undefined> {
  const found = await files.inspect(path)
  if (found === null || found.kind === 'folder') return undefined
  if (found.kind === 'link') throw new RelayError('usage', `${path} is a link; relay reads plans from files alone`)
  if (found.kind !== 'file') throw new RelayError('usage', `${path} is no file that relay can read`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes)
  } catch (cause) {
    throw new RelayError('usage', `${path} is no text in UTF-8`, { hint: 'Save it as UTF-8, then try again.', cause })
  }
}
