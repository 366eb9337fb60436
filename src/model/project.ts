import type { OwnAgent } from './agent.ts'

/** `relaycode.config.json` with every default filled in. */
export interface Config {
  readonly projectId: string
  /** Milliseconds between two looks at the clipboard. */
  readonly clipboardPollInterval: number
  readonly approval: 'yes' | 'no'
  /** How many new errors are still approved without a question. */
  readonly approvalOnErrorCount: number
  /** Shell commands; empty means none. */
  readonly linter: string
  readonly preCommand: string
  readonly postCommand: string
  /** Seconds that one command may take. */
  readonly commandTimeout: number
  /** `full` syncs to the disk so that a power cut is survived; `fast` leaves the syncs out. */
  readonly durability: 'full' | 'fast'
  readonly clipboard: 'auto' | 'poll'
  readonly singleKey: boolean
  /** `auto`, `osc`, `bell`, `off`, or a command of the user's. */
  readonly notify: string
  /** What the instructions for the LLM ask for: whole files, or edits of large ones as well. */
  readonly instructions: 'files' | 'edits'
  readonly limits: Limits
  readonly policy: Policy
  /** The agent to use, by its name; empty means that the command chooses. */
  readonly agent: string
  /** The project's own, by name. */
  readonly agents: Readonly<Record<string, OwnAgent>>
  /** Commands that an agent may run in `workspace-write`, beside the usual ones. */
  readonly allow: readonly string[]
  /** How often an agent may try a task. */
  readonly attempts: number
  /** Minutes that an agent may work on a task in one go. */
  readonly turnTimeout: number
  /** Seconds that an agent may go on after it has said that it is done. */
  readonly agentGrace: number
  /** Seconds that an agent may give no sign of life. */
  readonly agentSilence: number
  readonly checkout: CheckoutSettings
}

/** What the copy in which an agent works needs beside the files that git knows. Paths are relative to the project's root. */
export interface CheckoutSettings {
  /** A shell command that makes a new one ready; empty means none. */
  readonly setup: string
  /** Folders that it shares with the user's. */
  readonly link: readonly string[]
  /** Globs of files that it gets a copy of. */
  readonly copy: readonly string[]
}

export interface Limits {
  readonly responseBytes: number
  readonly files: number
  /** Of one file, as it is and as it will be. */
  readonly fileBytes: number
  /** Bytes of one path. */
  readonly pathLength: number
}

/** Globs relative to the project's root. They can only tighten what relay does anyway. */
export interface Policy {
  readonly ask: readonly string[]
  readonly deny: readonly string[]
  readonly allowDeletes: boolean
}

/** A project as one transaction sees it: its root (a real path) and the configuration read before it began. */
export interface Project {
  readonly root: string
  readonly config: Config
}
