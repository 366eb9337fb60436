import type { AgentUsage } from './agent.ts'
import type { Task } from './task.ts'

/** Work of an agent that is under way, or was when its relay was stopped. */
export interface UnderWay {
  readonly agent: string
  /** Its list of tasks. */
  readonly book: string
  readonly task: Task
  /** 1-based. */
  readonly attempt: number
  /** Milliseconds and use of its turns so far. */
  readonly ms: number
  readonly usage: AgentUsage
  /** What the user says in its next envelope. */
  readonly sentences: readonly string[]
  /** The run ends after this turn: the user asked for that. */
  readonly isStopping: boolean
  /** The relay process that runs it; `undefined`: that is gone. */
  readonly pid: number | undefined
  /** The process of the agent, while it runs. */
  readonly agentPid: number | undefined
  /** When this attempt began; ISO 8601. */
  readonly since: string | undefined
  /** The step that the run is in: one of its own, or of the change that lands. */
  readonly step: string | undefined
  /** What the agent uses, while it works. */
  readonly tool: string | undefined
  /** relay waits for the user's answer to this. */
  readonly asking: OpenQuestion | undefined
  /** relay waits until then for a limit of the agent's provider; ISO 8601. */
  readonly waitsUntil: string | undefined
}

/** A question that waits for an answer, as the event `asked` tells it. */
export interface OpenQuestion {
  readonly question: string
  readonly number: number | null
  readonly reasons: readonly { readonly kind: string; readonly text: string }[]
}
