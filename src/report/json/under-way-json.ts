import type { UnderWay } from '../../model/under-way.ts'
import { usageJson } from './agent-json.ts'

export function underWayJson({
  agent,
  book,
  task,
  attempt,
  ms,
  usage,
  sentences,
  isStopping,
  pid,
  agentPid,
  since,
  step,
  tool,
  asking,
}: UnderWay) {
  return {
    agent,
    book,
    task: { id: task.id, title: task.title },
    attempt,
    ms: Math.round(ms),
    ...usageJson(usage),
    sentences,
    isStopping,
    pid: pid ?? null,
    agentPid: agentPid ?? null,
    since: since ?? null,
    step: step ?? null,
    tool: tool ?? null,
    asking: asking ?? null,
  }
}
