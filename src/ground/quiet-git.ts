/**
 * Words behind `git`, and below them its environment, with which it reads a repository and does nothing else: no hook
 * and no monitor of the repository runs, git fetches nothing, and it asks no question.
 */
export const quietGit = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const

export const quietGitEnv = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  // For a git that does not know the setting above: it allows no way of fetching.
  GIT_ALLOW_PROTOCOL: ':',
  GIT_TERMINAL_PROMPT: '0',
} as const

/** For `git diff`: only git itself makes the differences, and no git starts in a submodule. */
export const quietDiff = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--submodule=short'] as const

/** Lists the filters that git knows, for `filtersOff`. Git ends with 1 where there are none. */
export const listFilters = ['config', '--show-scope', '-z', '--name-only', '--get-regexp', '^filter\\.'] as const

/**
 * Further words behind `git` that turn off all filters of the repository: git would run one to look at a file.
 * `undefined`: git does not take the name of one on its command line. A filter in the user's own settings is the
 * user's program, and stays.
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
