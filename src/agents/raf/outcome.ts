import type { AgentUsage, Marker } from '../../model/agent.ts'
import { lastMarker, printMarker } from '../../model/marker.ts'
import type { RafTask, RafTaskStatus } from '../../model/raf.ts'
import { sectionOf, sectionsOf } from './sections.ts'

/** A task's status by its outcome alone; `undefined`: the text has no marker, and so says nothing. */
export function statusOfOutcome(text: string): Exclude<RafTaskStatus, 'pending'> | undefined {
  const marker = lastMarker(text)
  return marker === undefined ? undefined : statuses[marker]
}

const statuses = { COMPLETE: 'completed', FAILED: 'failed', BLOCKED: 'blocked' } as const

/** Whether an outcome says that its task failed or is blocked, as relay's own reports do. */
export function isReport(outcome: string): boolean {
  const status = statusOfOutcome(outcome)
  return status === 'failed' || status === 'blocked'
}

/** The short form of an outcome: its Summary, or else its first paragraph; empty when there is neither. */
export function summaryOf(outcome: string): string {
  const summary = sectionOf(outcome, '## Summary')
  const from = summary === undefined ? sectionsOf(outcome).map(({ text }) => text) : [summary]
  for (const text of from) {
    const paragraph = withoutMarkers(text).split(/\n[ \t]*\n/)
    const found = summary === undefined ? paragraph.find(each => /[\p{L}\p{N}]/u.test(each)) : withoutMarkers(text)
    if (found !== undefined && found.trim() !== '') return found.trim()
  }
  return ''
}

/** The outcome of a finished task for which the agent wrote none. */
export function fallbackOutcome(taskId: string): string {
  return ['## Status: SUCCESS', `# Task ${taskId} - Completed`, noReport, `${printMarker('COMPLETE')}\n`].join('\n\n')
}

/** The text of an outcome without a word from the agent. */
export const noReport = 'Task completed. No detailed report provided.'

/** Facts about the work on a task. */
export interface OutcomeDetails {
  readonly attempts: number
  /** Milliseconds. */
  readonly ms: number
  /** Of all its turns, as far as the agent told it. */
  readonly usage: AgentUsage
  readonly agent: string
  readonly at: Date
  /** Where the changes of a failed task are kept: a command, or the name of a stash. */
  readonly kept?: string | undefined
}

/**
 * The final form of an outcome: the agent's words, then the details, then the marker as the last line. Moves the marker there
 * if the agent wrote something after it, and adds it if it is missing. Doing this twice does no harm.
 */
export function finishedOutcome(text: string, marker: Marker, details: OutcomeDetails): string {
  const words = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const last = printMarker(lastMarker(words) ?? marker)
  const at = words.lastIndexOf(last)
  const kept = at < 0 ? words : words.slice(0, at) + words.slice(at + last.length)
  const body = kept
    .trimEnd()
    .replace(ownDetails, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  return `${body === '' ? '' : `${body}\n\n`}${detailsText(details)}\n\n${printMarker(marker)}\n`
}

/** Details that `detailsText` wrote, at the end of a text. */
const ownDetails =
  /(?:^|\n)## Details\n\n(?:- (?:Attempts|Elapsed time|Tokens|Cost|Completed at|Failed at|Agent|Kept): [^\n]*\n?)+$/

export function detailsText({ attempts, ms, usage, agent, at, kept }: OutcomeDetails, end = 'Completed'): string {
  return [
    '## Details',
    '',
    `- Attempts: ${attempts}`,
    `- Elapsed time: ${elapsedWords(ms)}`,
    ...usageLines(usage),
    `- ${end} at: ${at.toISOString()}`,
    `- Agent: ${agent}`,
    ...(kept === undefined ? [] : [`- Kept: ${kept}`]),
  ].join('\n')
}

/** `usageOfOutcome` reads them again. */
function usageLines({ inputTokens, outputTokens, cost }: AgentUsage): readonly string[] {
  return [
    ...(inputTokens === undefined && outputTokens === undefined
      ? []
      : [`- Tokens: ${inputTokens ?? 0} in, ${outputTokens ?? 0} out`]),
    ...(cost === undefined ? [] : [`- Cost: $${cost.toFixed(4)}`]),
  ]
}

/** What a task has used, by the details of its outcome; `undefined` where they do not say it. */
export function usageOfOutcome(text: string): AgentUsage | undefined {
  const details = ownDetails.exec(text.replace(/\s*<promise>[A-Z]+<\/promise>\s*$/, ''))?.[0] ?? ''
  const [, inputTokens, outputTokens] = /^- Tokens: (\d+) in, (\d+) out$/m.exec(details) ?? []
  const [, cost] = /^- Cost: \$(\d+\.\d+)$/m.exec(details) ?? []
  if (inputTokens === undefined && cost === undefined) return undefined
  return {
    ...(inputTokens === undefined ? {} : { inputTokens: Number(inputTokens), outputTokens: Number(outputTokens) }),
    ...(cost === undefined ? {} : { cost: Number(cost) }),
  }
}

/** `45s`, `2m 5s`, `1h 3m`. */
function elapsedWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** The outcome of a task that was not begun because a dependency failed or is blocked. */
export function blockedOutcome(task: RafTask, tasks: readonly RafTask[]): string {
  const those = (status: RafTaskStatus) => {
    return task.dependencies.filter(id => tasks.some(each => each.id === id && each.status === status)).join(', ')
  }
  const [failed, blocked] = [those('failed'), those('blocked')]
  return [
    `# Outcome: Task ${task.id} Blocked`,
    '## Summary',
    'This task was not begun: tasks that it depends on failed or are blocked.',
    '## Blocking Dependencies',
    ...(failed === '' ? [] : [`**Failed dependencies**: ${failed}`]),
    ...(blocked === '' ? [] : [`**Blocked dependencies**: ${blocked}`]),
    `**Task dependencies**: ${task.dependencies.join(', ')}`,
    '## Resolution',
    '`relay do` runs failed tasks again, and then this one.',
    `${printMarker('BLOCKED')}\n`,
  ].join('\n\n')
}

function withoutMarkers(text: string): string {
  return text.replaceAll(/<promise>(?:COMPLETE|FAILED|BLOCKED)<\/promise>/g, '')
}
