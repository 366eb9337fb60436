import { withoutWords } from '../../ground/secret-names.ts'
import type { Comparison, Reason } from '../../model/check.ts'
import type { Outcome } from '../../model/talk.ts'
import { describeDifference, describeProblem } from '../answers/describe-problem.ts'
import { describeReasons } from '../answers/describe-reason.ts'
import { errorWords } from '../answers/error-list.ts'

export interface SeenOnTheWay {
  /** The comparison of the last check after the change. */
  readonly comparison: Comparison | undefined
  /** The reasons of the last question. */
  readonly reasons: readonly Reason[]
  /** The variables that the last command that failed was not given. */
  readonly without?: readonly string[] | undefined
}

const mostErrors = 50
/** In characters, from the end of a command's output. */
const mostOutput = 8000

/** What relay tells an agent about a change of it that was not kept: the faults, errors first. */
export function whyNot(outcome: Outcome, { comparison, reasons, without }: SeenOnTheWay): string {
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
      return [whyRolledBack(outcome, { comparison, reasons }), withoutWords(without) ?? []].flat().join('\n')
    case 'ignored':
    case 'skipped':
    case 'unchanged':
    case 'committed':
    case 'held':
      return 'The change was not kept.'
  }
}

function whyRolledBack(
  { reason }: Outcome & { kind: 'rolled-back' },
  { comparison, reasons: asked }: SeenOnTheWay,
): string {
  switch (reason.kind) {
    case 'declined':
    case 'unasked': {
      const byRule = reason.kind === 'declined' ? reason.byRule : undefined
      const reasons = reason.kind === 'unasked' ? reason.reasons : (byRule ?? asked)
      const isPersons = reason.kind === 'declined' && byRule === undefined
      const who = isPersons ? 'The user declined the change.' : 'Nobody could be asked to approve the change:'
      return [who, ...describeReasons(reasons).map(line => `- ${line}`), ...errorLines(comparison)].join('\n')
    }
    case 'command':
      return [
        `The project's ${reason.step} command failed: ${reason.end.why}`,
        reason.end.output.trim().slice(-mostOutput),
      ].join('\n')
    case 'conflict':
      return `The user changed ${reason.paths.join(', ')} while the change was made.`
    case 'interrupted':
      return 'relay was stopped.'
    case 'failed':
      return reason.error.message
  }
}

function errorLines(comparison: Comparison | undefined): readonly string[] {
  const errors = comparison?.newErrors ?? []
  if (errors.length === 0) return []
  const more = errors.length > mostErrors ? [`and ${errors.length - mostErrors} more`] : []
  return ['New errors that the linter found:', ...errors.slice(0, mostErrors).map(errorWords), ...more]
}
