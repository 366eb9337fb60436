import { join } from 'node:path'
import { isShape, isText } from '../../ground/json.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import { readNote } from '../disk/note.ts'
import { makeOwnerMark } from './owner-marks.ts'

export interface PlaceMark {
  /** The other folders in which the same projectId was watched when the mark was made. */
  readonly elsewhere: readonly { readonly pid: number; readonly root: string }[]
  remove(): Promise<void>
}

/**
 * Says on this machine which folder this process watches for: clones and worktrees of one repository have their projectId in
 * common, and each takes every answer.
 *
 * Beside what is remembered of the user's for all projects. Where that cannot be written nobody is told, and all else goes on.
 */
export async function markPlace(project: Project, system: System): Promise<PlaceMark | undefined> {
  try {
    return await markIn(system.stateFolder, project, system)
  } catch {
    return undefined
  }
}

async function markIn(
  stateFolder: string | undefined,
  { root, config: { projectId } }: Project,
  system: System,
): Promise<PlaceMark | undefined> {
  if (stateFolder === undefined) return undefined
  const { files } = system
  const place: Place = { projectId, root }
  const folder = join(await makeFolders(stateFolder, files), 'watch')
  const { others, remove } = await makeOwnerMark(folder, system, path => {
    return files.create(path, Buffer.from(JSON.stringify(place)), { mode: 0o600, sync: false })
  })
  const elsewhere: PlaceMark['elsewhere'][number][] = []
  for (const { path, mark } of others) {
    const other = await readNote(path, files)
    const isSame = isPlace(other) && other.projectId === projectId && other.root !== root
    if (isSame) elsewhere.push({ pid: mark.pid, root: other.root })
  }
  return { elsewhere, remove }
}

interface Place {
  readonly projectId: string
  readonly root: string
}

const isPlace = isShape<Place>({ projectId: isText, root: isText })
