import type { Entry, EntryOperation } from './entry.ts'
import { oneLine } from './one-line.ts'
import type { Control, Operation } from './response.ts'

/**
 * A patch's title, on one line: the model's own name for it, or else a description of the changes.
 *
 * It is not shortened; a screen cuts it to its width. The answer's first sentence is none: half of all answers begin with
 * "Sure!" or "Here's the updated file", in any language.
 */
export function titleOf({ control, operations }: Titled): string {
  const { promptSummary = '', gitCommitMsg = '', changeSummary } = control
  const said = oneLine(promptSummary) || oneLine(gitCommitMsg.trimStart().split(/\r?\n/, 1)[0] ?? '')
  return said || describeOperations(operations, changeSummary)
}

/** The title of a patch that was applied: the user's, if there is one. */
export function titleOfEntry(entry: Entry): string {
  return oneLine(entry.title ?? '') || titleOf({ control: entry, operations: entry.operations })
}

/** The parts that a title is made from. */
interface Titled {
  readonly control: Pick<Control, 'promptSummary' | 'gitCommitMsg' | 'changeSummary'>
  readonly operations: readonly NamedOperation[]
}

interface NamedOperation {
  readonly op: (EntryOperation | Operation)['op']
  readonly path: string
  readonly to?: string
  readonly renamedFrom?: string | undefined
}

/** Two operations are both named; of more the first one is, and how many the others are. */
function describeOperations(all: Titled['operations'], summary: readonly unknown[]): string {
  const operations = withRenames(all)
  const written = operations.filter(({ op }) => op !== 'delete')
  const [first, second, ...others] = [...written, ...operations.filter(({ op }) => op === 'delete')].map(operation => {
    return describeOperation(operation, summary)
  })
  if (first === undefined) return 'no changes'
  if (second === undefined) return first
  return others.length === 0 ? `${first}, ${second}` : `${first} and ${others.length + 1} more`
}

function describeOperation({ op, path, to = '' }: NamedOperation, summary: readonly unknown[]): string {
  if (op === 'rename') return `rename ${oneLine(path)} to ${oneLine(to)}`
  // The model has seen the project and knows which files are new; for an entry in a list nothing else tells it.
  const isNew = summary.some(item => (item as { readonly new?: unknown } | null)?.new === path)
  return `${op === 'delete' ? 'delete' : isNew ? 'new' : 'edit'} ${oneLine(path)}`
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
