import type { Shipped } from '../../model/ship.ts'
import type { Committed, TaskEnd, WorkEvent } from '../../model/task.ts'
import { agentEvent, answeredEvent } from './agent-json.ts'
import type { WatchEvent } from './event-json.ts'

/** The event for programs about agents at work; `undefined` for events that another part reports. */
export function workEvent(event: WorkEvent, agent: string): WatchEvent | undefined {
  switch (event.kind) {
    case 'run-begun': {
      const { book, sandbox, enforcement, limits, tasks } = event
      const { attempts, timeout } = limits
      const facts = { book, agent, sandbox, enforcement, attempts, timeout }
      return { event: 'work-begun', ...facts, tasks: tasks ?? null }
    }
    case 'resumed':
      return { event: 'work-resumed', task: event.task, attempt: event.attempt }
    case 'left-out':
      return { event: 'left-out', paths: event.paths }
    case 'lacks':
      return { event: 'lacks', missing: event.missing.map(({ path, why }) => ({ path, why })) }
    case 'attempt-begun':
      return {
        event: 'attempt-begun',
        task: event.task,
        attempt: event.attempt,
        of: event.of,
        iteration: event.iteration ?? null,
      }
    case 'agent':
      return agentEvent(agent, event.event)
    case 'turn-ended':
      return answeredEvent(agent, event.end)
    case 'dropped':
      return { event: 'dropped', paths: event.paths }
    case 'waiting':
      return { event: 'limit-waited', until: event.until.toISOString() }
    case 'attempt-failed':
      return { event: 'attempt-failed', task: event.task, attempt: event.attempt, why: event.why }
    case 'task-ended':
      return { event: 'task-ended', ...taskEndJson(event.end) }
    case 'run-ended': {
      const { stopped, ms, tasks, shipped } = event.end
      const why = 'why' in stopped ? stopped.why : null
      const done = tasks.filter(({ result }) => result.kind !== 'failed').length
      return {
        event: 'work-ended',
        stopped: stopped.kind,
        why,
        done,
        failed: tasks.length - done,
        ms: Math.round(ms),
        shipped: shippedJson(shipped),
      }
    }
  }
}

function shippedJson(shipped: Shipped | undefined) {
  if (shipped === undefined) return null
  const { kind: how, branch, ...facts } = shipped
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { how, branch, into: null, commit: null, url: null, why: null, ...Object.fromEntries(known) }
}

function taskEndJson({ task, attempts, ms, usage, result }: TaskEnd) {
  const landed = result.kind === 'landed' ? result.landed : undefined
  const failed = result.kind === 'failed' ? result : undefined
  return {
    task,
    result: result.kind,
    attempts,
    ms: Math.round(ms),
    inputTokens: usage.inputTokens ?? null,
    outputTokens: usage.outputTokens ?? null,
    cost: usage.cost ?? null,
    number: landed?.number ?? null,
    files: landed?.files ?? null,
    ...committedJson(landed?.committed),
    why: failed?.why ?? null,
    kept: failed?.kept ?? null,
  }
}

function committedJson(committed: Committed | undefined) {
  return {
    commit: committed?.kind === 'commit' ? committed.sha : null,
    notCommitted: committed?.kind === 'not-committed' ? committed.why : null,
  }
}
