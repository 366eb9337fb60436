import type { Entry, EntryOperation } from './entry.ts'
import type { Control, Operation } from './response.ts'

/**
 * A patch's name for people, on one line: what the model called it, else the answer's first sentence, else what it does.
 *
 * It is whole, for programs; a screen cuts it to its width. The sentence stays as it stands: whatever made it prettier
 * would sooner or later put a capital on the name of a file, or skip the one sentence that says it.
 */
export function titleOf({ control, reasoning, operations }: Titled): string {
  const { promptSummary = '', gitCommitMsg = '', changeSummary } = control
  const said = oneLine(promptSummary) || oneLine(gitCommitMsg.trimStart().split(/\r?\n/, 1)[0] ?? '')
  return said || firstSentence(reasoning) || describeOperations(operations, changeSummary)
}

/** The same of a patch that was applied. */
export function titleOfEntry(entry: Entry): string {
  return titleOf({ control: entry, reasoning: entry.reasoning, operations: entry.operations })
}

/** What a name is taken from. */
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

/** How much of a text is looked at. */
const ENOUGH = 4_000

/** The first sentence of a text that says something, on one line and without the marks of Markdown; empty: there is none. */
export function firstSentence(reasoning: readonly string[]): string {
  for (const part of reasoning.join('\n').slice(0, ENOUGH).replace(LINE_MARKS, '').split(SENTENCE_END)) {
    const sentence = oneLine(part.replace(/\*\*|`/g, ''))
    if (/[\p{L}\p{N}]/u.test(sentence) && !GREETING.test(sentence)) return sentence.replace(/(?<!\.)[.:。：]$/, '')
  }
  return ''
}

/** What a small letter follows is an abbreviation. */
const SENTENCE_END = /\n|(?<=[.!?][*"')]*)\s(?!\s*\p{Ll})|(?<=[。！？])/u

/** Marks of headings, quotations and lists. */
const LINE_MARKS = /^[ \t]*(?:(?:#+|>|[-*+]|\d{1,3}[.)])[ \t]+)+/gm

/** Where it stands alone it is no sentence. */
const GREETING = /^(?:sure|certainly|absolutely|okay|great|step \d+)[!.,]?$/i

function describeOperations(all: Titled['operations'], summary: readonly unknown[]): string {
  const operations = withRenames(all)
  const first = operations.find(({ op }) => op !== 'delete') ?? operations[0]
  if (first === undefined) return 'no changes'
  const { op, path } = first
  // The model has seen the project, and of an entry in a list nothing else is known.
  const isNew = summary.some(item => (item as { readonly new?: unknown } | null)?.new === path)
  const others = operations.length > 1 ? ` and ${operations.length - 1} more` : ''
  if (op === 'rename') return `rename ${oneLine(path)} to ${oneLine(first.to ?? '')}${others}`
  return `${op === 'delete' ? 'delete' : isNew ? 'new' : 'edit'} ${oneLine(path)}${others}`
}

/** As the answer had them: in an entry a rename is a delete and a write. */
function withRenames(operations: Titled['operations']): Titled['operations'] {
  const sources = new Set(operations.flatMap(({ renamedFrom = [] }) => renamedFrom))
  return operations.flatMap(operation => {
    const { op, path, renamedFrom } = operation
    if (op === 'delete' && sources.has(path)) return []
    return [renamedFrom === undefined ? operation : ({ op: 'rename', path: renamedFrom, to: path } as const)]
  })
}

/** On one line, and with nothing in it that a terminal obeys or the eye does not see; the joiners of emoji may stay. */
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
