/** The agents that relay knows by itself; one of a project's own has another name. */
export const agentNames = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'amp'] as const

/** The one that `relay ask` asks, where it is there and nothing else is said. */
export const usualAgent: AgentName = 'codex'

export type AgentName = (typeof agentNames)[number]

/** An agent of a project's own, as its configuration describes it. */
export type OwnAgent =
  /** Text in, text out. */
  | { readonly command: string; readonly like?: undefined }
  /** Another program that takes the same words and prints the same lines as a known one. */
  | {
      readonly like: AgentName
      readonly command: string
      readonly model?: string | undefined
      /** Put behind relay's own words. */
      readonly args?: readonly string[] | undefined
    }

/** A file of a project with commands that agents may run in `workspace-write`. */
export const allowFile = '.dreamal/claude-commands.json'

/** Seconds that an agent may give no sign of life, and go on after it has said that it is done. */
export const usualLimits = { silence: 600, grace: 5, attempts: 3, turnMinutes: 60 }

/** What is asked of an agent: one run of its program. */
export interface AgentRequest {
  /** The whole envelope; it goes through stdin. */
  readonly prompt: string
  readonly sandbox: Sandbox
  readonly model: string | undefined
  /** Where the program runs. */
  readonly cwd: string
  /** Commands that may run in `workspace-write`, beside those of the agent's own. */
  readonly allow: readonly string[]
  /** Text in, text out: no tool at all, as far as the program can be told so. Goes with `read-only` alone. */
  readonly textOnly?: true
}

/** What is asked of an agent that talks with the user. */
export interface TalkRequest {
  /** What it has to know beside what the user says. */
  readonly rules: string
  /** What the user says first. */
  readonly opening: string
  readonly model: string | undefined
  /** The folder in which it may write unasked, relative to the one in which it runs. */
  readonly writes: string
}

/** What an agent may do, from least to most. */
export type Sandbox = 'read-only' | 'workspace-write' | 'danger-full-access'

/** How far an agent is kept to a sandbox: by the system, by its own rules, or not at all (then relay refuses it). */
export type Enforcement = 'enforced' | 'rules' | 'none'

/** How a program is started for a request. */
export interface AgentStart {
  /** The program and its words; no prompt is among them. */
  readonly argv: readonly string[]
  /** Added to the environment that every agent gets. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  /** Files that the program reads, by name: they lie in a folder of relay's whose path stands for `{folder}` in argv and env. */
  readonly files?: Readonly<Record<string, string>>
  /** It is to see no project: it runs in an empty folder in place of the request's. */
  readonly inEmptyFolder?: true
}

/** What one line of an agent's output says. What no recording has is passed over, never guessed. */
export type AgentEvent =
  /** `whole`: a message of its own, and not a further piece of the one before. */
  | { readonly kind: 'text'; readonly text: string; readonly whole?: true }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'denied'; readonly what: string }
  /** What was used since the last such event. */
  | { readonly kind: 'usage'; readonly usage: AgentUsage }
  | { readonly kind: 'session'; readonly id: string }
  /** It tries again by itself: a sign of life. `isLogin`: for want of a login, so that it cannot get better. */
  | { readonly kind: 'retry'; readonly why: string; readonly isLogin?: true; readonly isRateLimit?: true }
  | { readonly kind: 'error'; readonly message: string; readonly status?: AgentStatus; readonly resetsAt?: Date }
  | { readonly kind: 'end' }

export interface AgentUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** US dollars, where the agent tells. */
  readonly cost?: number
}

/** How a run of an agent came out. Exit code 0 alone is never `ok`: there has to be a final text and no error. */
export type AgentStatus =
  | 'ok'
  | 'failed'
  | 'denied'
  | 'timeout'
  | 'stalled'
  | 'overflow'
  | 'rate-limited'
  | 'auth'
  | 'missing'
  | 'no-output'
  | 'interrupted'

/** How a run ended, whatever the agent. */
export interface AgentEnd {
  readonly status: AgentStatus
  /** What the assistant said last, whole; empty where it said nothing. */
  readonly text: string
  readonly usage: AgentUsage
  readonly sessionId: string | undefined
  /** When a usage limit is over, where that is told. */
  readonly resetsAt: Date | undefined
  /** In a sentence, for people; empty for `ok`. */
  readonly why: string
}

/** What an agent says of its own work, as `<promise>COMPLETE</promise>`. It is believed only where the checks agree. */
export type Marker = 'COMPLETE' | 'FAILED' | 'BLOCKED'

/** How a turn came out: one run of an agent on one envelope. */
export interface TurnEnd extends AgentEnd {
  /** The last one in all that the assistant itself said. */
  readonly marker: Marker | undefined
  /** The folder with all that the program printed, as it printed it; `undefined`: it could not be kept. */
  readonly log: string | undefined
}

/** An agent, as it is found on this machine. */
export interface FoundAgent {
  readonly name: string
  readonly program: string
  /** `null`: it is not there. */
  readonly path: string | null
  /** `null`: it is not there, or did not say in time. */
  readonly version: string | null
  readonly sandboxes: Readonly<Record<Sandbox, Enforcement>>
  /** By what a login leaves behind: only a call tells for certain. `null`: it is not there. */
  readonly looksLoggedIn: boolean | null
  /** `false`: relay's authors never drove it. */
  readonly tried: boolean
  /** The command that installs it; `null`: it is the user's own. */
  readonly install: string | null
}
