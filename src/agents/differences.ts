import { RelayError } from '../errors.ts'
import { filtersOff, listFilters, quietDiff, quietGit, quietGitEnv } from '../ground/quiet-git.ts'
import type { System } from '../ports.ts'

interface Differences {
  readonly text: string
  /** Every change is staged, so there is nothing to send. */
  readonly isAllStaged: boolean
}

/**
 * The changes in a repository as git prints them: unstaged changes, or all changes since a commit. It runs no program that the
 * repository configures, and writes nothing, because the user has not agreed to anything yet.
 *
 * @param since `true` for unstaged changes, else a commit
 */
export async function differencesIn(repository: string, since: true | string, system: System): Promise<Differences> {
  if (typeof since === 'string' && since.startsWith('-')) {
    throw new RelayError('usage', `--include-diff takes a branch or a commit, not "${since}"`)
  }
  const git = (words: readonly string[]) => run(['git', ...quietGit, ...words], repository, system)
  const off = await filtersTurnedOff(git)
  const diff = (...words: readonly string[]) =>
    git([...off, '-c', 'diff.autoRefreshIndex=false', 'diff', ...quietDiff, '--no-color', ...words, '--'])
  const { code, out, err } = await diff(...(since === true ? [] : [since]))
  if (code !== 0 && (await git(['rev-parse', '--git-dir'])).code !== 0) {
    throw new RelayError('usage', 'This folder is not in a git repository', { hint: 'Ask without --include-diff.' })
  }
  if (code !== 0) throw new RelayError('usage', `Failed to collect git diff: ${err || out || 'git diff failed'}`)
  const isAllStaged = since === true && out === '' && (await diff('--cached', '--quiet')).code === 1
  return { text: out, isAllStaged }
}

type Git = (words: readonly string[]) => ReturnType<typeof run>

async function filtersTurnedOff(git: Git): Promise<readonly string[]> {
  const { code, out, err } = await git(listFilters)
  if (code === 127) {
    throw new RelayError('environment', 'git was not found', { hint: 'Ask without --include-diff.' })
  }
  if (code !== 0 && code !== 1)
    throw new RelayError('usage', `Failed to collect git diff: ${err || 'git config failed'}`)
  const off = filtersOff(out)
  if (off !== undefined) return off
  throw new RelayError('usage', 'The settings of this repository name a filter that cannot be turned off', {
    hint: 'Look for [filter …] in .git/config, or ask without --include-diff.',
  })
}

/** In characters. A larger diff is refused anyway, so no more of it is kept. */
const mostRead = 64 * 1024 * 1024

const gitSeconds = 60

/** `code` is `null` where git did not end by itself. */
async function run(argv: readonly string[], cwd: string, { programs, env, interruption }: System) {
  const texts = { out: '', err: '' }
  const running = await programs.start(argv, {
    cwd,
    env: { ...env, ...quietGitEnv },
    stdin: '',
    timeLimit: gitSeconds,
    signal: interruption,
    onStart: async () => {},
    onLine: (line, from) => {
      if (texts[from].length <= mostRead) texts[from] += `${line}\n`
    },
  })
  const end = await running.ended
  interruption.throwIfAborted()
  return { code: end.kind === 'exit' ? end.code : null, out: texts.out.trim(), err: texts.err.trim() }
}
