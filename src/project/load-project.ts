import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { foldersFrom } from '../ground/paths.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { configName, readConfigFile } from './read-config-file.ts'
import type { UserDoors } from './user-config-file.ts'

export interface LoadedProject {
  readonly project: Project
  /** Harmless, but worth a line: unknown keys. */
  readonly notes: readonly string[]
}

/**
 * Finds the project of the current folder, and reads its configuration as it is at this moment.
 *
 * The nearest configuration upwards counts, even if it is broken: the next one would apply patches to a project that
 * nobody meant.
 */
export async function loadProject(system: Pick<System, 'cwd'> & UserDoors): Promise<LoadedProject> {
  const root = await findProjectFolder(system)
  const file = root === undefined ? null : await readConfigFile(root, system)
  if (root === undefined || file === null) throw noProject(system.cwd)
  return { project: { root, config: file.config }, notes: file.notes }
}

export function noProject(cwd: string): RelayError {
  return new RelayError('usage', `No ${configName} in ${cwd} or above`, {
    hint: 'Run `relay --init` in your project first.',
  })
}

/** Finds the project even if its configuration is broken. */
export async function findProjectFolder({ cwd, files }: Pick<System, 'cwd' | 'files'>): Promise<string | undefined> {
  const from = await files.realPath(cwd)
  for (const folder of from === null ? [] : foldersFrom(from)) {
    if ((await files.stat(join(folder, configName))) !== null) return folder
  }
  return undefined
}
