import { groupBy } from '../ground/group-by.ts'
import type { Change, Flag, PathState } from '../model.ts'
import { type LineBag, takeLine } from './damage/line-bag.ts'
import { textOf } from './damage/text-changes.ts'
import { shortened } from './shortened.ts'

/**
 * Flags files of code that get more of what keeps errors from a linter than they had: `// @ts-ignore`, `# noqa`.
 *
 * The gate trusts the count of errors, and a patch that hides them would pass for one that mends them. What only changes
 * its place, within the file or from another one of the patch, hides nothing more; what named the errors that it hides and
 * no longer does hides more. Without a linter nothing is counted.
 */
export function hiddenErrors(changes: readonly Change[], linter = ''): Flag[] {
  if (linter.trim() === '') return []
  const files = changes.map(({ path, before, after }) => ({ path, ...compared(path, before, after) }))
  const moved = bagOf(files.flatMap(({ gone }) => gone.map(({ text }) => text)))
  return files.flatMap(({ path, added }) => {
    const [first, ...more] = added.filter(({ text }) => !takeLine(moved, text))
    if (first === undefined) return []
    const others = more.length === 0 ? ', which hides' : ` and ${more.length} more like it, which hide`
    const reason = `adds \`${shortened(first.said)}\` (line ${first.line})${others} errors from the check`
    return [{ flag: 'hidden-errors', path, reason }]
  })
}

/** A place that keeps errors from a linter. */
interface Hiding {
  readonly line: number
  /** The whole line, without the blanks around it. */
  readonly text: string
  readonly sign: string
  /** The sign and what stands behind it. */
  readonly said: string
  /** It names none of the errors that it hides. */
  readonly isWide: boolean
}

/** What a file gets more of, and what it had and has no longer. */
function compared(path: string, before: PathState, after: PathState) {
  const signs = SIGNS.find(([files]) => files.test(path))?.[1]
  if (signs === undefined) return { added: [], gone: [] }
  const [was, now] = [hidingsIn(textOf(before), signs), hidingsIn(textOf(after), signs)]
  const [known, there] = [bagOf(was.map(keyOf)), bagOf(now.map(({ text }) => text))]
  const isAdded = (hiding: Hiding) => !takeLine(known, keyOf(hiding))
  const wide = now.filter(hiding => hiding.isWide && isAdded(hiding))
  // One that names its errors may have been one that named none.
  const added = now.filter(
    hiding => !hiding.isWide && isAdded(hiding) && !takeLine(known, keyOf({ ...hiding, isWide: true })),
  )
  return {
    added: [...wide, ...added].sort((one, other) => one.line - other.line),
    gone: was.filter(({ text }) => !takeLine(there, text)),
  }
}

function keyOf({ sign, isWide }: Hiding): string {
  return `${sign.replace(/\s+/g, '').toLowerCase()} ${isWide}`
}

function bagOf(lines: readonly string[]): LineBag {
  return new Map([...groupBy(lines, line => line)].map(([line, all]) => [line, all.length]))
}

function hidingsIn(text: string | undefined, signs: RegExp): readonly Hiding[] {
  if (text === undefined || text.search(signs) === -1) return []
  return text.split('\n').flatMap((line, at) => {
    if (line.length > LONGEST || line.search(signs) === -1) return []
    return [...line.matchAll(signs)].slice(0, MOST_IN_LINE).flatMap(({ 0: sign, index }) => {
      if (isQuoted(line, index)) return []
      const isWide = !sign.includes('@ts-') && !/^[\s:=[(]*[\w@]/.test(line.slice(index + sign.length))
      return [{ line: at + 1, text: line.trim(), sign, said: line.slice(index), isWide }]
    })
  })
}

/** A longer line is data, and nobody reads it. */
const LONGEST = 2000

/** With more of them a line is made for it; for each all of the line in front of it is looked at. */
const MOST_IN_LINE = 20

/** Whether something stands in a text, or in a comment that only speaks of it: tools read it at a comment's beginning. */
function isQuoted(line: string, at: number): boolean {
  const before = line.slice(0, at)
  const isIn = (quote: string) => before.split(quote).length % 2 === 0 && line.includes(quote, at)
  return /^\s*\*|(?<!:)\/\//.test(before) || ['"', "'", '`'].some(isIn)
}

/** What each tool takes for it, by the endings of the files that it reads; comments, and attributes of the language. */
const SIGNS: readonly (readonly [files: RegExp, signs: RegExp])[] = [
  [
    /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i,
    /(?:\/\/\/?|\/\*+|<!--)\s*(?:@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint|tslint:|stylelint)-?disable(?:-next-line|-line)?|biome-ignore(?:-all|-start)?|deno-lint-ignore(?:-file)?|svelte-ignore)\b|\/\*+\s*eslint\s[^*]{1,200}?:\s{0,9}\[?["']?(?:off|0)\b/g,
  ],
  [
    /\.(?:s[ac]ss|css|less)$/i,
    /(?:\/\/|\/\*+)\s*(?:stylelint-disable(?:-next-line|-line)?|biome-ignore(?:-all|-start)?)\b/g,
  ],
  [
    /\.pyi?$/i,
    /#\s*(?:(?:(?:flake8|ruff)[:=]\s*)?noqa|(?:type|pyright|ty|pyrefly):\s*ignore|mypy:\s*(?:ignore-errors|disable-error-code)|pylint:\s*(?:disable(?:-next)?|skip-file)|pyre-(?:ignore|fixme)(?:-all-errors)?|nosec)\b/gi,
  ],
  [/\.(?:rb|rake)$/i, /#\s*(?:rubocop|standard)\s*:\s*(?:disable|todo)\b/g],
  [/\.go$/i, /\/\/\s*(?:nolint|lint:(?:file-)?ignore|#nosec)\b/g],
  [
    /\.php$/i,
    /(?:\/\/|#|\/\*+)\s*(?:phpcs:(?:ignore(?:File)?|disable)|@phpstan-ignore(?:-next-line|-line)?|@psalm-suppress|@codingStandardsIgnore\w+)\b/g,
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
  [/\.exs?$/i, /#\s*credo:disable-[\w-]+/g],
]
