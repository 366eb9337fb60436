import { isSource } from '../../lines/is-source.ts'
import { foldPath } from '../fold-path.ts'
import { OF_DATA, SENSITIVE, type SensitiveRow } from './sensitive-table.ts'

/**
 * Says why a file must never change without a question, or `undefined` when it is an ordinary one.
 *
 * These files make commands run or open doors, and the linter alone may already run them: so they are asked about before
 * anything runs.
 */
export function sensitivity(path: string): string | undefined {
  const why = whyAsked(path)
  return why !== undefined && DATA.test(path) ? (OF_DATA.get(why) ?? why) : why
}

/** Settings that no tool runs as code: `.prettierrc`, `jest.config.json`. */
const DATA = /\.(?:json[c5]?|ya?ml|toml|ini|opts)(?:\.dist)?$|(?:^|\/)\.[^./]+rc$/i

function whyAsked(path: string): string | undefined {
  const folded = foldPath(path)
  const parts = folded.split('/')
  const name = parts.at(-1) ?? ''
  const inSource = parts.slice(0, -1).some(folder => SOURCE_FOLDERS.has(folder))
  const isPage = /(?:^|\/)(?:docs?|content|blog|posts)\//.test(folded) && !/(?:^|\/)[^a-z/]*\.(?:md|MD)$/.test(path)
  sorted ??= sortPatterns()
  const { names, folders, tails, globs } = sorted
  const told = SHOWN.test(folded) ? parts.filter(part => part !== '.github' && part !== '.changeset') : parts
  return (
    optionLike(parts) ??
    commandLike(path) ??
    told.map(part => folders.get(part)?.why).find(why => why !== undefined) ??
    meant(names.get(name)) ??
    tails.find(({ matches, row }) => matches(folded) && meant(row) !== undefined)?.row.why ??
    globs.find(glob => glob.matches(name) && !isTooWide(glob, name) && meant(glob.row) !== undefined)?.row.why ??
    hidden(told)
  )

  function meant(row: SensitiveRow | undefined): string | undefined {
    const isOther = (row?.unless === 'source-folder' && inSource) || (row?.unless === 'page' && isPage)
    return isOther ? undefined : row?.why
  }
}

/**
 * `tar cf x *` takes a file named `--checkpoint-action=…` for an option of its own, `cc *.c` the file `@x.c` for the name of
 * one that holds options, and `vim *` runs what stands behind a `+`. Below a folder only names that nobody gives in
 * earnest: routers have folders such as `-components` and `@modal`, and files such as `+page.svelte`.
 */
function optionLike([first = '', ...rest]: readonly string[]): string | undefined {
  const isLike = (rest.length === 0 ? /^[-@+]/ : /^-/).test(first) || rest.some(part => part.startsWith('--'))
  const sign = isLike && /^[@+]/.test(first) ? first[0] : '-'
  return isLike ? `its name begins with ${sign}, so commands that get * take it for an option` : undefined
}

/** `eval`, `sh -c "lint $file"` and Make run what stands in such a name. `$id.ts` and `${{ name }}` are ordinary ones. */
function commandLike(path: string): string | undefined {
  return /\$\(|[`;]|&&/.test(path) ? 'its name holds characters with which a shell begins another command' : undefined
}

/** What is hidden belongs to a tool, and new tools come faster than anybody could list their names. */
function hidden(parts: readonly string[]): string | undefined {
  const isHidden = parts.some(part => part.startsWith('.') && !PLAIN_HIDDEN.test(part) && !PROSE.test(part))
  return isHidden ? 'is hidden, as the settings of tools are' : undefined
}

/** Lists of what to leave out, how editors indent, marks of empty folders, folders of pages that a project shows, and of code (React Router's). */
const PLAIN_HIDDEN =
  /^\.(?:[\w-]*ignore|[\w-]*keep|mailmap|nojekyll|editorconfig|git-blame-ignore-revs|well-known|vitepress|vuepress|gitbook|dumi|server|client)$/

/** A glob takes in more than it means: prose about the file (`.env.md`), an example of it (`.env.example`), or code that is named after it. */
function isTooWide({ row, pattern }: { row: SensitiveRow; pattern: string }, name: string): boolean {
  return (PROSE.test(name) && !PROSE.test(pattern)) || (row.unless === 'source-file' && isSource(name))
}

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|html?|svg|css|scss|snap|example|sample)$|^\.env\.template$/

/** What GitHub and the notes of a release show to people and nothing runs, and the workflows that a test looks at. */
const SHOWN =
  /(?:^|\/)\.github\/(?:(?:pull_request|issue)_template\.md|(?:pull_request|issue|discussion)_template\/[^/]+\.(?:md|ya?ml)|funding\.yml|(?:contributing|code_of_conduct|security|support|governance|readme)\.md)$|(?:^|\/)\.changeset\/[^/]+\.md$|(?:^|\/)(?:fixtures|__fixtures__|testdata)\/(?:.*\/)?\.github\/workflows\/[^/]+$/

/** Below these stands an app's own code: `src/app/app.config.ts` is Angular's, and no tool reads it as its settings. */
const SOURCE_FOLDERS: ReadonlySet<string> = new Set(
  'src source sources app lib components pages views routes config configs docs test tests __tests__ spec e2e fixtures'.split(
    ' ',
  ),
)

interface Glob {
  readonly row: SensitiveRow
  readonly pattern: string
  matches(path: string): boolean
}

/** Made with the first path: most commands look at none, and would start later by it. */
let sorted: ReturnType<typeof sortPatterns> | undefined

/**
 * Plain names are looked up, so that ten thousand paths need not try each of some hundred patterns. One plain loop over the
 * thousand patterns of the table: with a list for each step it took twice as long, and a patch of one file waits for it.
 */
function sortPatterns() {
  const names = new Map<string, SensitiveRow>()
  const folders = new Map<string, SensitiveRow>()
  const tails: Glob[] = []
  const globs: Glob[] = []
  for (const row of SENSITIVE) {
    for (const pattern of row.files.toLowerCase().match(/\S+/g) ?? []) {
      const slash = pattern.indexOf('/')
      if (slash >= 0 && slash < pattern.length - 1)
        tails.push({ row, pattern, matches: whereItHolds('(?:^|/)', pattern) })
      else if (/[*{]/.test(pattern)) globs.push({ row, pattern, matches: whereItHolds('^', pattern) })
      else if (slash >= 0) folders.set(pattern.slice(0, slash), row)
      else names.set(pattern, row)
    }
  }
  return { names, folders, tails, globs }
}

/** The longest plain text of a pattern tells of nearly every path that it does not match; the expression is made late. */
function whereItHolds(before: string, pattern: string): (path: string) => boolean {
  let needle: string | undefined
  let regex: RegExp | undefined
  return path => {
    needle ??= pattern.split(/\*|\{[^}]*\}/).reduce((longest, text) => (text.length > longest.length ? text : longest))
    if (!path.includes(needle)) return false
    regex ??= new RegExp(before + expressionFor(pattern) + (pattern.endsWith('/') ? '' : '$'))
    return regex.test(path)
  }
}

const EXPRESSIONS: Readonly<Record<string, string>> = { '*': '[^/]*', '{': '(?:', ',': '|', '}': ')' }

/** The table has nothing else of globs than `*` and `{a,b}`. */
function expressionFor(pattern: string): string {
  return pattern.replace(/[*{,}]|[^\w/-]/g, sign => EXPRESSIONS[sign] ?? `\\${sign}`)
}
