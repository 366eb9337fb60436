/**
 * The words behind `git`, and what is added to its environment, so that it tells what a repository holds and does nothing else:
 * no hook and no monitor that the repository names runs, nothing is fetched, and no question comes.
 */
export const quietGit = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const

export const quietGitEnv = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  // For a git that does not know the one above: no way of fetching is allowed.
  GIT_ALLOW_PROTOCOL: ':',
  GIT_TERMINAL_PROMPT: '0',
} as const

/** Words of `git diff`: no program but git itself makes the differences, and no git starts in a submodule. */
export const quietDiff = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--submodule=short'] as const

/** Has git tell which filters it knows, for `filtersOff`. It ends with 1 where there are none. */
export const listFilters = ['config', '--show-scope', '-z', '--name-only', '--get-regexp', '^filter\\.'] as const

/**
 * Further words behind `git`, by which no filter runs that the repository itself names: git would run one to look at a file.
 * `undefined`: one has a name that git would not take there. A filter of the user's own settings is the user's program.
 */
export function filtersOff(listed: string): readonly string[] | undefined {
  const entries = listed.split('\0')
  const keys = entries.filter((_, at) => /(?:^|\n)(?:local|worktree)$/.test(entries[at - 1] ?? ''))
  const names = new Set(keys.map(key => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? ''))
  if ([...names].some(name => !/^[\w .+-]+$/.test(name))) return undefined
  return [...names].flatMap(name =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap(setting => ['-c', `filter.${name}.${setting}`]),
  )
}
