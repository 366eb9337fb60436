import type { AgentRequest, AgentUsage, Enforcement, TurnEnd } from '../../model/agent.ts'
import type { WatchEvent } from './event-json.ts'

export function askedAgentEvent(
  agent: string,
  { sandbox, model, cwd }: AgentRequest,
  enforcement: Enforcement,
  timeout: number,
): WatchEvent {
  return { event: 'agent-asked', agent, sandbox, enforcement, model: model ?? null, folder: cwd, timeout }
}

/** The end of a turn, with the agent's final text. */
export function answeredEvent(agent: string, end: TurnEnd): WatchEvent {
  const { status, text, why, usage, sessionId, resetsAt, marker, log } = end
  return {
    event: 'agent-answered',
    agent,
    status,
    text,
    why,
    ...usageJson(usage),
    sessionId: sessionId ?? null,
    resetsAt: resetsAt?.toISOString() ?? null,
    marker: marker ?? null,
    log: log ?? null,
  }
}

export function usageJson({ inputTokens, outputTokens, cost }: AgentUsage) {
  return { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null, cost: cost ?? null }
}
