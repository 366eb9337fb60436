/** One delegation: an agent carries out an instruction in a clone and opens a pull request. */
export interface Session {
  /** A uuid. */
  readonly id: string
  readonly status: SessionStatus
  readonly prUrl?: string | undefined
  readonly error?: SessionError | undefined
  /** The root of the project in the user's repository. */
  readonly gitDirectory: string
  readonly instructions: string
  /** Further instructions from the command line. */
  readonly extra?: string | undefined
  /** The text of the instruction file, as it was when the session was made. */
  readonly fromFile?: string | undefined
  readonly agent: string
  readonly branch: string
  /**
   * The branch that the work starts from and is merged into. Without it the work starts at the user's present commit and goes
   * into origin's default branch.
   */
  readonly base?: string | undefined
  /** The commit to start from, fixed when the session is made: the agent gets exactly what the user agreed to. */
  readonly start: string
  /** `false`: the branch is only pushed. */
  readonly wantsPullRequest: boolean
  /** The options of the command, as they were typed. */
  readonly options: SessionOptions
  /** The line of a Markdown note that asked for this session. */
  readonly note?: { readonly path: string; readonly text: string } | undefined
  /** ISO 8601. */
  readonly createdAt: string
  /** When the agent began, and when it ended. */
  readonly startedAt?: string | undefined
  readonly endedAt?: string | undefined
  /** The relay process that works on the session. */
  readonly owner?: SessionProcess | undefined
  /** The agent's summary, once its work was accepted. */
  readonly summary?: string | undefined
  /** The commit on its branch; `undefined`: nothing has landed. */
  readonly commit?: string | undefined
  /** Where else the commit is, besides the clone: on the remote, in this branch of the user's repository. */
  readonly isPushed?: true | undefined
  readonly homeBranch?: string | undefined
  /** A remark about a session that succeeded: that there is no pull request, for example. */
  readonly remark?: string | undefined
}

/** Identifies a process for good; see `ProcessMark` in `ports.ts`. */
interface SessionProcess {
  readonly pid: number
  readonly startedAt: string
  readonly machine: string
  readonly boot: string
  readonly space: string
}

export type SessionStatus = 'initializing' | 'working' | 'completed' | 'error'

export interface SessionError {
  readonly kind: SessionErrorKind
  readonly message: string
  readonly hint: string
}

/** `interrupted`: the session's relay process was ended. */
export const sessionErrorKinds = ['git', 'agent', 'auth', 'network', 'limit', 'interrupted'] as const

export type SessionErrorKind = (typeof sessionErrorKinds)[number]

/** The options that a retry uses again. */
export interface SessionOptions {
  readonly model?: string
  readonly sandbox?: string
  readonly timeout?: string
  readonly attempts?: string
  readonly maxTime?: string
  readonly maxCost?: string
  readonly maxTokens?: string
  readonly wait?: string
  readonly yes?: boolean
  readonly allowSensitive?: boolean
}

/** The number of sessions that may run at once. */
export const mostSessions = 3

/** The short id that people use. */
export function shortId({ id }: Pick<Session, 'id'>): string {
  return id.slice(0, 8)
}
