import { basename, dirname, join } from 'node:path'
import { causeCode, RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import type { PathFact } from '../../model/plan.ts'
import type { Files, Stat } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import { type Links, otherNames } from './find-links.ts'
import { Folders, joined, parentOf } from './folders.ts'

/**
 * Looks at the disk, once for each path that is touched and in the same order: where each path really leads, and what stands
 * there. Decides nothing. A path whose state cannot be read is an error, never "not there". When `signal` aborts its
 * reason is thrown: ten thousand files take seconds.
 */
export async function survey(
  root: string,
  touches: readonly Touch[],
  files: Files,
  {
    fileBytes = Number.POSITIVE_INFINITY,
    stateFolder,
    listsBeside = false,
    linksStand = false,
    links,
    signal,
  }: SurveyOptions = {},
): Promise<PathFact[]> {
  const folders = new Folders(root, files)
  const own =
    stateFolder === undefined ? undefined : insideOf(root, await realFolder(stateFolder, files).catch(notYours))
  return inFlight(touches, async touch => {
    signal?.throwIfAborted()
    let seen = await factOf(touch.path, root, folders, files, { fileBytes, linksStand })
    if (links !== undefined && seen.leads.kind === 'inside') {
      const names = otherNames(seen.leads.target, links).filter(name => name !== touch.path)
      if (names.length > 0) seen = { ...seen, otherNames: names }
    }
    const isNew = touch.op === 'write' && seen.found === 'absent' && seen.leads.kind === 'inside'
    const fact = listsBeside && isNew ? { ...seen, beside: await folders.namesBeside(seen) } : seen
    return own !== undefined && isIn(own, fact) ? { ...fact, guarded: own } : fact
  })
}

interface Touch {
  readonly op: 'write' | 'delete'
  readonly path: string
}

interface SurveyOptions {
  /** Larger files are not read. */
  readonly fileBytes?: number
  /** relay's own folder in the user's home. It lies in the project if the project is the home. */
  readonly stateFolder?: string | undefined
  /** Lists the folders that get new files. */
  readonly listsBeside?: boolean
  /** Changes a link itself and not the file to which it leads. */
  readonly linksStand?: boolean
  /** The links of the project, to find other paths of the same place. */
  readonly links?: Links
  readonly signal?: AbortSignal
}

/** Also of a folder that does not exist yet. */
async function realFolder(folder: string, files: Files): Promise<string> {
  const real = await files.realPath(folder)
  if (real !== null || dirname(folder) === folder) return real ?? folder
  return join(await realFolder(dirname(folder), files), basename(folder))
}

/**
 * `HOME` can be another user's, after `su` and in some containers: then HOME is wrong, not the owner or mode of the
 * folder.
 */
function notYours(error: unknown): never {
  if (causeCode(error) !== 'EACCES') throw error
  const hint = 'relay stores there what you have allowed: set HOME or XDG_STATE_HOME to a folder of yours.'
  throw new RelayError('environment', (error as Error).message, { hint, cause: error })
}

function isIn(folder: string, { place, leads }: PathFact): boolean {
  const folded = (path: string) => `${path.normalize('NFC').toLowerCase()}/`
  return [place, leads.kind === 'inside' ? leads.target : place].some(path => folded(path).startsWith(folded(folder)))
}

async function factOf(
  path: string,
  root: string,
  folders: Folders,
  files: Files,
  { fileBytes, linksStand }: Required<Pick<SurveyOptions, 'fileBytes' | 'linksStand'>>,
): Promise<PathFact> {
  const nothing = {
    path,
    place: path,
    link: undefined,
    found: 'absent',
    file: undefined,
    identity: undefined,
    fileInTheWay: undefined,
    missingFolders: [],
    otherDevice: undefined,
    guarded: undefined,
  } as const

  const folder = await folders.find(parentOf(path))
  if (folder.kind === 'outside' || folder.kind === 'nowhere') return { ...nothing, leads: folder }
  if (folder.kind === 'blocked') {
    return { ...nothing, leads: { kind: 'inside', target: path }, fileInTheWay: folder.by }
  }
  const name = path.slice(path.lastIndexOf('/') + 1)
  const named = joined(folder.at, name)
  const here = folder.missing.length > 0 ? null : await files.stat(join(root, named))
  const place = here === null ? named : await folders.spelled(folder.at, name)
  const placed = { ...nothing, place, missingFolders: folder.missing, otherDevice: folder.otherDevice }
  if (here?.kind !== 'link') {
    const fact = { ...placed, leads: { kind: 'inside', target: place }, guarded: folder.guarded } as const
    return withFound(fact, here, join(root, place), files, fileBytes)
  }
  const link = await files.readLink(join(root, place))
  if (linksStand) return { ...placed, link, leads: { kind: 'inside', target: place }, guarded: folder.guarded }
  const real = await files.realPath(join(root, place))
  if (real === null) return { ...placed, link, leads: { kind: 'nowhere', to: link }, guarded: folder.guarded }
  const target = insideOf(root, real)
  if (target === undefined) return { ...placed, link, leads: { kind: 'outside', to: real } }
  const there = await files.stat(join(root, target))
  const home = await folders.find(parentOf(target))
  const { otherDevice, guarded } = home.kind === 'inside' ? home : nothing
  const fact = { ...placed, link, leads: { kind: 'inside', target }, otherDevice, guarded } as const
  return withFound(fact, there, join(root, target), files, fileBytes)
}

async function withFound(
  fact: PathFact,
  there: Stat | null,
  target: string,
  files: Files,
  fileBytes: number,
): Promise<PathFact> {
  if (there === null) return fact
  const identity = `${there.device}:${there.inode}`
  if (there.kind !== 'file') return { ...fact, identity, found: there.kind === 'folder' ? 'folder' : 'other' }
  if (there.size > fileBytes) return { ...fact, identity, found: 'file', tooLarge: there.size }
  // A link may have taken a folder's place since then: what is behind it is no file of the project.
  const seen = await files.inspect(target)
  if (seen === null) return fact
  if (seen.kind !== 'file') return { ...fact, identity, found: 'other' }
  const file = { kind: 'file', bytes: seen.bytes, mode: there.mode } as const
  const isOpen = await files.mayWrite(target)
  return { ...fact, identity, found: 'file', file, ...(isOpen ? {} : { isClosed: true }) }
}
