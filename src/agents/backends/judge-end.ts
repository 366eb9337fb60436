import { lastMessage } from '../../ground/last-message.ts'
import type { AgentEnd, AgentEvent } from '../../model/agent.ts'
import { usageIn } from '../../model/usage.ts'
import type { EndedRun } from './backend.ts'

/**
 * Judges a run by its events, for any agent. A good run reported its end, no error, and a final text.
 *
 * The exit code counts least, because it proves little: refused tools, an empty answer and an interruption all exit with 0.
 * After the end event a `null` code is no error: relay ends a program that has finished its answer but goes on running.
 */
export function judgeEnd(run: EndedRun): AgentEnd {
  const end = endOf(run)
  // Where a program tells a limit in words alone, it is one all the same.
  return end.status === 'failed' && rateLimitWords.test(end.why) ? { ...end, status: 'rate-limited' } : end
}

const rateLimitWords = /too many requests|\b429\b|\brate.?limit|\busage limit/i

function endOf(run: EndedRun): AgentEnd {
  const { events, code } = run
  const text = finalText(events)
  const judged = { text, usage: usageIn(events), sessionId: sessionOf(events), resetsAt: resetOf(events) }
  const errors = events.filter(event => event.kind === 'error')
  const error = errors.findLast(each => each.status !== undefined) ?? errors.at(-1)
  if (error !== undefined) return { ...judged, status: error.status ?? 'failed', why: error.message }
  if (!events.some(event => event.kind === 'end')) return { ...judged, ...withoutEnd(run) }
  if (code !== 0 && code !== null) return { ...judged, status: 'failed', why: exitWords(run) }
  if (text.trim() !== '') return { ...judged, status: 'ok', why: '' }
  const denied = events.filter(event => event.kind === 'denied')
  if (denied.length === 0) return { ...judged, status: 'no-output', why: 'it ended without an answer' }
  const what = [...new Set(denied.map(each => each.what))].join(', ')
  return { ...judged, status: 'denied', why: `it ended without an answer after it was refused: ${what}` }
}

/** For a run without an end event: the reason is the last retry, or else what the program printed. */
function withoutEnd(run: EndedRun): Pick<AgentEnd, 'status' | 'why'> {
  const last = run.events.findLast(({ kind }) => kind === 'retry' || kind === 'text' || kind === 'tool')
  if (last?.kind !== 'retry') return { status: 'failed', why: exitWords(run) }
  const status = last.isLogin ? 'auth' : last.isRateLimit ? 'rate-limited' : 'failed'
  return { status, why: `it was still trying again: ${last.why}` }
}

function exitWords({ code, stderr }: EndedRun): string {
  if (code === null) return 'it was ended before it was done'
  if (code === 0) return 'it ended with exit code 0, but never said that it was done'
  return lastMessage(stderr) ?? `it ended with exit code ${code}`
}

/** The text after the last tool: earlier text only announced the tool. */
function finalText(events: readonly AgentEvent[]): string {
  let text = ''
  for (const event of events) {
    if (event.kind === 'tool') text = ''
    else if (event.kind === 'text') text = event.whole === true ? event.text : text + event.text
  }
  return text
}

function sessionOf(events: readonly AgentEvent[]): string | undefined {
  return events.findLast(event => event.kind === 'session')?.id
}

function resetOf(events: readonly AgentEvent[]): Date | undefined {
  return events.flatMap(event => (event.kind === 'error' ? (event.resetsAt ?? []) : [])).at(-1)
}
