import { filtersOff, listFilters, quietGit } from '../../ground/quiet-git.ts'

/** Runs git in the user's repository. */
type Run = (
  args: readonly string[],
  options: { readonly stdin?: string },
) => Promise<{ readonly code: number | undefined; readonly out: string; readonly err: string }>

export interface StatusEntry {
  /** The two letters of `git status`. */
  readonly code: string
  /** From the top of the repository. */
  readonly path: string
  /**
   * A filter that the repository itself sets stands between the file and git. relay runs none, so whether the file differs is
   * not known. Without the filter it seems to.
   */
  readonly isUncompared: boolean
}

/**
 * `git status` that only looks: it runs no monitor, no hook and no filter that the repository itself sets. Such settings may
 * have come with a clone. A filter of the user's own settings, such as a global git-lfs, is the user's program and runs.
 *
 * Gives `undefined` where a filter cannot be turned off, so that nothing can be compared.
 */
export async function usersStatus(
  run: Run,
  words: readonly string[] = [],
): Promise<
  { readonly code: number | undefined; readonly err: string; readonly entries: readonly StatusEntry[] } | undefined
> {
  const listed = (await run([...quietGit, ...listFilters], {})).out
  const off = filtersOff(listed)
  if (off === undefined) return undefined
  const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', ...words]
  const { code, out, err } = await run([...quietGit, ...off, ...status], {})
  const found = out
    .split('\0')
    .filter(Boolean)
    .map(entry => ({ code: entry.slice(0, 2), path: entry.slice(3) }))
  // The index and HEAD are compared without filters: only a change in the folder may be none.
  const doubtful = off.length === 0 ? [] : found.filter(entry => entry.code === ' M').map(({ path }) => path)
  const uncompared = doubtful.length === 0 ? new Set() : await filteredAmong(doubtful, off, run)
  return {
    code,
    err,
    entries: found.map(entry => ({ ...entry, isUncompared: uncompared.has(entry.path) })),
  }
}

/** The paths with one of the filters that are off. */
async function filteredAmong(paths: readonly string[], off: readonly string[], run: Run): Promise<ReadonlySet<string>> {
  const names = new Set(off.flatMap(word => /^filter\.(.*)\.clean=$/s.exec(word)?.[1] ?? []))
  // It takes paths from the folder in which it runs.
  const up = (await run([...quietGit, 'rev-parse', '--show-cdup'], {})).out.trim() || '.'
  const stdin = paths.map(path => `${path}\0`).join('')
  const { out } = await run([...quietGit, '-C', up, 'check-attr', '-z', '--stdin', 'filter'], { stdin })
  const words = out.split('\0')
  return new Set(paths.filter((_, at) => names.has(words[3 * at + 2] ?? '')))
}

/** A path for people, with the doubt about it. */
export function statusWords({ path, isUncompared }: StatusEntry): string {
  return isUncompared ? `${path} (not compared)` : path
}
