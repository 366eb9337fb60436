import { localDay } from './local-day.ts'

/** The last run's files, and where they are put aside. */
export interface Archive {
  /** Relative to the folder of prd.json, with `/` between its parts. */
  readonly folder: string
  /** By name, with the text of each. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * What is archived before a loop begins: the last run's files, when it was on another branch.
 *
 * prd.json has been replaced by then, so the one that lies there is of the new run.
 *
 * @param isTaken whether a folder is there already: on one day a branch may have several runs
 */
export function archiveOf(
  last: {
    /** The text of `.last-branch`; `null`: there is none. */
    readonly branch: string | null
    /** As the last run left it; `null`: it was not kept. */
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

/** `.last-branch` is a file like any: what is in it may not lead out of the archive. */
function safePath(name: string): string {
  const parts = name.split('/').map(part => part.replaceAll(/[\p{Cc}\p{Cf}\\:*?"<>|]|^\.+|\.+$/gu, '-').slice(0, 100))
  return parts.filter(part => part.trim() !== '').join('/') || 'run'
}
