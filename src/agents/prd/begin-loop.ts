import { join } from 'node:path'
import type { System } from '../../ports.ts'
import { replaceUsersFile } from '../work/replace-users-file.ts'
import { textAt, writeCopy } from '../work/user-files.ts'
import { localDay } from './local-day.ts'
import type { LoopPaths } from './loop-files.ts'
import { progressHeader } from './progress-header.ts'

type Doors = Pick<System, 'files' | 'clock'>

interface LoopPlace {
  /** The project's root in the user's folder. */
  readonly root: string
  readonly paths: LoopPaths
  /** The path of the copy of the last run's prd.json. */
  readonly lastPrd: string
}

/**
 * Prepares the files beside a prd.json for a run on its branch. Archives the files of the last run first if that was on
 * another branch; its prd.json comes from the kept copy, because a new one has replaced it. Doing this twice does no harm.
 */
export async function beginLoop(place: LoopPlace, branchName: string, doors: Doors): Promise<Archive | undefined> {
  const { root, paths, lastPrd } = place
  const progressPath = join(root, paths.progress)
  const last = {
    branch: (await textAt(join(root, paths.lastBranch), doors)) ?? null,
    prd: (await textAt(lastPrd, doors)) ?? null,
    progress: (await textAt(progressPath, doors)) ?? null,
  }
  const archive = await archiveAt(place, last, branchName, doors)
  const isNew = last.progress === null || archive !== undefined
  if (archive !== undefined) await writeArchive(place, archive, doors)
  if (isNew) await beginProgress(progressPath, last.progress, doors)
  await writeCopy(lastPrd, (await textAt(join(root, paths.prd), doors)) ?? '', doors)
  await replaceUsersFile(join(root, paths.lastBranch), () => `${branchName}\n`, doors)
  return archive
}

/** Archives the files of the present run in any case; `undefined`: there is nothing to archive. */
export async function archiveNow(place: LoopPlace, branchName: string, doors: Doors): Promise<Archive | undefined> {
  const { root, paths } = place
  const progressPath = join(root, paths.progress)
  const progress = (await textAt(progressPath, doors)) ?? null
  const prd = (await textAt(join(root, paths.prd), doors)) ?? null
  // Any other name will do: the folder is named after the branch of the archived run.
  const archive = await archiveAt(place, { branch: branchName, prd, progress }, `${branchName} `, doors)
  if (archive === undefined) return undefined
  await writeArchive(place, archive, doors)
  await beginProgress(progressPath, progress, doors)
  return archive
}

/** Begins a new progress.txt in place of the archived text. One that was saved since is in no archive, so it stays. */
async function beginProgress(path: string, archived: string | null, doors: Doors): Promise<void> {
  const header = progressHeader(doors.clock.now())
  await replaceUsersFile(path, text => ((text ?? null) === archived ? header : undefined), doors)
}

async function archiveAt(
  { root, paths }: LoopPlace,
  last: Parameters<typeof archiveOf>[0],
  branchName: string,
  { files, clock }: Doors,
): Promise<Archive | undefined> {
  const taken = new Set<string>()
  for (;;) {
    const archive = archiveOf(last, branchName, clock.now(), folder => taken.has(folder))
    if (archive === undefined) return undefined
    const at = join(root, paths.folder, archive.folder)
    if ((await files.stat(at)) === null || (await isWritten(at, archive, { files }))) return archive
    // An earlier relay process was stopped after it had archived.
    if (onlyHeader.test(last.progress ?? '')) return undefined
    taken.add(archive.folder)
  }
}

const onlyHeader = /^# Ralph Progress Log\r?\nStarted: .*\r?\n---\s*$/

/** Whether an earlier relay process, which was stopped, wrote this archive or a part of it. */
async function isWritten(at: string, archive: Archive, doors: Pick<Doors, 'files'>): Promise<boolean> {
  for (const [name, text] of Object.entries(archive.files)) {
    const found = await textAt(join(at, name), doors)
    if (found !== undefined && found !== text) return false
  }
  return true
}

async function writeArchive({ root, paths }: LoopPlace, { folder, files }: Archive, doors: Doors): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await replaceUsersFile(join(root, paths.folder, folder, name), there => there ?? text, doors)
  }
}

/** The files of the last run, and the folder to archive them in. */
interface Archive {
  /** Relative to the folder of prd.json, with `/` between its parts. */
  readonly folder: string
  /** Texts by file name. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * What to archive before a loop begins: the files of the last run, if that was on another branch.
 *
 * By now prd.json belongs to the new run, so the last run's copy is archived.
 *
 * @param isTaken whether a folder exists already: a branch may have several runs on one day
 */
export function archiveOf(
  last: {
    /** The text of `.last-branch`; `null`: there is none. */
    readonly branch: string | null
    /** As the last run left it; `null`: no copy was kept. */
    readonly prd: string | null
    readonly progress: string | null
  },
  branchName: string,
  at: Date,
  isTaken: (folder: string) => boolean = () => false,
): Archive | undefined {
  const branch = last.branch?.trim() ?? ''
  if (branch === '' || branchName === '' || branch === branchName) return undefined
  const files = [
    ...(last.prd === null ? [] : [['prd.json', last.prd]]),
    ...(last.progress === null ? [] : [['progress.txt', last.progress]]),
  ]
  return files.length === 0 ? undefined : { folder: freeFolder(branch, at, isTaken), files: Object.fromEntries(files) }
}

function freeFolder(branch: string, at: Date, isTaken: (folder: string) => boolean): string {
  const folder = `archive/${localDay(at)}-${safePath(branch.replace(/^ralph\//, ''))}`
  let free = folder
  for (let copy = 2; isTaken(free); copy++) free = `${folder}-${copy}`
  return free
}

/** Anyone can edit `.last-branch`: its text must not lead out of the archive. */
function safePath(name: string): string {
  const parts = name.split('/').map(part => part.replaceAll(/[\p{Cc}\p{Cf}\\:*?"<>|]|^\.+|\.+$/gu, '-').slice(0, 100))
  return parts.filter(part => part.trim() !== '').join('/') || 'run'
}
