import type {
  AgentEnd,
  AgentEvent,
  AgentRequest,
  AgentStart,
  Enforcement,
  Sandbox,
  TalkRequest,
} from '../../model/agent.ts'

/** One agent: how its program is called, what its lines mean, how its end is judged. Data and pure functions. */
export interface Backend {
  /** As people name it: `claude`. */
  readonly name: string
  /** The program on the PATH. */
  readonly program: string
  /** The command that installs it; none for one of the user's own. */
  readonly install?: string
  readonly sandboxes: Readonly<Record<Sandbox, Enforcement>>
  /** How its version is asked for, and read from what it prints. */
  readonly versionArgs: readonly string[]
  /** What to type for a login, and what that leaves behind: variables of the environment, and files below the home. */
  readonly login: { readonly by?: string; readonly variables: readonly string[]; readonly files: readonly string[] }
  /**
   * Files and folders of a project by which the program goes by itself, and which can make it run something: hooks, servers,
   * plugins, variables. Relative to the folder in which it works, or to one above it.
   */
  readonly projectFiles: readonly string[]
  /** What it tells of its use: a limit of anything else cannot be held. */
  readonly tells: readonly ('tokens' | 'cost')[]
  /** It cannot be told which model to use: that is a part of its command. */
  readonly hasOneModel?: true
  /** It was never driven by relay's authors. */
  readonly untried?: true
  /** It is a project's own: nothing of it runs before its command was confirmed. */
  readonly own?: true
  build(request: AgentRequest): AgentStart
  /** How it begins a conversation in the user's terminal; without it, it only works by itself. */
  converse?(request: TalkRequest): Pick<AgentStart, 'argv' | 'env'>
  /** Reads one line of stdout or stderr; several events, or none. */
  read(line: string, from: 'out' | 'err'): readonly AgentEvent[]
  /** Judges a run that ended by itself, by all of its events, its exit code and its errors. */
  end(run: EndedRun): AgentEnd
}

export interface EndedRun {
  readonly events: readonly AgentEvent[]
  /** `null`: a signal ended it. */
  readonly code: number | null
  /** The end of what it printed to stderr. */
  readonly stderr: string
}
