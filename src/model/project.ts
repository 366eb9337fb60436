import type { OwnAgent } from './agent.ts'

/** `relaycode.config.json`, below it what the user has set for all projects, and every default filled in. */
export interface Config {
  readonly projectId: string
  /** Milliseconds between two reads of the clipboard. */
  readonly clipboardPollInterval: number
  readonly approval: 'yes' | 'no' | 'never'
  /** Each kept change becomes a commit, where the project is in a git repository. */
  readonly commit: boolean
  /** The number of new errors that are approved without a question. */
  readonly approvalOnErrorCount: number
  /** A shell command, or several; empty means none. */
  readonly linter: string | readonly string[]
  /** Shell commands; empty means none. */
  readonly preCommand: string
  readonly postCommand: string
  /** Seconds that one command may take. */
  readonly commandTimeout: number
  /** `full` syncs to the disk, to survive a power cut; `fast` does not sync. */
  readonly durability: 'full' | 'fast'
  readonly clipboard: 'auto' | 'poll'
  readonly singleKey: boolean
  /** `auto`, `osc`, `bell`, `off`, or the user's own command. */
  readonly notify: string
  /** The format that the instructions for the LLM ask for: whole files, or also edits for large files. */
  readonly instructions: 'files' | 'edits'
  readonly limits: Limits
  readonly policy: Policy
  /** The name of the agent; empty: the command chooses. */
  readonly agent: string
  /** The project's own agents, by name. */
  readonly agents: Readonly<Record<string, OwnAgent>>
  /** Commands that an agent may run in `workspace-write`, besides the usual ones. */
  readonly allow: readonly string[]
  /** The number of attempts that an agent has for a task. */
  readonly attempts: number
  /** Minutes that one turn of an agent may take. */
  readonly turnTimeout: number
  /** Seconds that an agent may go on after it has said that it is done. */
  readonly agentGrace: number
  /** Seconds without a sign of life after which an agent is ended. */
  readonly agentSilence: number
  readonly checkout: CheckoutSettings
  /** The user's own file as it is: some of it is in no other key, and its commands need no confirmation. */
  readonly user: UserConfig
}

/** What a person has set for all projects. A value of the project comes first, except where the project cannot have one. */
export interface UserConfig {
  /** A command line. The user's alone: a clone must not choose what opens its files. */
  readonly editor?: string
  readonly singleKey?: boolean
  readonly clipboard?: Config['clipboard']
  readonly notify?: string
  readonly agent?: string
  /** A text for the LLM, given after the instructions of the project. */
  readonly instructions?: string
}

/** What an agent's checkout needs besides the files that git tracks. Paths are relative to the project's root. */
export interface CheckoutSettings {
  /** A shell command that prepares a new checkout; empty means none. */
  readonly setup: string
  /** Folders that are linked to the user's. */
  readonly link: readonly string[]
  /** Globs of files that are copied. */
  readonly copy: readonly string[]
  /** Names of variables with secrets that the project's commands get, although they run an agent's work. */
  readonly env: readonly string[]
  /** Before a check all files that git ignores are removed, build output included. */
  readonly fresh: boolean
}

export interface Limits {
  readonly responseBytes: number
  readonly files: number
  /** Of one file, before and after the change. */
  readonly fileBytes: number
  /** Bytes of one path. */
  readonly pathLength: number
}

/** Globs relative to the project's root. They can only make relay's own rules stricter. */
export interface Policy {
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  readonly allowDeletes: boolean
}

/** A project as one transaction sees it: its root (a real path) and the configuration that was read before it began. */
export interface Project {
  readonly root: string
  readonly config: Config
}
