import { RelayError } from '../../errors.ts'
import { filtersOff, listFilters, quietDiff, quietGit, quietGitEnv } from '../../ground/quiet-git.ts'
import { shellWord } from '../../ground/words.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { outsideProject } from '../../project/outside-project.ts'

/** The files that differ from a commit of git's, or are new, by their paths from the root. */
export async function changedSince(ref: string, project: Project, system: System): Promise<readonly string[]> {
  // git would take the first for an option; a shell, of Windows too, reads something into the others, also in quotes.
  if (/^-|["$`\\%!\p{Cc}]/u.test(ref))
    throw new RelayError('usage', `--changed takes a branch or a commit, not "${ref}"`)
  const isNone = ref === 'HEAD' ? 'There is no commit yet' : `${ref} is no commit`
  const hint = ref === 'HEAD' ? other : `Paths come first: \`relay pack ${shellWord(ref)} --changed\``
  return [
    ...(await pathsBy(`diff ${names} "${ref}" --`, project, system, new RelayError('usage', isNone, { hint }))),
    ...(await pathsBy('ls-files --others --exclude-standard -z', project, system)),
  ]
}

const other = 'Name the files instead.'

/** The files that the next commit changes. */
export function stagedFiles(project: Project, system: System): Promise<readonly string[]> {
  return pathsBy(`diff --cached ${names} --`, project, system)
}

const names = `--name-only --relative ${quietDiff.join(' ')} --diff-filter=d -z`

/** @param failure what it means where git knows the folder and does not tell */
async function pathsBy(words: string, project: Project, system: System, failure?: RelayError): Promise<string[]> {
  const { code, output, cut } = await git(words, project, system)
  if (code === 127) throw new RelayError('environment', 'git was not found', { hint: other })
  if (code !== 0 && (await git('rev-parse --git-dir', project, system)).code !== 0) {
    throw new RelayError('usage', 'This folder is not in a git repository', { hint: other })
  }
  if (code !== 0 || cut) {
    const why = cut ? 'it names too many files' : (output.trim().split('\n')[0] ?? '')
    if (failure !== undefined && !cut) throw failure
    throw new RelayError('usage', `git does not tell what changed: ${why}`, { hint: other })
  }
  // A warning of git's ends its line, and each path ends with a NUL.
  return output
    .split('\0')
    .slice(0, -1)
    .map(path => path.slice(path.lastIndexOf('\n') + 1))
}

/** git runs nothing that the repository names: nobody has agreed to anything of it. */
async function git(words: string, project: Project, system: System) {
  const listed = await run(listFilters.map(word => `"${word}"`).join(' '), project, system)
  const off = filtersOff(listed.output)
  if (off !== undefined) return run(`${off.map(word => `"${word}"`).join(' ')} ${words}`.trim(), project, system)
  throw new RelayError('usage', 'The settings of this repository name a filter that cannot be turned off', {
    hint: 'Look for [filter …] in .git/config, or name the files instead.',
  })
}

async function run(words: string, { root, config }: Project, system: System) {
  const { shell, interruption } = system
  const { PATH } = (await outsideProject(root, system)).env
  const { end, output, cut } = await shell.run(`git ${quietGit.join(' ')} ${words}`, {
    cwd: root,
    // The last is for the shell of Windows, which would look into the folder first.
    env: { ...quietGitEnv, ...(PATH !== undefined && { PATH }), NoDefaultCurrentDirectoryInExePath: '1' },
    timeLimit: config.commandTimeout,
    signal: interruption,
    onStart: async () => undefined,
  })
  interruption.throwIfAborted()
  return { code: end.kind === 'exit' ? end.code : undefined, output, cut }
}
