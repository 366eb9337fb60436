import { groupBy } from '../ground/group-by.ts'
import type { Change, Flag, PathState } from '../model.ts'
import { type LineBag, takeLine } from './damage/line-bag.ts'
import { textOf } from './damage/text-changes.ts'
import { shortened } from './shortened.ts'

/**
 * Flags files of code that get more of what keeps errors from a linter than they had: `// @ts-ignore`, `# noqa`.
 *
 * The gate trusts the count of errors, and a patch that hides them would pass for one that mends them. What only changes
 * its place, within the file or from another one of the patch, hides nothing more; what names another error, or none any
 * more, does. Without a linter nothing is counted.
 */
export function hiddenErrors(changes: readonly Change[], linter = ''): Flag[] {
  if (linter.trim() === '') return []
  const files = changes.map(({ path, before, after }) => ({ path, ...compared(path, before, after) }))
  const moved = bagOf(files.flatMap(({ gone }) => gone))
  return files.flatMap(({ path, added }) => {
    const [first, ...more] = added.filter(hiding => !takeAll(moved, hiding))
    if (first === undefined) return []
    const others = more.length === 0 ? ', which hides' : ` and ${more.length} more like it, which hide`
    const reason = `adds \`${shortened(first.said)}\` (line ${first.line})${others} errors from the check`
    return [{ flag: 'hidden-errors', path, reason }]
  })
}

/** A place that keeps errors from a linter. */
interface Hiding {
  readonly line: number
  readonly sign: string
  /** The sign and what stands behind it. */
  readonly said: string
  /** The errors that it hides; none where it hides all. */
  readonly names: readonly string[]
}

/** What a file gets more of, and what it had and has no longer. */
function compared(path: string, before: PathState, after: PathState) {
  const signs = SIGNS.find(([files]) => files.test(path))?.[1]
  if (signs === undefined) return { added: [], gone: [] }
  const [was, now] = [hidingsIn(textOf(before), signs), hidingsIn(textOf(after), signs)]
  const [known, there] = [bagOf(was), bagOf(now)]
  return {
    // Those without names first: what stood for all may by now name some.
    added: [...now.filter(isWide), ...now.filter(hiding => !isWide(hiding))]
      .filter(hiding => !takeAll(known, hiding))
      .sort((one, other) => one.line - other.line),
    gone: was.filter(hiding => !takeAll(there, hiding)),
  }
}

function isWide({ names }: Hiding): boolean {
  return names.length === 0
}

/** A line for each error that is hidden. */
function bagOf(hidings: readonly Hiding[]): LineBag {
  return new Map([...groupBy(hidings.flatMap(linesOf), line => line)].map(([line, all]) => [line, all.length]))
}

/** Whether there is one for each of a hiding's errors, or one for all of them; it is taken. */
function takeAll(bag: LineBag, hiding: Hiding): boolean {
  const missing = linesOf(hiding).filter(line => !takeLine(bag, line))
  return missing.length === 0 || takeLine(bag, keyOf(hiding))
}

function linesOf(hiding: Hiding): readonly string[] {
  return isWide(hiding) ? [keyOf(hiding)] : hiding.names.map(name => `${keyOf(hiding)} ${name}`)
}

function keyOf({ sign }: Hiding): string {
  return sign.replace(/\s+/g, '').toLowerCase()
}

function hidingsIn(text: string | undefined, signs: RegExp): readonly Hiding[] {
  if (text === undefined || text.search(signs) === -1) return []
  return text.split('\n').flatMap((line, at) => {
    if (line.length > LONGEST || line.search(signs) === -1) return []
    return [...line.matchAll(signs)].slice(0, MOST_IN_LINE).flatMap(({ 0: sign, index }) => {
      if (isQuoted(line, index)) return []
      return [
        { line: at + 1, sign, said: line.slice(index).trim(), names: namesIn(sign, line.slice(index + sign.length)) },
      ]
    })
  })
}

/** The names behind a sign: `: F401, F821`, `[misc]`, `("unchecked")`, ` no-console, no-alert -- why`. */
function namesIn(sign: string, behind: string): readonly string[] {
  // What TypeScript is told behind it is a remark.
  if (sign.includes('@ts-')) return []
  const [, names = ''] =
    /^[\s:=[({"']*(-?[\w@][^\s,"'\])}]*(?:["']?\s*,\s*["']?[\w@-][^\s,"'\])}]*)*)/.exec(behind) ?? []
  return names
    .split(/["']?\s*,\s*["']?/)
    .map(name => name.replace(/:$/, ''))
    .filter(Boolean)
}

/** A longer line is data, and nobody reads it. */
const LONGEST = 2000

/** With more of them a line is made for it; for each all of the line in front of it is looked at. */
const MOST_IN_LINE = 20

/** Whether something stands in a text, or in a comment that only speaks of it: tools read it at a comment's beginning. */
function isQuoted(line: string, at: number): boolean {
  const before = line.slice(0, at)
  if (/^\s*\*|(?<!:)\/\//.test(before)) return true
  const open = openQuote(before)
  return open !== '' && line.includes(open, at)
}

/** The quote in which a line goes on; empty for none. */
function openQuote(before: string): string {
  let open = ''
  // Neither one behind a backslash is a quote nor one within a word (don't).
  for (const [, quote] of before.matchAll(/\\.|(?<=[a-z])'(?=(?:s|t|re|ve|ll|d|m)\b)|(["'`])/gi)) {
    if (quote === undefined) continue
    if (open === '') open = quote
    else if (open === quote) open = ''
  }
  return open
}

/** What each tool takes for it, by the endings of the files that it reads; comments, and attributes of the language. */
const SIGNS: readonly (readonly [files: RegExp, signs: RegExp])[] = [
  [
    /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i,
    /(?:\/\/\/?|\/\*+|<!--)\s*(?:@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint|tslint:|stylelint)-?disable(?:-next-line|-line)?|biome-ignore(?:-all|-start)?|deno-lint-ignore(?:-file)?|svelte-ignore|jshint\s+ignore:\w+)\b|\/\*+\s*eslint\s[^*]{1,200}?:\s{0,9}\[?["']?(?:off|0)\b/g,
  ],
  [
    /\.(?:s[ac]ss|css|less)$/i,
    /(?:\/\/|\/\*+)\s*(?:stylelint-disable(?:-next-line|-line)?|biome-ignore(?:-all|-start)?)\b/g,
  ],
  [
    /\.pyi?$/i,
    /#\s*(?:(?:(?:flake8|ruff)[:=]\s*)?noqa|(?:type|pyright|ty|pyrefly):\s*ignore|pyright:\s*(?:basic|report\w{1,80}\s*=\s*(?:false|none))|mypy:\s*(?:ignore-errors|disable-error-code)|pylint:\s*(?:disable(?:-next)?|skip-file)|pyre-(?:ignore|fixme)(?:-all-errors)?|nosec)\b|@(?:typing\.)?no_type_check\b/gi,
  ],
  [/\.(?:rb|rake)$/i, /#\s*(?:rubocop|standard)\s*:\s*(?:disable|todo)\b/g],
  [/\.go$/i, /\/\/\s*(?:nolint|lint:(?:file-)?ignore|#nosec|revive:disable(?:-next-line|-line)?|go:build\s+ignore)\b/g],
  [
    /\.php$/i,
    /(?:\/\/|#|\/\*+|^\s*\*)\s*(?:phpcs:(?:ignore(?:File)?|disable)|@phpstan-ignore(?:-next-line|-line)?|@psalm-suppress|@codingStandardsIgnore\w+|@SuppressWarnings(?=\(PHPMD))\b/gm,
  ],
  [
    /\.(?:java|kts?|scala|groovy)$/i,
    /\/\/\s*(?:NOPMD|NOSONAR|ktlint-disable)\b|(?:\/\/|\/\*)\s*CHECKSTYLE:\s*OFF\b|(?<!\w)@(?:file:)?(?:Suppress(?:Warnings|Lint)?|nowarn)\b/g,
  ],
  [/\.rs$/i, /#!?\[\s*(?:cfg_attr\([^\]]{0,200}?)?(?:allow|expect)(?=\s*\()/g],
  [
    /\.(?:c|cc|cpp|cxx|cs|h|hh|hpp|m|mm)$/i,
    /(?:\/\/|\/\*)\s*(?:NOLINT\w*|cppcheck-suppress)\b|#\s*pragma\s+(?:(?:GCC|clang)\s+diagnostic\s+ignored|warning\s*\(?\s*disable)\b|\[(?:\w{1,20}:\s*)?(?:\w{1,40}\.){0,9}SuppressMessage\b/g,
  ],
  [/\.(?:ba|da|k|z)?sh$|(?:^|\/)[^/.]+$/i, /#\s*shellcheck\s+disable(?==)/g],
  [/\.lua$/i, /---?\s*(?:luacheck:\s*(?:ignore|no|globals)|@diagnostic\s+disable(?:-next-line|-line)?)\b/g],
  [/\.swift$/i, /\/\/\s*swiftlint:disable(?::next|:this|:previous)?\b/g],
  [/\.dart$/i, /\/\/\s*ignore(?:_for_file)?(?=:)/g],
  [/\.(?:md|mdx|markdown)$/i, /<!--\s*markdownlint-disable(?:-file|-line|-next-line)?\b/g],
  [/\.exs?$/i, /#\s*credo:disable-[\w-]+/g],
]
