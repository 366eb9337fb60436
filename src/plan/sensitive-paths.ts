import picomatch from 'picomatch'
import { foldPath } from './fold-path.ts'
import { pathGlob } from './path-glob.ts'
import { SENSITIVE, type SensitiveRow } from './sensitive-table.ts'

/**
 * Says why a file must never change without a question, or `undefined` when it is an ordinary one.
 *
 * These files make commands run or open doors, and the linter alone may already run them: so they are asked about before
 * anything runs. `policyAsk` are the globs that the configuration adds.
 */
export function sensitivity(path: string, policyAsk: readonly string[]): string | undefined {
  const folded = foldPath(path)
  const parts = folded.split('/')
  const name = parts.at(-1) ?? ''
  const inSource = parts.slice(0, -1).some(folder => SOURCE_FOLDERS.has(folder))
  return (
    parts.map(part => FOLDERS.get(part)?.why).find(why => why !== undefined) ??
    meant(NAMES.get(name)) ??
    TAILS.find(({ regex }) => regex.test(folded))?.row.why ??
    globsFor(name).find(glob => !isTooWide(glob, name) && meant(glob.row) !== undefined)?.row.why ??
    asked(path, policyAsk)
  )

  function meant(row: SensitiveRow | undefined): string | undefined {
    return row?.unless === 'source-folder' && inSource ? undefined : row?.why
  }
}

/** A glob takes in more than it means: prose about the file (`.env.md`), or code that is named after it. */
function isTooWide({ row, pattern }: { row: SensitiveRow; pattern: string }, name: string): boolean {
  return (PROSE.test(name) && !PROSE.test(pattern)) || (row.unless === 'source-file' && SOURCE.test(name))
}

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|html?|svg|css|scss|snap)$/
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|rb|go|rs|java|kt|kts|scala|php|cs|fs|swift|dart|c|h|cc|cpp|hpp|m|ex|exs|erl|hs|ml|lua|pl|r|jl|zig|sql)$/

/** Below these stands an app's own code: `src/app/app.config.ts` is Angular's, and no tool reads it as its settings. */
const SOURCE_FOLDERS: ReadonlySet<string> = new Set(
  'src source sources app lib components pages views routes config configs docs test tests __tests__ spec e2e fixtures'.split(
    ' ',
  ),
)

const patterns = SENSITIVE.flatMap(row => row.files.split(/\s+/).map(pattern => ({ row, pattern })))
const isGlob = (pattern: string) => /[*{]/.test(pattern)
const isFolder = (pattern: string) => pattern.endsWith('/')
const isTail = (pattern: string) => pattern.slice(0, -1).includes('/')

const NAMES = firstOnes(({ pattern }) => !isGlob(pattern) && !isFolder(pattern) && !isTail(pattern))
const FOLDERS = firstOnes(({ pattern }) => isFolder(pattern) && !isTail(pattern))
const TAILS = compiledOnes('**/', ({ pattern }) => isTail(pattern))
const GLOBS = compiledOnes('', ({ pattern }) => isGlob(pattern) && !isTail(pattern))
const ANY_GLOB = new RegExp(GLOBS.map(({ regex }) => regex.source).join('|'))

/** Nearly all names match none of the globs, and one look tells. */
function globsFor(name: string): typeof GLOBS {
  return ANY_GLOB.test(name) ? GLOBS.filter(({ regex }) => regex.test(name)) : []
}

function compiledOnes(prefix: string, which: (entry: (typeof patterns)[number]) => boolean) {
  return patterns.filter(which).map(({ row, pattern }) => {
    const end = pattern.endsWith('/') ? '**' : ''
    return { row, pattern, regex: picomatch.makeRe(foldPath(`${prefix}${pattern}${end}`), { dot: true }) }
  })
}

/** Plain names are looked up, so that ten thousand paths need not try each of some hundred patterns. */
function firstOnes(which: (entry: (typeof patterns)[number]) => boolean): ReadonlyMap<string, SensitiveRow> {
  const found = new Map<string, SensitiveRow>()
  for (const { row, pattern } of patterns.filter(which)) {
    const name = foldPath(pattern.replace(/\/$/, ''))
    if (!found.has(name)) found.set(name, row)
  }
  return found
}

function asked(path: string, policyAsk: readonly string[]): string | undefined {
  let globs = compiled.get(policyAsk)
  if (globs === undefined) {
    globs = policyAsk.map(glob => ({ glob, matches: pathGlob(glob) }))
    compiled.set(policyAsk, globs)
  }
  const match = globs.find(({ matches }) => matches(path))
  return match && `matches "${match.glob}" of policy.ask`
}

/** One configuration serves thousands of paths: its globs are read once. */
const compiled = new WeakMap<readonly string[], { glob: string; matches: (path: string) => boolean }[]>()
