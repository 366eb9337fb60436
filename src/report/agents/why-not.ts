import { withoutWords } from '../../ground/secret-names.ts'
import type { Comparison, Reason } from '../../model/check.ts'
import type { Outcome, RollbackReason } from '../../model/talk.ts'
import { describeDifference, describeProblem } from '../answers/describe-problem.ts'
import { describeReasons } from '../answers/describe-reason.ts'
import { errorWords } from '../answers/error-list.ts'

export interface SeenOnTheWay {
  /** The comparison of the last check after the change. */
  readonly comparison: Comparison | undefined
  /** The reasons of the last question. */
  readonly reasons: readonly Reason[]
  /** The output of the last command that failed or that could not be read. */
  readonly output?: string | undefined
  /** The variables that the last command that failed was not given. */
  readonly without?: readonly string[] | undefined
}

const mostErrors = 50
/** In characters, from the end of a command's output. */
const mostOutput = 8000

/** What relay tells an agent about a change of it that was not kept: the faults, errors first. */
export function whyNot(outcome: Outcome, seen: SeenOnTheWay): string {
  switch (outcome.kind) {
    case 'refused':
      return [
        'The change was refused:',
        ...outcome.problems.flatMap(each => [
          `- ${describeProblem(each)}`,
          ...describeDifference(each).map(line => `      ${line}`),
        ]),
      ].join('\n')
    case 'overlap': {
      const paths = outcome.overlaps.map(({ path }) => path)
      return `The user has changed the same places meanwhile, in ${[...new Set(paths)].join(', ')}.`
    }
    case 'rolled-back':
      return whyRolledBack(outcome.reason, seen)
    case 'ignored':
    case 'skipped':
    case 'unchanged':
    case 'committed':
    case 'held':
      return 'The change was not kept.'
  }
}

/** The same for a change that is to be rolled back for this reason. */
export function whyRolledBack(reason: RollbackReason, seen: SeenOnTheWay): string {
  return [linesOf(reason, seen), withoutWords(seen.without) ?? []].flat().join('\n')
}

function linesOf(reason: RollbackReason, { comparison, reasons, output }: SeenOnTheWay): readonly string[] {
  switch (reason.kind) {
    case 'not-accepted':
      return [
        ...headed('Not accepted:', reason.reasons),
        ...errorLines(comparison),
        ...outputLines(reason.reasons, output),
      ]
    case 'declined':
      if (reason.byRule !== undefined) return [...headed('Not accepted:', reason.byRule), ...errorLines(comparison)]
      return [...declinedLines(reasons), ...errorLines(comparison)]
    case 'unasked':
      return headed('The user gave no answer:', reason.reasons)
    case 'command':
      return [
        `The project's ${reason.step} command failed: ${reason.end.why}`,
        reason.end.output.trim().slice(-mostOutput),
      ]
    case 'conflict':
      return [`The user changed ${reason.paths.join(', ')} while the change was made.`]
    case 'interrupted':
      return ['relay was stopped.']
    case 'failed':
      return [reason.error.message]
  }
}

function declinedLines(asked: readonly Reason[]): readonly string[] {
  const reasons = asked.filter(isFault)
  return reasons.length === 0 ? ['The user declined the change.'] : headed('The user declined the change:', reasons)
}

/** A single reason stands on the first line: the screen may have room for no other. */
function headed(head: string, reasons: readonly Reason[]): readonly string[] {
  const words = wordsOf(reasons)
  return words.length === 1 ? [`${head} ${words[0]}`] : [head, ...words.map(each => `- ${each}`)]
}

function isFault({ kind }: Reason): boolean {
  return kind !== 'approval-no'
}

function wordsOf(reasons: readonly Reason[]): readonly string[] {
  return describeReasons(reasons.filter(isFault)).map(words => words.replace(/ \(0 allowed\)$/, ''))
}

/** Of a command that failed, or a linter whose errors could not be counted. */
function outputLines(reasons: readonly Reason[], output: string | undefined): readonly string[] {
  const isToSee = reasons.some(({ kind }) => kind === 'post-command' || kind === 'uncounted')
  const text = output?.trim().slice(-mostOutput) ?? ''
  return isToSee && text !== '' ? ['Its output:', text] : []
}

function errorLines(comparison: Comparison | undefined): readonly string[] {
  const errors = comparison?.newErrors ?? []
  if (errors.length === 0) return []
  const more = errors.length > mostErrors ? [`and ${errors.length - mostErrors} more`] : []
  return ['New errors that the linter found:', ...errors.slice(0, mostErrors).map(errorWords), ...more]
}
