import { isUtf8 } from 'node:buffer'
import { isRecord, parseJson } from '../../ground/json.ts'
import { scriptsNamed } from '../../ground/package-scripts.ts'
import type { Change, PathState } from '../../model/plan.ts'
import { foldPath } from '../fold-path.ts'

/**
 * Says what a change brings into a package.json that npm or one of these commands would run or install. Empty: nothing, so
 * that nobody need be asked. `undefined`: it is no package.json, or one that cannot be read.
 *
 * What goes runs nothing, and a script that only a person calls is like any other source file.
 */
export function packageChanges({ path, before, after }: Change, commands: readonly string[]): string | undefined {
  if (foldPath(path.split('/').at(-1) ?? '') !== 'package.json') return undefined
  const [was, now] = [before === null ? {} : membersOf(before), membersOf(after)]
  if (was === undefined || now === undefined) return undefined
  const runs = runBy(commands, recordOf(now['scripts']))
  const scripts = brought('script', recordOf(was['scripts']), recordOf(now['scripts'])).filter(({ name }) => runs(name))
  const dependencies = DEPENDENCIES.flatMap(key => brought('dependency', recordOf(was[key]), recordOf(now[key])))
  const others = brought('', was, now).filter(({ name, value }) => {
    const isList = name === 'scripts' || DEPENDENCIES.includes(name)
    return !HARMLESS.has(name) && !(isList && isRecord(value))
  })
  const words = [...scripts, ...dependencies, ...others].map(({ does, what, name }) => `${does} ${what}${name}`)
  const more = words.length - MOST_NAMED
  return [...words.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

const MOST_NAMED = 4

function membersOf(state: PathState): Readonly<Record<string, unknown>> | undefined {
  if (state?.kind !== 'file' || !isUtf8(state.bytes)) return undefined
  const data = parseJson(
    Buffer.from(state.bytes)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  )
  return isRecord(data) ? data : undefined
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function brought(what: string, was: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) {
  return Object.entries(now).flatMap(([name, value]) => {
    const isNew = !Object.hasOwn(was, name)
    if (!isNew && JSON.stringify(was[name]) === JSON.stringify(value)) return []
    return [{ does: isNew ? 'adds' : 'changes', what: what === '' ? '' : `${what} `, name, value }]
  })
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** Nothing runs or installs anything for what stands below these. */
const HARMLESS: ReadonlySet<string> = new Set(
  `name version description keywords author contributors maintainers license repository bugs homepage funding private
  files main module types typings typesVersions exports imports browser sideEffects type bin man peerDependenciesMeta
  publishConfig browserslist`.match(/\S+/g),
)

/** Scripts that npm and its like run by themselves: at an install, a pack, a publish or a version. */
const HOOKS =
  /^(?:(?:pre|post)?(?:install|prepare|pack|publish|version|uninstall)|prepublishOnly|dependencies|(?:pre|post)?rebuild)$/

/** The scripts that run without a person who calls them: hooks, those that a command names, and all that these call. */
function runBy(commands: readonly string[], scripts: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const names = Object.keys(scripts)
  const runs = new Set(names.filter(name => HOOKS.test(name)))
  const textOf = (name: string) => (typeof scripts[name] === 'string' ? scripts[name] : '')
  const texts = [...commands, ...[...runs].map(textOf)]
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const called = calledIn(text)
    for (const name of names.filter(each => !runs.has(each) && called(each))) {
      runs.add(name)
      texts.push(textOf(name))
    }
  }
  return name => runs.has(name)
}

/** A runner takes a name with `:`, a glob of names (`run-p lint:*`) or a word; each script brings its `pre` and `post`. */
function calledIn(text: string): (name: string) => boolean {
  const words = [...scriptsNamed(text), ...(RUNNERS.test(text) ? (text.match(/[^\s'"`;&|(),]+/g) ?? []) : [])]
  const called = new Set(words)
  const starts = words.flatMap(word => (word.includes('*') ? [word.slice(0, word.indexOf('*'))] : []))
  const isCalled = (name: string) => called.has(name) || starts.some(start => name.startsWith(start))
  return name => isCalled(name) || isCalled(name.replace(/^(?:pre|post)/, ''))
}

/** With these each word of the command may be a script's name. */
const RUNNERS =
  /\b(?:npm|npx|pnpm|yarn|bun|node --run|run-[sp]|npm-run-all2?|concurrently|wireit|turbo|nx|lerna|wsrun)\b/
