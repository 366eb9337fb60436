import type { Entry, EntryOperation } from './entry.ts'
import type { Control, Operation } from './response.ts'

/**
 * A patch's title, on one line: the model's own name for it, or else the answer's first sentence, or else a
 * description of the changes.
 *
 * It is not shortened; a screen cuts it to its width. The sentence is not edited: any rule to improve it would sooner or later
 * capitalise a file name, or skip the one sentence that matters.
 */
export function titleOf({ control, reasoning, operations }: Titled): string {
  const { promptSummary = '', gitCommitMsg = '', changeSummary } = control
  const said = oneLine(promptSummary) || oneLine(gitCommitMsg.trimStart().split(/\r?\n/, 1)[0] ?? '')
  return said || firstSentence(reasoning) || describeOperations(operations, changeSummary)
}

/** The title of a patch that was applied. */
export function titleOfEntry(entry: Entry): string {
  return titleOf({ control: entry, reasoning: entry.reasoning, operations: entry.operations })
}

/** The parts that a title is made from. */
interface Titled {
  readonly control: Pick<Control, 'promptSummary' | 'gitCommitMsg' | 'changeSummary'>
  readonly reasoning: readonly string[]
  readonly operations: readonly NamedOperation[]
}

interface NamedOperation {
  readonly op: (EntryOperation | Operation)['op']
  readonly path: string
  readonly to?: string
  readonly renamedFrom?: string | undefined
}

/** The number of characters of a text that are looked at. */
const ENOUGH = 4_000

/** The first sentence with a letter or a digit, on one line and without Markdown marks; empty when there is none. */
export function firstSentence(reasoning: readonly string[]): string {
  for (const part of reasoning.join('\n').slice(0, ENOUGH).replace(LINE_MARKS, '').split(SENTENCE_END)) {
    const sentence = oneLine(part.replace(/\*\*|`/g, ''))
    if (/[\p{L}\p{N}]/u.test(sentence) && !GREETING.test(sentence)) return sentence.replace(/(?<!\.)[.:。：]$/, '')
  }
  return ''
}

/** A full stop that a small letter follows belongs to an abbreviation. */
const SENTENCE_END = /\n|(?<=[.!?][*"')]*)\s(?!\s*\p{Ll})|(?<=[。！？])/u

/** The marks of Markdown headings, quotations and lists. */
const LINE_MARKS = /^[ \t]*(?:(?:#+|>|[-*+]|\d{1,3}[.)])[ \t]+)+/gm

/** A greeting or a step's number alone does not count as a sentence. */
const GREETING = /^(?:sure|certainly|absolutely|okay|great|step \d+)[!.,]?$/i

function describeOperations(all: Titled['operations'], summary: readonly unknown[]): string {
  const operations = withRenames(all)
  const first = operations.find(({ op }) => op !== 'delete') ?? operations[0]
  if (first === undefined) return 'no changes'
  const { op, path } = first
  // The model has seen the project and knows which files are new; for an entry in a list nothing else tells it.
  const isNew = summary.some(item => (item as { readonly new?: unknown } | null)?.new === path)
  const others = operations.length > 1 ? ` and ${operations.length - 1} more` : ''
  if (op === 'rename') return `rename ${oneLine(path)} to ${oneLine(first.to ?? '')}${others}`
  return `${op === 'delete' ? 'delete' : isNew ? 'new' : 'edit'} ${oneLine(path)}${others}`
}

/** Joins a delete and a write, as an entry stores a rename, into the rename that the answer had. */
function withRenames(operations: Titled['operations']): Titled['operations'] {
  const sources = new Set(operations.flatMap(({ renamedFrom = [] }) => renamedFrom))
  return operations.flatMap(operation => {
    const { op, path, renamedFrom } = operation
    if (op === 'delete' && sources.has(path)) return []
    return [renamedFrom === undefined ? operation : ({ op: 'rename', path: renamedFrom, to: path } as const)]
  })
}

/** Puts a text on one line and removes control characters and invisible characters, except for the joiners of emoji. */
function oneLine(text: string): string {
  return text
    .slice(0, ENOUGH)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(
      /(?![\u200d\ufe0f])[\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu,
      '',
    )
    .trim()
}
