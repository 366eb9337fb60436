import type { AgentEvent, AgentUsage } from './agent.ts'

export type UsageEvent = Extract<AgentEvent, { readonly kind: 'usage' }>

/** What these events tell of the use, together. */
export function usageIn(events: readonly AgentEvent[]): AgentUsage {
  return whole(events.reduce(tellUsage, []))
}

/**
 * Adds what one event tells. A request to the model is told again and again while it runs, and is part of what an event without
 * a request tells later. What such a total leaves out, as one of an interrupted program does, was used all the same.
 */
export function tellUsage(told: readonly UsageEvent[], event: AgentEvent): readonly UsageEvent[] {
  if (event.kind !== 'usage') return told
  const { request } = event
  if (request !== undefined) return [...told.filter(each => each.request !== request), event]
  const [before, since] = [
    told.filter(each => each.request === undefined),
    told.filter(each => each.request !== undefined),
  ]
  return [{ kind: 'usage', usage: sumOf(whole(before), combined(event.usage, whole(since), Math.max)) }]
}

export function sumOf(one: AgentUsage, other: AgentUsage): AgentUsage {
  return combined(one, other, (a, b) => a + b)
}

function whole(told: readonly UsageEvent[]): AgentUsage {
  return told.map(({ usage }) => usage).reduce(sumOf, {})
}

/** What neither tells stays unknown. */
function combined(one: AgentUsage, other: AgentUsage, combine: (a: number, b: number) => number): AgentUsage {
  const names = ['inputTokens', 'outputTokens', 'cost'] as const
  const told = names.filter(name => one[name] !== undefined || other[name] !== undefined)
  return Object.fromEntries(told.map(name => [name, combine(one[name] ?? 0, other[name] ?? 0)]))
}
