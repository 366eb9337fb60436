import { isAbsolute, posix, relative, resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/paths.ts'
import type { LintError } from '../model/check.ts'
import { lintersOf } from '../model/linters-of.ts'
import type { Project } from '../model/project.ts'
import { writePack } from '../pack/write-pack.ts'
import type { System } from '../ports.ts'
import { packLines } from '../report/screens/pack-lines.ts'
import { visible } from '../report/text/visible.ts'
import { openProject } from './open/open-project.ts'
import { amount } from './open/read-amount.ts'
import { runLinterNow } from './open/run-linter-now.ts'
import { copyPack, factsOf } from './pack/copy-pack.ts'
import { changedSince, stagedFiles } from './pack/git-changes.ts'
import { makePack, type Pack } from './pack/make-pack.ts'
import { rememberPack } from './pack/remember-pack.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { styleOf } from './talk/style-of.ts'

interface PackOptions extends TrustOptions {
  /** Against which commit; `true` for the newest. */
  readonly changed?: string | true
  readonly staged?: boolean
  readonly errors?: boolean
  readonly limit?: string
  readonly stdout?: boolean
  readonly output?: string
  readonly allowSecrets?: boolean
}

/** `relay pack`: gives files to a model, with the instructions for its answer, and remembers what it was given. */
export async function pack(system: System, typed: readonly string[], options: PackOptions): Promise<number> {
  const { limit, allowSecrets } = options
  const target = targetOf(options)
  const tokens = limit === undefined ? undefined : amount('--limit', limit, units, 'a number of tokens such as 100k')
  const project = await openProject(system)
  const words = await fromRoot(typed, project.root, system)
  const errors = options.errors === true ? await errorsNow(project, system, options) : []
  const only = await namedBy(options, errors, project, system)
  if (only?.size === 0) {
    system.terminal.err(`No ${options.errors === true ? 'errors' : 'changes'}: nothing to pack.`)
    return 0
  }
  const made = await makePack({ words, only, errors, limit: tokens, allowSecrets }, project, system)
  await handOver(made, target, project, system)
  return 0
}

/** Where a pack goes. */
type Target = 'clipboard' | 'stdout' | { readonly file: string }

function targetOf({ output, stdout }: PackOptions): Target {
  const isPrinted = stdout === true || output === '-'
  if (output === undefined || output === '-') return isPrinted ? 'stdout' : 'clipboard'
  if (isPrinted) throw new RelayError('usage', 'A pack goes to stdout or into a file, not both')
  return { file: output }
}

async function handOver(made: Pack, target: Target, project: Project, system: System): Promise<void> {
  const { terminal, cwd } = system
  if (target === 'clipboard') {
    if (await copyPack(made, project, system)) return
    throw new RelayError('environment', 'The pack was not copied', { isSaid: true })
  }
  // A terminal gets made visible what would steer it, a pipe all as it is.
  if (target === 'stdout') terminal.out(terminal.isRead ? visible(made.text) : made.text)
  else await writePack(resolve(cwd, target.file), made.text, system)
  await rememberPack(made, project, system)
  const done = target === 'stdout' ? 'packed' : 'wrote'
  for (const line of packLines(factsOf(made), done, styleOf(terminal))) terminal.err(line)
}

const units = { '': 1, k: 1000, m: 1_000_000 }

/** What was typed in a folder of the project, as it is named from the root. */
async function fromRoot(typed: readonly string[], root: string, system: System): Promise<readonly string[]> {
  const cwd = (await system.files.realPath(system.cwd)) ?? system.cwd
  const slashed = (path: string) => (isWindows(system.runtime) ? path.replaceAll('\\', '/') : path)
  const here = slashed(relative(root, cwd))
  return typed.map(word => {
    const [not, path] = word.startsWith('!') ? ['!', slashed(word.slice(1))] : ['', slashed(word)]
    // In the root a glob without a slash counts in every folder; here it does in those below.
    const isLoose = /[*?[{]/.test(path) && !path.includes('/')
    if (isLoose) return not + (here === '' ? path : `${here}/**/${path}`)
    const named = isAbsolute(word) ? slashed(relative(root, word)) : posix.join(here, path)
    if (named === '..' || named.startsWith('../')) throw new RelayError('usage', `${word} is not in the project`)
    return not + named
  })
}

/** The files that git and the linter name; `undefined` where nobody asked them. */
async function namedBy(
  { changed, staged, errors }: PackOptions,
  found: readonly LintError[],
  project: Project,
  system: System,
): Promise<ReadonlySet<string> | undefined> {
  if (changed === undefined && staged !== true && errors !== true) return undefined
  return new Set([
    ...(changed === undefined ? [] : await changedSince(changed === true ? 'HEAD' : changed, project, system)),
    ...(staged === true ? await stagedFiles(project, system) : []),
    ...found.map(({ file }) => file),
  ])
}

async function errorsNow(project: Project, system: System, options: TrustOptions): Promise<readonly LintError[]> {
  if (lintersOf(project.config).length === 0) {
    throw new RelayError('usage', 'No linter is configured', { hint: 'Set one: `relay config linter "eslint ."`.' })
  }
  await confirmCommands(project, system, options)
  const { check } = await runLinterNow(project, system)
  system.interruption.throwIfAborted()
  const hint = '`relay doctor` looks at the linter; name the files instead.'
  if (check.kind !== 'counted') {
    throw new RelayError('usage', `The linter gives no result${check.kind === 'uncounted' ? `: ${check.why}` : ''}`, {
      hint,
    })
  }
  if (check.list === undefined && check.errors > 0) {
    throw new RelayError('usage', 'relay cannot tell in which files the errors are', { hint })
  }
  return check.list ?? []
}
