import type { AgentRequest, Enforcement, TurnEnd } from '../../model/agent.ts'
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
    inputTokens: usage.inputTokens ?? null,
    outputTokens: usage.outputTokens ?? null,
    cost: usage.cost ?? null,
    sessionId: sessionId ?? null,
    resetsAt: resetsAt?.toISOString() ?? null,
    marker: marker ?? null,
    log: log ?? null,
  }
}
