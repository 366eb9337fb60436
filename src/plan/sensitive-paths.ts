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
  sorted ??= sortPatterns()
  const { names, folders, tails, globs } = sorted
  return (
    parts.map(part => folders.get(part)?.why).find(why => why !== undefined) ??
    meant(names.get(name)) ??
    tails.find(({ matches }) => matches(folded))?.row.why ??
    globs.find(glob => glob.matches(name) && !isTooWide(glob, name) && meant(glob.row) !== undefined)?.row.why ??
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

interface Pattern {
  readonly row: SensitiveRow
  readonly pattern: string
}

/** Made with the first path: most commands look at none, and would start later by it. */
let sorted: ReturnType<typeof sortPatterns> | undefined

function sortPatterns() {
  const all = SENSITIVE.flatMap(row => row.files.split(/\s+/).map(pattern => ({ row, pattern })))
  const isGlob = (pattern: string) => /[*{]/.test(pattern)
  const isFolder = (pattern: string) => pattern.endsWith('/')
  const isTail = (pattern: string) => pattern.slice(0, -1).includes('/')
  return {
    names: firstOnes(all.filter(({ pattern }) => !isGlob(pattern) && !isFolder(pattern) && !isTail(pattern))),
    folders: firstOnes(all.filter(({ pattern }) => isFolder(pattern) && !isTail(pattern))),
    tails: globsOf(
      '**/',
      all.filter(({ pattern }) => isTail(pattern)),
    ),
    globs: globsOf(
      '',
      all.filter(({ pattern }) => isGlob(pattern) && !isTail(pattern)),
    ),
  }
}

function globsOf(prefix: string, patterns: readonly Pattern[]) {
  return patterns.map(({ row, pattern }) => {
    const end = pattern.endsWith('/') ? '**' : ''
    return { row, pattern, matches: glob(prefix, foldPath(`${pattern}${end}`)) }
  })
}

/**
 * Nearly no path matches any of some hundred globs. So a path is only tried when it holds the longest plain text of the
 * glob, and the glob is only made into a regular expression then: to make them all takes longer than to write a file.
 */
function glob(prefix: string, pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/\{[^}]*\}/g, '*').split(/\*+/)
  const needle = plain.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
  let regex: RegExp | undefined
  return path => {
    if (!path.includes(needle)) return false
    regex ??= picomatch.makeRe(`${prefix}${pattern}`, { dot: true })
    return regex.test(path)
  }
}

/** Plain names are looked up, so that ten thousand paths need not try each of some hundred patterns. */
function firstOnes(patterns: readonly Pattern[]): ReadonlyMap<string, SensitiveRow> {
  const found = new Map<string, SensitiveRow>()
  for (const { row, pattern } of patterns) {
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
