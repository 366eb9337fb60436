/** The agents that relay supports itself; a project's own agent must have another name. */
export const agentNames = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'amp'] as const

/** The agent of `relay ask`, if it is installed and no other is named. */
export const usualAgent: AgentName = 'codex'

export type AgentName = (typeof agentNames)[number]

/** An agent that the project's configuration adds. */
export type OwnAgent =
  /** Reads a prompt and prints an answer. */
  | { readonly command: string; readonly like?: undefined; readonly env?: readonly string[] | undefined }
  /** Another program that takes the same arguments and prints the same lines as a supported agent. */
  | {
      readonly like: AgentName
      readonly command: string
      readonly model?: string | undefined
      /** Added after relay's own arguments. */
      readonly args?: readonly string[] | undefined
      /** Names of variables with secrets that it gets. */
      readonly env?: readonly string[] | undefined
    }

/** A project file with commands that agents may run in `workspace-write`. */
export const allowFile = '.dreamal/claude-commands.json'

/**
 * Defaults: seconds without a sign of life, seconds after the agent has said that it is done, attempts at a task,
 * and minutes for one turn.
 */
export const usualLimits = { silence: 600, grace: 5, attempts: 3, turnMinutes: 60 }

/** A request to an agent: one run of its program. */
export interface AgentRequest {
  /** The whole envelope, sent on stdin. */
  readonly prompt: string
  /** What a question is about, in one line, for those who look at what runs. */
  readonly title?: string
  readonly sandbox: Sandbox
  readonly model: string | undefined
  readonly cwd: string
  /** Commands that may run in `workspace-write`, besides those that the agent allows itself. */
  readonly allow: readonly string[]
  /** What was confirmed of the project's files for this agent; by default nothing. */
  readonly confirmed?: readonly ConfirmedFile[]
  /** The agent may use no tools, as far as its program can be told so. Only with `read-only`. */
  readonly textOnly?: true
  /** US dollars that the run has left: the agent ends its turn there, if its program can be told so. */
  readonly budget?: number
}

/** A file of a project by which an agent's program goes by itself, as the user has confirmed it. */
export interface ConfirmedFile {
  /** The folder in which it was found. */
  readonly folder: string
  /** That is a folder above the one for which it was confirmed. */
  readonly isAbove: boolean
  /** Relative to that folder: `.claude/settings.json`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** What was confirmed for agents that work in a folder, or in a copy of it. */
export interface ConfirmedFiles {
  /** Its real path. */
  readonly root: string
  /** The names by which agents would find more such files: `.claude/settings.json`, `.opencode`. */
  readonly names: readonly string[]
  /** From the folder furthest above to this one. */
  readonly files: readonly ConfirmedFile[]
}

/** What decides beside the request how an agent is started: settings that would otherwise widen its sandbox, or get lost. */
export interface AgentSettings {
  /** relay's own environment. */
  readonly env: Readonly<Record<string, string>>
  /** The user's files that the backend names in `userFiles`, as far as they exist. */
  readonly users: readonly string[]
  /** From the folder furthest above to the project's. */
  readonly confirmed: readonly ConfirmedFile[]
}

/** A request for a conversation with the user. */
export interface TalkRequest {
  /** Instructions for the agent, besides what the user says. */
  readonly rules: string
  /** The user's first message. */
  readonly opening: string
  readonly model: string | undefined
  /** The folder in which the agent may write without asking, relative to the folder in which it runs. */
  readonly writes: string
}

/** What an agent may do, from least to most. The names are those of Codex. */
export type Sandbox = 'read-only' | 'workspace-write' | 'danger-full-access'

/**
 * What keeps an agent to a sandbox: the operating system, the agent's own rules, or nothing (then relay refuses the sandbox).
 */
export type Enforcement = 'enforced' | 'rules' | 'none'

export interface AgentStart {
  /** The program and its arguments, without the prompt. */
  readonly argv: readonly string[]
  /** Added to the environment that every agent gets. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  /**
   * Files that the program reads, by name; one may lie in a folder, which is removed with all that comes into it. relay writes them into a folder of its own; `{folder}` in argv and
   * env stands for its path, and `{run}` for its name, which nobody can guess.
   */
  readonly files?: Readonly<Record<string, string>>
  /** The agent must not see the project: it runs in an empty folder instead of the request's. */
  readonly inEmptyFolder?: true
}

/** What one line of an agent's output means. Lines that no recorded run has are ignored, never guessed at. */
export type AgentEvent =
  /** `whole`: a complete message, not the next piece of the last one. */
  | { readonly kind: 'text'; readonly text: string; readonly whole?: true }
  /** The command that it runs, or the file that it works on, as far as the agent tells; in the agent's folder, from there. */
  | { readonly kind: 'tool'; readonly name: string; readonly command?: string; readonly path?: string }
  | { readonly kind: 'denied'; readonly what: string }
  /** The use since the last such event. `request`: of one request to the model alone, so far and at least. */
  | { readonly kind: 'usage'; readonly usage: AgentUsage; readonly request?: string }
  | { readonly kind: 'session'; readonly id: string }
  /**
   * The agent tries again by itself, which is a sign of life. `isLogin`: it is not logged in, so that
   * trying again cannot help.
   */
  | { readonly kind: 'retry'; readonly why: string; readonly isLogin?: true; readonly isRateLimit?: true }
  | { readonly kind: 'error'; readonly message: string; readonly status?: AgentStatus; readonly resetsAt?: Date }
  | { readonly kind: 'end' }

export interface AgentUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** US dollars, if the agent reports them. */
  readonly cost?: number
}

/** The result of an agent's run. Exit code 0 alone is never `ok`: there must also be a final text and no error. */
export type AgentStatus =
  | 'ok'
  | 'failed'
  | 'denied'
  | 'timeout'
  /** A limit of the whole run ended it: its time, cost or tokens. */
  | 'over-limit'
  | 'stalled'
  | 'overflow'
  | 'rate-limited'
  | 'auth'
  | 'missing'
  | 'no-output'
  | 'interrupted'

/** The end of a run, in the same form for every agent. */
export interface AgentEnd {
  readonly status: AgentStatus
  /** The assistant's last message, whole; empty if there was none. */
  readonly text: string
  readonly usage: AgentUsage
  readonly sessionId: string | undefined
  /** When the usage limit ends, if the agent says so. */
  readonly resetsAt: Date | undefined
  /** One sentence for people; empty for `ok`. */
  readonly why: string
}

/**
 * The agent's own judgement of its work, printed as `<promise>COMPLETE</promise>`. relay believes it only if the checks agree.
 */
export type Marker = 'COMPLETE' | 'FAILED' | 'BLOCKED'

/** The end of a turn: one run of an agent on one envelope. */
export interface TurnEnd extends AgentEnd {
  /** The last marker in everything that the assistant said. */
  readonly marker: Marker | undefined
  /** The folder with the program's whole output; `undefined`: it could not be saved. */
  readonly log: string | undefined
}

/** An agent as relay found it on this machine. */
export interface FoundAgent {
  readonly name: string
  readonly program: string
  /** `null`: it is not installed. */
  readonly path: string | null
  /** `null`: it is not installed, or did not answer in time. */
  readonly version: string | null
  readonly sandboxes: Readonly<Record<Sandbox, Enforcement>>
  /**
   * Judged by the files and variables that a login leaves: only a real request can tell for certain.
   * `null`: it is not installed.
   */
  readonly looksLoggedIn: boolean | null
  /** `false`: relay's authors have never run this agent. */
  readonly tried: boolean
  /** The command that installs it; `null` for a project's own agent. */
  readonly install: string | null
}
