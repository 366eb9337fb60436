import { findProgram } from '../find-program.ts'
import { outputOf } from '../output-of.ts'

export interface Pager {
  readonly command: string
  /** The pager is made for the output of `git diff`. */
  readonly takesPatch: boolean
}

/**
 * The pager that the user wants for a diff or for another text. `undefined`: none, the text is printed.
 *
 * A user who set a pager for git's diffs wants it for ours. `delta` is installed for nothing else, and pages through
 * the general pager. An empty value and `cat` mean none.
 */
export async function choosePager(env: NodeJS.ProcessEnv, text: 'diff' | 'other'): Promise<Pager | undefined> {
  const own = env['RELAY_PAGER']
  if (own !== undefined) return pager(own, READS_PATCHES.has(programOf(own)))
  const gits = text === 'diff' ? (env['GIT_PAGER'] ?? (await gitPager(env))) : undefined
  if (gits !== undefined) return pager(gits, !PLAIN.has(programOf(gits)))
  const general = env['PAGER']
  if (general !== undefined && isNone(general)) return undefined
  if (text === 'diff' && findProgram('delta', env) !== null) return { command: 'delta', takesPatch: true }
  if (general !== undefined) return pager(general, READS_PATCHES.has(programOf(general)))
  return findProgram('less', env) === null ? undefined : pager('less -R', false)
}

const READS_PATCHES = new Set(['delta', 'diff-so-fancy', 'diff-highlight', 'riff', 'ydiff', 'cdiff', 'colordiff'])
/** These show any text, and relay's own diff says more than git's. */
const PLAIN = new Set(['less', 'more', 'most', 'moar', 'moor', 'ov', 'pg', 'bat', 'batcat', 'head', 'cat'])

function pager(command: string, takesPatch: boolean): Pager | undefined {
  return isNone(command) ? undefined : { command, takesPatch }
}

function isNone(command: string): boolean {
  return command.trim() === '' || command.trim() === 'cat'
}

/** `LESS=R /usr/bin/less -X | cat` gives `less`. */
function programOf(command: string): string {
  const [program = ''] = command.replace(/^\s*(?:\w+=\S*\s+)*/, '').split(/[\s|;&]/, 1)
  return program.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '')
}

/**
 * The pager of git's configuration: the one for diffs alone, or else the general one. The configuration of a
 * repository does not count: it may have come with the project, and a pager is a command.
 */
async function gitPager(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const git = findProgram('git', env)
  if (git === null) return undefined
  const wanted = '^(core\\.pager|pager\\.diff)$'
  const output = await outputOf(git, ['config', '--null', '--show-scope', '--get-regexp', wanted])
  const settings = new Map<string, string>()
  const parts = output.split('\0')
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [name = '', ...value] = (parts[at + 1] ?? '').split('\n')
    if (parts[at] !== 'local' && parts[at] !== 'worktree') settings.set(name, value.join('\n'))
  }
  const forDiffs = settings.get('pager.diff')
  // Yes or no only says whether git pages its diffs.
  return forDiffs === undefined || /^(true|false|yes|no|on|off|\d*)$/i.test(forDiffs)
    ? settings.get('core.pager')
    : forDiffs
}
