/** One delegation: an instruction that an agent carries out in a clone, on the way to a pull request. */
export interface Session {
  /** A uuid. */
  readonly id: string
  readonly status: SessionStatus
  readonly prUrl?: string | undefined
  readonly error?: SessionError | undefined
  /** The root of the project in the user's repository. */
  readonly gitDirectory: string
  readonly instructions: string
  /** More of them, given with the command. */
  readonly extra?: string | undefined
  /** The text of the file with instructions, as it was then. */
  readonly fromFile?: string | undefined
  readonly agent: string
  readonly branch: string
  /** What the branch begins at, and is to go into; without it where the user is, and origin's default branch. */
  readonly base?: string | undefined
  /** The commit that stood there when the session was made: what was agreed to then is what the agent gets. */
  readonly start: string
  /** `false`: it is pushed, and that is all. */
  readonly wantsPullRequest: boolean
  /** The options of the command, as they were typed. */
  readonly options: SessionOptions
  /** The line of a note that it stands for. */
  readonly note?: { readonly path: string; readonly text: string } | undefined
  /** ISO 8601. */
  readonly createdAt: string
  /** When an agent's work was begun, and when it ended. */
  readonly startedAt?: string | undefined
  readonly endedAt?: string | undefined
  /** The relay that is at it. */
  readonly owner?: SessionProcess | undefined
  /** What the agent said of its work, once that was accepted. */
  readonly summary?: string | undefined
  /** The commit on its branch; `undefined`: nothing has landed there. */
  readonly commit?: string | undefined
  /** Where the commit is beside the clone: on the remote, in a branch of the user's repository. */
  readonly isPushed?: true | undefined
  readonly homeBranch?: string | undefined
  /** What is to be known about a good end: that there is no pull request, say. */
  readonly remark?: string | undefined
}

/** Names a process for good. */
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
  /** What to do about it. */
  readonly hint: string
}

/** `interrupted`: its relay was ended. */
export const sessionErrorKinds = ['git', 'agent', 'auth', 'network', 'limit', 'interrupted'] as const

export type SessionErrorKind = (typeof sessionErrorKinds)[number]

/** What is kept of the command that began it, for a retry. */
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

/** So many of them may be under way at once. */
export const mostSessions = 3

/** How people name it. */
export function shortId({ id }: Pick<Session, 'id'>): string {
  return id.slice(0, 8)
}
