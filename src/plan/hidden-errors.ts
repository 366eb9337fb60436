import { isDocument } from '../lines/is-document.ts'
import type { Change, PathState } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { difference, type LineBag, takeLine } from './damage/line-bag.ts'
import { textOf } from './damage/text-changes.ts'
import { shortened } from './shortened.ts'

/**
 * Flags files that get more of what keeps errors from a linter than they had: `// @ts-ignore`, `# noqa`.
 *
 * The gate trusts the count of errors, and a patch that hides them would pass for one that mends them. Each sign is counted,
 * whatever errors it names; one that another file of the patch gives up has moved. Without a linter nothing is counted.
 */
export function hiddenErrors(changes: readonly Change[], linter = ''): Flag[] {
  if (linter.trim() === '') return []
  const files = changes.map(({ path, before, after }) => {
    const [was, now] = [hidingsIn(path, before), hidingsIn(path, after)]
    const [old, counted] = [bagOf(was), bagOf(now)]
    // Of several that are alike, a line that the file had is the old one.
    const known = new Set(was.map(({ text }) => text))
    const inOrder = [...now.filter(({ text }) => !known.has(text)), ...now.filter(({ text }) => known.has(text))]
    return { path, inOrder, more: difference(counted, old), less: difference(old, counted) }
  })
  const moved: LineBag = new Map()
  for (const { less } of files) for (const [sign, count] of less) moved.set(sign, (moved.get(sign) ?? 0) + count)

  return files.flatMap(({ path, inOrder, more }) => {
    const [first, ...others] = inOrder.filter(({ sign }) => takeLine(more, sign) && !takeLine(moved, sign))
    if (first === undefined) return []
    const count = others.length === 0 ? ', which hides' : ` and ${others.length} more like it, which hide`
    const reason = `adds \`${shortened(first.said)}\` (line ${first.line})${count} errors from the check`
    return [{ flag: 'hidden-errors', path, reason }]
  })
}

type Hidings = readonly {
  readonly line: number
  readonly sign: string
  /** The sign and what stands behind it. */
  readonly said: string
  readonly text: string
}[]

function hidingsIn(path: string, state: PathState): Hidings {
  const signs = isDocument(path) ? inDocuments : inCode
  const lines = textOf(state)?.split('\n') ?? []
  return lines.flatMap((text, at) => {
    // A longer line is data, and nobody reads it.
    const found = text.length > 2000 ? null : text.match(signs)
    return (found ?? []).map(said => ({
      line: at + 1,
      sign: said.replace(/\s+/g, '').toLowerCase(),
      said: text.slice(text.indexOf(said)),
      text: text.trim(),
    }))
  })
}

function bagOf(hidings: Hidings): LineBag {
  const bag: LineBag = new Map()
  for (const { sign } of hidings) bag.set(sign, (bag.get(sign) ?? 0) + 1)
  return bag
}

const inDocuments = /<!--\s{0,9}markdownlint-disable(?:-file|-line|-next-line)?\b/g

/** What tools take for it at the beginning of a comment, and attributes of languages. */
const inComments = [
  '@ts-(?:ignore|expect-error|nocheck)',
  '(?:eslint|oxlint|tslint:|stylelint)-?disable(?:-next-line|-line)?',
  '(?:biome|svelte|deno-lint)-ignore(?:-all|-start|-file)?|jshint\\s{1,9}ignore:\\w+',
  '(?:(?:flake8|ruff)[:=]\\s{0,9})?noqa|nosec|pylint:\\s{0,9}(?:disable(?:-next)?|skip-file)',
  '(?:type|pyright|ty|pyrefly):\\s{0,9}ignore|pyright:\\s{0,9}(?:basic|report\\w{1,80}\\s{0,9}=\\s{0,9}(?:false|none))',
  'mypy:\\s{0,9}(?:ignore-errors|disable-error-code)|pyre-(?:ignore|fixme)(?:-all-errors)?',
  '(?:rubocop|standard)\\s{0,9}:\\s{0,9}(?:disable|todo)|credo:disable-[\\w-]+',
  'nolint\\w*|lint:(?:file-)?ignore|#nosec|revive:disable(?:-next-line|-line)?|go:build\\s{1,9}ignore',
  'phpcs:(?:ignore(?:File)?|disable)|@phpstan-ignore(?:-next-line|-line)?|@psalm-suppress|@codingStandardsIgnore\\w+',
  'NOPMD|NOSONAR|ktlint-disable|CHECKSTYLE:\\s{0,9}OFF|cppcheck-suppress|shellcheck\\s{1,9}disable(?==)',
  'luacheck:\\s{0,9}(?:ignore|no|globals)|@diagnostic\\s{1,9}disable(?:-next-line|-line)?',
  'swiftlint:disable(?::next|:this|:previous)?|ignore(?:_for_file)?(?=:\\s?[a-z]+_)',
]
const asCode = [
  '/\\*+\\s{0,9}eslint\\s[^*]{1,200}?:\\s{0,9}\\[?["\']?(?:off|0)\\b',
  '(?<!\\w)@(?:typing\\.)?no_type_check\\b|(?<!\\w)@(?:file:)?(?:Suppress(?:Warnings|Lint)?|nowarn)(?=\\s{0,9}\\()',
  '#!?\\[\\s{0,9}(?:cfg_attr\\([^\\]]{0,200}?)?(?:allow|expect)(?=\\s{0,9}\\()',
  '#\\s{0,9}pragma\\s{1,9}(?:(?:GCC|clang)\\s{1,9}diagnostic\\s{1,9}ignored|warning\\s{0,9}\\(?\\s{0,9}disable)\\b',
  '\\[(?:\\w{1,20}:\\s{0,9})?(?:\\w{1,40}\\.){0,9}SuppressMessage\\b',
]
const inCode = new RegExp(
  `(?://+|/\\*+|<!--|#|--|^\\s{0,99}\\*)\\s{0,9}(?:${inComments.join('|')})(?!\\w)|${asCode.join('|')}`,
  'gi',
)
