import { cutBytesBefore } from '../../ground/bytes.ts'
import { fenced } from '../../ground/words.ts'
import { printMarker } from '../../model/marker.ts'
import type { FailureAnalysis } from './failure.ts'
import { detailsText, type OutcomeDetails } from './outcome.ts'

interface FailureParts {
  readonly taskId: string
  /** Why the last attempt did not count. */
  readonly why: string
  /** `undefined`: no analysis was made. */
  readonly analysis: FailureAnalysis | undefined
  /** The end of the agent's text and output. */
  readonly output: string
  readonly details: OutcomeDetails
}

const mostLines = 50
const mostBytes = 8_000

/** The outcome of a failed task, written by relay alone. The last line is always the marker, whatever the output holds. */
export function failureReport({ taskId, why, analysis, output, details }: FailureParts): string {
  const lines = endOf(output)
  return [
    '## Status: FAILED',
    `# Task ${taskId} - Failed`,
    '## Failure Reason',
    [analysis?.reason, why.trim()].filter(text => text !== undefined && text !== '').join('\n\n') || 'Unknown.',
    '## Analysis',
    analysis?.analysis ?? 'No analysis was made.',
    '## Suggested Fix',
    analysis?.fix ?? 'Read the reason above, change the task or the project, then run `relay do` again.',
    '## Relevant Output',
    lines === '' ? 'None.' : fenced(lines),
    detailsText(details, 'Failed'),
    `${printMarker('FAILED')}\n`,
  ].join('\n\n')
}

/** The last lines without colours and terminal control characters. */
function endOf(output: string): string {
  const plain = output.replaceAll(/\x1b\[[0-9;:?]*[A-Za-z]/g, '').replaceAll(/\r\n?/g, '\n')
  const lines = plain
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd()
    .split('\n')
    .slice(-mostLines)
  return cutBytesBefore(lines.join('\n'), mostBytes)
}
