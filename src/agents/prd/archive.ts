import { localDay } from './local-day.ts'

/** The files of the last run, and the folder to archive them in. */
export interface Archive {
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
