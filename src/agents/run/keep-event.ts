import type { AgentEvent } from '../../model/agent.ts'
import { tellUsage } from '../../model/usage.ts'

/**
 * Adds an event to those that the end is judged by, and drops those that it replaces, so that even a run of days needs no more
 * memory than its last text.
 */
export function keepEvent(kept: readonly AgentEvent[], event: AgentEvent): readonly AgentEvent[] {
  const without = (...kinds: readonly AgentEvent['kind'][]) => kept.filter(({ kind }) => !kinds.includes(kind))
  switch (event.kind) {
    case 'text': {
      const last = kept.at(-1)
      if (event.whole === true) return [...without('text'), event]
      if (last?.kind !== 'text') return [...kept, event]
      return [...kept.slice(0, -1), { ...last, text: last.text + event.text }]
    }
    // The text before a tool only announced it.
    case 'tool':
      return [...without('text', 'tool'), event]
    case 'usage':
      return [
        ...without('usage'),
        ...tellUsage(
          kept.filter(each => each.kind === 'usage'),
          event,
        ),
      ]
    case 'denied':
      return [...kept.filter(each => each.kind !== 'denied' || each.what !== event.what), event]
    // An error with a status or a time says more than one without.
    case 'error':
      return [...kept.filter(each => each.kind !== 'error' || tellsMore(each, event)), event]
    case 'session':
    case 'retry':
    case 'end':
      return [...without(event.kind), event]
  }
}

type ErrorEvent = Extract<AgentEvent, { readonly kind: 'error' }>

function tellsMore(one: ErrorEvent, other: ErrorEvent): boolean {
  const hasStatus = one.status !== undefined && other.status === undefined
  return hasStatus || (one.resetsAt !== undefined && other.resetsAt === undefined)
}
