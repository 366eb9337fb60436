import { groupBy } from '../ground/collections.ts'
import type { Check, Comparison, LintError } from '../model/check.ts'

/** A patch's changes to the files with errors. Files are named as the linter names them. */
export interface Edits {
  /** The present name of a file: a file that moved keeps its old errors. */
  readonly nameNow: (file: string) => string
  /** The lines that the patch wrote in a file, from 1; by its present name. */
  readonly linesWritten: (file: string) => ReadonlySet<number>
}

const noEdits: Edits = { nameNow: file => file, linesWritten: () => new Set() }

/**
 * Tells how two checks differ; `undefined` when one of them has no count.
 *
 * Errors are matched as a multiset of file, code and message. Lines and columns do not count, neither an error's own
 * nor those that its message mentions: a patch moves old errors about, and a moved error is not a new one. Nor does by
 * how much something is too long or too complex: it was so before. An error fixed and an equal one made look like the
 * same error.
 *
 * When one of the checks has no list, only the difference of the counts is known.
 */
export function compareChecks(before: Check, after: Check, edits: Edits = noEdits): Comparison | undefined {
  if (before.kind !== 'counted' || after.kind !== 'counted') return undefined
  if (before.list === undefined || after.list === undefined) {
    return {
      new: Math.max(0, after.errors - before.errors),
      fixed: Math.max(0, before.errors - after.errors),
      same: Math.min(before.errors, after.errors),
      newErrors: [],
    }
  }
  const newErrors = newIn(after.list, before.list, edits)
  const same = after.list.length - newErrors.length
  return { new: newErrors.length, fixed: before.list.length - same, same, newErrors }
}

/**
 * Why something else may have failed although the check shows no new error: if one command runs two tools (`eslint . ;
 * ours`), the errors of the one that relay knows do not explain the failure of the other. A tool may also have broken
 * off.
 *
 * Some tools exit with the number of their errors, so only a higher code than before counts: of the whole command, or
 * of a part of it (`make -k`).
 */
export function unexplained(
  before: Check,
  after: Check,
  comparison = compareChecks(before, after),
): string | undefined {
  if (before.kind !== 'counted' || after.kind !== 'counted' || comparison?.new !== 0) return undefined
  if (after.code > before.code) return `exit ${after.code}, before ${before.code}, without a new error`
  const known = new Map(before.failed.map(({ name, code }) => [name, code]))
  const step = after.failed.find(({ name, code }) => code > (known.get(name) ?? 0))
  return step === undefined ? undefined : `${step.name} failed without a new error`
}

function newIn(list: readonly LintError[], earlier: readonly LintError[], edits: Edits): readonly LintError[] {
  const known = groupBy(earlier, error => identity({ ...error, file: edits.nameNow(error.file) }))
  const found = new Set<LintError>()
  for (const [key, equal] of groupBy(list, identity)) {
    const old = known.get(key)?.length ?? 0
    for (const error of toShow(equal, old, edits)) found.add(error)
  }
  return list.filter(error => found.has(error))
}

/**
 * Which of equal errors is new is a guess: preferably one on a line that the patch wrote, and preferably a later one.
 */
function toShow(equal: readonly LintError[], old: number, edits: Edits): readonly LintError[] {
  if (old === 0 || old >= equal.length) return equal.slice(old)
  const written = edits.linesWritten(equal[0]?.file ?? '')
  const isWritten = ({ line }: LintError) => line !== undefined && written.has(line)
  return [...equal.filter(error => !isWritten(error)), ...equal.filter(isWritten)].slice(old)
}

function identity({ file, code, message }: LintError): string {
  return JSON.stringify([file, code, withoutMeasures(withoutPositions(message))])
}

/** `12:5`, `(12,5)`, `via ./b:12=>./c:3`, `on line 12`, `lines 3-7`, `column 5`; other numbers are part of what the message says. */
function withoutPositions(message: string): string {
  return message
    .replace(/\b\d{1,9}:\d{1,9}\b/g, '#')
    .replace(/\(\d{1,9}, ?\d{1,9}\)/g, '(#)')
    .replace(/(?<=\bvia \S{1,500}):\d{1,9}(?==>|$)/g, ':#')
    .replace(/\b(lines?|columns?|col|offset|index)([ :#]{1,2})\d{1,9}(?:(?:-| to | and )\d{1,9})?\b/gi, '$1$2#')
}

/**
 * `too many lines (310)`, `line too long (91 > 79 characters)`, `too many lines. [11/10]`, `a complexity of 12`. Other
 * numbers in brackets stay: they distinguish one test from another.
 */
function withoutMeasures(message: string): string {
  return message
    .replace(/\b((?:too|longer than) [^()[\]]{0,100})[([][\d<>/., ]{1,40}(?: [a-z]{1,20})?[)\]]/gi, '$1(#)')
    .replace(/\b(length|complexity) (of|from) \d{1,9}\b(?=.{0,80}\b(?:max|maximum|allowed)\b)/gi, '$1 $2 #')
}
