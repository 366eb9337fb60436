import type {
  AgentEnd,
  AgentEvent,
  AgentRequest,
  AgentSettings,
  AgentStart,
  Enforcement,
  Sandbox,
  TalkRequest,
} from '../../model/agent.ts'

/** One agent: how to start its program, read its lines and judge its end. Data and pure functions. */
export interface Backend {
  /** The name for people: `claude`. */
  readonly name: string
  /** The program's name on the PATH. */
  readonly program: string
  /** The command that installs it; a project's own agent has none. */
  readonly install?: string
  readonly sandboxes: Readonly<Record<Sandbox, Enforcement>>
  /** The arguments that make the program print its version. */
  readonly versionArgs: readonly string[]
  /** The command to log in, and the traces of a login: environment variables, and files in the home folder. */
  readonly login: { readonly by?: string; readonly variables: readonly string[]; readonly files: readonly string[] }
  readonly keeps: KeptVariables
  /**
   * Project files and folders that the program reads and that can make it run something: hooks, servers, plugins, variables.
   * They are relative to the agent's folder or to a folder above it.
   */
  readonly projectFiles: readonly string[]
  /** The user's settings that `build` has to see: relative to the home folder, or absolute. */
  userFiles?(env: AgentSettings['env']): readonly string[]
  /** What the agent reports about its use: relay cannot hold a limit of anything else. */
  readonly tells: readonly ('tokens' | 'cost')[]
  /** The agent accepts no model: its command decides that. */
  readonly hasOneModel?: true
  /** relay's authors have never run this agent. */
  readonly untried?: true
  /** The project configures this agent: relay runs nothing of it before the user has confirmed its command. */
  readonly own?: true
  /**
   * The user's own settings must not widen the sandbox, and none of the user's servers, extensions and plugins may start: they
   * run outside of it.
   */
  build(request: AgentRequest, settings?: AgentSettings): AgentStart
  /** Starts a conversation in the user's terminal; missing when the agent cannot do that. */
  converse?(request: TalkRequest): Pick<AgentStart, 'argv' | 'env'>
  /** Reads one line of stdout or stderr, that came `now`, into events. */
  read(line: string, from: 'out' | 'err', now: Date): readonly AgentEvent[]
  /** Judges a run that ended by itself. */
  end(run: EndedRun): AgentEnd
}

type Env = Readonly<Record<string, string>>

/** The variables with secrets that the program gets all the same: the keys of its provider. It gets no other secret. */
export interface KeptVariables {
  names(env: Env): readonly string[]
  /** The user's own settings of the program, where they can name further keys. No file of the project can. */
  readonly settings?: {
    /** Files; a relative path is one in the home folder. */
    places(env: Env): readonly string[]
    keysIn(text: string): readonly string[]
  }
}

export interface EndedRun {
  readonly events: readonly AgentEvent[]
  /** `null`: a signal ended the program. */
  readonly code: number | null
  /** The end of stderr. */
  readonly stderr: string
}

/** Neither files nor variables. */
export const noSettings: AgentSettings = { env: {}, users: [], confirmed: [] }
