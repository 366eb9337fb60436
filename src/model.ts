/**
 * The words of relay. One idea, one word, in code, messages, docs and tests.
 *
 * This file imports nothing: everything else is said in terms of it. Start reading here, then go to `relay.ts`.
 */

// ── What comes in ──────────────────────────────────────────────────────────────────────────────

/** Where a response came from. */
export type SourceName = 'clipboard' | 'paste' | 'stdin' | `file:${string}`

/** The text a model gave, as it was copied. */
export interface Response {
  readonly text: string
  readonly source: SourceName
}

/** One change to one file: the path is relative to the project's root, with `/` between its parts. */
export type Operation = WriteOperation | DeleteOperation

export interface WriteOperation {
  readonly op: 'write'
  readonly path: string
  /** The file's full new text, lines joined with LF. */
  readonly content: string
}

export interface DeleteOperation {
  readonly op: 'delete'
  readonly path: string
}

/** The closing YAML of a response: what it is for, and which one it is. */
export interface Control {
  readonly projectId: string
  readonly uuid: string
  /** As the model gave it, plain data only; empty when it could not be read. */
  readonly changeSummary: readonly unknown[]
  readonly promptSummary?: string | undefined
  readonly gitCommitMsg?: string | undefined
}

/** A doubt about a patch that forbids auto-approval. */
export interface Flag {
  readonly flag: FlagName
  /** The file it is about, where it is about one. */
  readonly path?: string
  /** 1-based line in the response, where the doubt has a place. */
  readonly line?: number
  /** The doubtful line itself, for doubts that the file on disk can clear. */
  readonly text?: string
  /** All doubtful lines, where it is about each line that holds something; only until they are compared with the disk. */
  readonly lines?: readonly { readonly line: number; readonly text: string }[]
  /** A linter that reads the file finds it as well; only until it is known whether one does. */
  readonly linterFinds?: true
  /** One sentence for the user, without a period. */
  readonly reason: string
}

export type FlagName =
  | 'placeholder'
  | 'shrink'
  | 'duplicate-path'
  | 'missing-end'
  | 'summary-mismatch'
  | 'yaml-invalid'
  | 'chat-artifact'
  | 'encoding'
  | 'mass-delete'
  | 'look-alike'
  | 'lost-edit'
  | 'hidden-errors'
  | 'sensitive-path'

/** An understood response; it knows nothing of the disk. */
export interface Patch {
  readonly control: Control
  readonly operations: readonly Operation[]
  /** The prose between the blocks, in order. */
  readonly reasoning: readonly string[]
  readonly flags: readonly Flag[]
}

/** Damage that forbids a patch as a whole: where it is, what was found, what to do. */
export interface Problem {
  /** Stable kebab-case name, for machines. */
  readonly code: string
  /** For people: what was found and what was expected, then what to do next. */
  readonly message: string
  /** 1-based line in the response. */
  readonly line?: number
  /** 1-based number of the block in the response. */
  readonly block?: number
  readonly path?: string
}

/** What a text turned out to be. Most clipboards hold no patch, and that is not an error. */
export type Parsed =
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy }
  | {
      readonly kind: 'refused'
      readonly problems: readonly [Problem, ...Problem[]]
      /** What is left when the damaged blocks are left out; only where the rest can vouch for itself. */
      readonly sound?: Patch | undefined
      /** What could be read of the control block. */
      readonly control: Partial<Control>
      readonly reasoning: readonly string[]
    }

export type IgnoredWhy =
  /**
   * No control block and nothing that looks like a patch: silence. One dim line in `watch` where it seems to be a part of
   * one: `isCut`: a START has no END; `isBlock`: it is what one block holds, from START to END, and nothing else.
   */
  | { readonly kind: 'no-patch'; readonly isCut?: true; readonly isBlock?: true }
  /** A block with a path and START/END, but no control block: one dim line in `watch`. `isCut`: another START has no END. */
  | { readonly kind: 'no-control'; readonly isCut?: true }
  | { readonly kind: 'other-project'; readonly projectId: string; readonly uuid: string | undefined }
  /** The copied instructions, or another text of relay's own. */
  | { readonly kind: 'own-text' }

// ── The project ────────────────────────────────────────────────────────────────────────────────

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
  readonly limits: Limits
  readonly policy: Policy
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

// ── Planning ───────────────────────────────────────────────────────────────────────────────────

/** What stands at a path: a file's exact bytes and permission bits, a link, or nothing. */
export type PathState = FileState | LinkState | null

export interface FileState {
  readonly kind: 'file'
  readonly bytes: Uint8Array
  /** Permission bits, `0o644`. */
  readonly mode: number
}

export interface LinkState {
  readonly kind: 'link'
  /** Where the link points, as it is written in it. */
  readonly to: string
}

/** What a look at the disk told about one operation's path. */
export interface PathFact {
  readonly path: string
  /** Where the path really leads, links followed. */
  readonly leads:
    | { readonly kind: 'inside'; readonly target: string }
    | { readonly kind: 'outside'; readonly to: string }
    /** A link to nothing. */
    | { readonly kind: 'nowhere'; readonly to: string }
  /** Where the path itself stands: links of its folders followed, one of its own not; relative to the root. */
  readonly place: string
  /** Other paths of the project that lead to the same place, by way of links. */
  readonly otherNames?: readonly string[]
  /** The path itself, not a folder above it, is a symbolic link that points there. */
  readonly link: string | undefined
  /** What stands at the target. */
  readonly found: 'absent' | 'file' | 'folder' | 'other'
  /** The target's content when it is a file. */
  readonly file: FileState | undefined
  /** The user may not write into that file. */
  readonly isClosed?: true
  /** The size of a file that is too large to be kept for going back: its content was not read. */
  readonly tooLarge?: number
  /** Device and inode of the target, to tell two names of one file. */
  readonly identity: string | undefined
  /** A part of the path that is a file where a folder is needed. */
  readonly fileInTheWay: string | undefined
  /** Folders that will have to be made, outermost first, relative to the root. */
  readonly missingFolders: readonly string[]
  /**
   * Where something new is to be written: the names in the nearest folder that is there, as far as it can be listed. One
   * list for all files of that folder.
   */
  readonly beside?: readonly string[]
  /**
   * The nearest folder that is there, relative to the root, when nothing can be moved between it and `.relaycode/`:
   * another file system, or another mount of the same one.
   */
  readonly otherDevice: string | undefined
  /**
   * The folder that the target lies in and that no patch may reach into, though its name does not tell: git's own (a
   * bare repository, a separated git folder), or where relay keeps what is the user's; relative to the root.
   */
  readonly guarded: string | undefined
}

/** One operation, ready to be carried out here. */
export interface Change {
  readonly op: 'write' | 'delete'
  /** As the response names it. */
  readonly path: string
  /** Where it is carried out: the path with links followed, relative to the root. */
  readonly target: string
  /** Other paths of the project that lead there, by way of links. */
  readonly otherNames?: readonly string[] | undefined
  readonly before: PathState
  /** What is there may not be written by this user. */
  readonly isClosed?: true | undefined
  /** Where its files are kept meanwhile, when nothing can be moved between its place and `.relaycode/`. */
  readonly aside?: string | undefined
  /** What exactly will be there; `null` after a delete. Only what takes a patch back makes a link. */
  readonly after: PathState
  /** `none`: already so (same content, or a file to delete that is not there). */
  readonly effect: 'create' | 'modify' | 'delete' | 'none'
}

/** A patch that may run here. */
export interface Plan {
  readonly patch: Patch
  readonly changes: readonly Change[]
  /** Folders to make, outermost first, relative to the root. */
  readonly newFolders: readonly string[]
  /** Folders that go once they are empty, with their permission bits; only where something is taken back. */
  readonly oldFolders?: ReadonlyMap<string, number>
  /** The patch's flags that the disk did not clear, and those that only the disk could raise. */
  readonly flags: readonly Flag[]
}

export type Planned =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly problems: readonly [Problem, ...Problem[]] }

// ── Checks and the gate ────────────────────────────────────────────────────────────────────────

/** One error that a linter reported. */
export interface LintError {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** The linter's own name for it, `TS2322`; empty when it gives none. */
  readonly code: string
  readonly message: string
  /** Why a test failed. It may hold addresses and times, which differ from run to run: no part of what makes two the same. */
  readonly why?: string
}

/** A part of the linter's command that failed, as the program that ran it said: `lint` of `make: *** [Makefile:3: lint] Error 2`. */
export interface FailedStep {
  readonly name: string
  readonly code: number
}

/** One run of the linter. */
export type Check =
  /** No linter is configured. */
  | { readonly kind: 'unchecked' }
  | {
      readonly kind: 'counted'
      readonly errors: number
      /** Each error, when the linter's lines were understood; else only the count is known. */
      readonly list: readonly LintError[] | undefined
      /** The exit code; 0 as well where warnings, or errors in relay's own folder alone, explain another one. */
      readonly code: number
      /** Which parts of it failed, when several ran to their end; none where `code` is 0. */
      readonly failed: readonly FailedStep[]
      readonly output: string
    }
  /** It could not run, or its result could not be counted. */
  | { readonly kind: 'uncounted'; readonly why: string; readonly output: string }

/** How two checks differ. */
export interface Comparison {
  readonly new: number
  readonly fixed: number
  readonly same: number
  /** The new errors themselves, when they are known. */
  readonly newErrors: readonly LintError[]
}

export interface Checks {
  readonly before: Check
  readonly after: Check
  /** Absent when one of the two could not be counted. */
  readonly comparison: Comparison | undefined
}

/** Why a person has to be asked. */
export type Reason =
  | { readonly kind: 'approval-no' }
  | { readonly kind: 'new-errors'; readonly count: number; readonly limit: number }
  | { readonly kind: 'uncounted'; readonly check: 'before' | 'after'; readonly why: string }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'post-command'; readonly why: string }
  | { readonly kind: 'reused-uuid'; readonly number: number; readonly state: Ended }
  /** Only the sound files of a damaged response are in it. */
  | { readonly kind: 'partial'; readonly problems: number }
  /** The response had no control block; the user took it all the same. */
  | { readonly kind: 'no-control' }
  /** Files that were written, and are gone since: a command has removed them, or who knows who. */
  | { readonly kind: 'missing'; readonly paths: readonly string[] }
  /** Files that somebody changed by hand after the last check. */
  | { readonly kind: 'unchecked-edits'; readonly paths: readonly string[] }

export type Verdict =
  | { readonly kind: 'approve' }
  | { readonly kind: 'ask'; readonly reasons: readonly [Reason, ...Reason[]] }

// ── The journal ────────────────────────────────────────────────────────────────────────────────

/**
 * How a transaction ended, as the history remembers it. One that is `committed` the screen calls kept, and its entry is an
 * applied one; what was `rolled-back` and what was `declined` both count as the last declined response.
 */
export type Ended = 'committed' | 'declined' | 'rolled-back' | 'undone'

/** One line of the history: without content, but for the name of what no entry tells of. */
export interface HistoryLine {
  readonly number: number
  readonly uuid: string
  /** The model's uuid, when relay gave the entry one of its own. */
  readonly modelUuid?: string | undefined
  readonly at: string
  readonly outcome: Ended
  /** SHA-256 of the operations, hex. */
  readonly operations: string
  /** Of one of which nothing was kept: no entry has its name for people. */
  readonly title?: string | undefined
  /** Of a transaction that takes another one back: which kind it is, and that one's uuid. */
  readonly source?: BackSource | undefined
  readonly undoes?: string | undefined
}

/** `undo` takes back the newest, `redo` takes back an undo, `revert` takes back any one and keeps what came later. */
export type BackSource = 'undo' | 'redo' | 'revert'

/** An operation as an entry holds it, with the exact bytes that go to disk: line ends and byte order mark applied. */
export type EntryOperation = EntryWrite | DeleteOperation | LinkOperation

/** What takes something back also restores permission bits, and bytes that are no text. */
export interface EntryWrite extends WriteOperation {
  readonly mode?: number
  /** The exact bytes where `content` cannot hold them. */
  readonly bytes?: Uint8Array
}

/** Makes a symbolic link again that was deleted; no response can ask for one. */
export interface LinkOperation {
  readonly op: 'link'
  readonly path: string
  readonly to: string
}

/** A transaction on disk: everything that going forward or back needs. */
export interface Entry {
  readonly version: 1
  readonly number: number
  readonly uuid: string
  readonly modelUuid?: string | undefined
  readonly projectId: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly source: SourceName | BackSource
  /** The entry that this one takes back. */
  readonly undoes?: { readonly number: number; readonly uuid: string } | undefined
  readonly changeSummary: readonly unknown[]
  readonly promptSummary?: string | undefined
  readonly gitCommitMsg?: string | undefined
  readonly reasoning: readonly string[]
  readonly flags: readonly Flag[]
  readonly operations: readonly EntryOperation[]
  /** SHA-256 of all that the response asked for, where the user kept only some of its files. */
  readonly asked?: string
  /** Each affected path as it was. */
  readonly snapshot: ReadonlyMap<string, SnapshotState>
  readonly createdFolders: readonly string[]
  /** Folders, with their permission bits, that go once they are empty: what is taken back had made them. */
  readonly removedFolders?: ReadonlyMap<string, number> | undefined
  /** Left open on purpose: a recovery asks before it rolls this back. */
  readonly held?: true
  /** From here on added at the end of the transaction. */
  readonly checks?: { readonly before: CheckRecord; readonly after: CheckRecord }
  readonly written?: ReadonlyMap<string, WrittenState>
  readonly outcome?: {
    readonly kind: 'committed'
    readonly by: 'auto' | 'user'
    readonly at: string
    /** The paths that the user changed by hand before it was kept: what `written` tells of them is not all the patch's. */
    readonly edited?: readonly string[]
  }
}

/**
 * A path's state in an entry. `target` is the place it really led to where that is another one, `aside` the folder in
 * which its files were kept meanwhile where that was not the stage; both relative to the root.
 */
export type SnapshotState = ((FileState & { readonly sha256: string }) | LinkState | { readonly kind: 'absent' }) & {
  readonly target?: string
  readonly aside?: string
}

/** What a file was once the commands had run; `bytes` and `mode` where the operation tells something else. */
export interface WrittenState {
  readonly sha256: string
  readonly bytes?: Uint8Array
  readonly mode?: number
}

/** What an entry keeps of a check. */
export interface CheckRecord {
  readonly errors: number | null
  readonly new?: number
  readonly fixed?: number
  readonly uncounted?: string
}

// ── Taking back ────────────────────────────────────────────────────────────────────────────────

/** A transaction by the name that people know it by. */
export interface Named {
  readonly number: number
  readonly title: string
}

/** What changed since is also what has to be taken back: only a person can tell what is meant. */
export interface Overlap {
  readonly path: string
  readonly why: OverlapWhy
  /** The places themselves, for a text. */
  readonly places: readonly OverlapPlace[]
  /** What puts both texts into the file, between conflict markers. */
  readonly markers: Change | undefined
  /** What puts the old file into the place of the present one. */
  readonly old: Change
}

export type OverlapWhy =
  | 'text'
  /** No text, so nothing can be merged. */
  | 'binary'
  /** The file is gone. */
  | 'deleted-since'
  /** The file would go, but is not as it was left. */
  | 'edited-since'
  /** The file was deleted, and another one is there now. */
  | 'there-again'

/** Lines that two sides changed, without their ends. */
export interface OverlapPlace {
  /** 1-based line in the present file. */
  readonly line: number
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}

/** What somebody decides about an overlap; with `old` the present file is put aside first. */
export type Way = 'markers' | 'skip' | 'old'

/** What taking a transaction back will do, before it is done. */
export interface BackView {
  readonly kind: BackSource
  readonly of: Named
  /** When that one was kept; ISO 8601. */
  readonly at: string
  readonly changes: readonly Change[]
  /** Of the changes: those that keep what changed since. */
  readonly merged: readonly string[]
  /** Those that hold both texts between markers. */
  readonly marked: readonly string[]
  /** Those whose present file is put aside before the old one replaces it. */
  readonly replaced: readonly string[]
  /** Files that stay as they are. */
  readonly skipped: readonly string[]
  /** Files that are as before already. */
  readonly done: readonly string[]
}

/** What a response that was rolled back came to: what a prompt for the model to try again is made of. */
export interface Attempt {
  /** The transaction's. */
  readonly number: number
  readonly title: string
  readonly why: RollbackReason['kind']
  readonly operations: readonly Pick<EntryOperation, 'op' | 'path'>[]
  /** The paths of them that the user left out before, and the rest alone was checked; or did not let the patch change. */
  readonly leftOut?: readonly string[]
  /** It came to its end before anything was written. */
  readonly unwritten?: true
  /** The files that somebody changed while relay worked, where it ended for that. */
  readonly conflicts?: readonly string[]
  readonly flags: readonly Flag[]
  /** At most a few dozen of them, and none where only their number is known. */
  readonly newErrors: readonly ErrorInPlace[]
  readonly newErrorCount: number
  /** The command that failed, and how: `post command: exit 1`; the linter, too, where its errors could not be counted. */
  readonly failed?: string
  /** The end of what that command printed, or the linter where its lines were not understood. */
  readonly output: string
  /** How often in a row this work was tried, from 1. */
  readonly attempt: number
  /** One hash for the new errors of each of the last tries, the newest last; empty for none. */
  readonly errorSets: readonly string[]
}

export interface ErrorInPlace extends LintError {
  /** The lines around it, as the patch had them. */
  readonly around?: { readonly first: number; readonly lines: readonly string[] }
}

// ── What is said while it happens, and at the end ──────────────────────────────────────────────

/** The parts of a transaction that take time, by the names that the screen uses. */
export type Step = 'pre' | 'base' | 'write' | 'post' | 'lint'

/** What a transaction reports while it runs. */
export type Progress =
  /** Another relay works in this project; `owner` says who. */
  | { readonly kind: 'waiting'; readonly owner: string }
  /** The history is missing or damaged, and so many entries are read in its place; said where that takes a while. */
  | { readonly kind: 'history-lost'; readonly entries: number }
  | { readonly kind: 'recovered'; readonly recovery: Recovery }
  | {
      readonly kind: 'begun'
      readonly number: number
      readonly uuid: string
      readonly title: string
      readonly changes: readonly Change[]
      /** Of what came by itself; who types a command knows the time. */
      readonly at: Date | undefined
    }
  | { readonly kind: 'step-started'; readonly step: Step; readonly command: string }
  | {
      readonly kind: 'command-ended'
      readonly step: 'pre' | 'post'
      /** The command itself, for the screen. */
      readonly command: string
      readonly end: CommandEnd
      readonly ms: number
      readonly alsoChanged: readonly string[]
      /** Not every file was looked at: there may be more of them. */
      readonly alsoPart?: true
    }
  | {
      readonly kind: 'checked'
      readonly step: 'base' | 'lint'
      readonly check: Check
      /** The project stands as an earlier check left it, so that one's result was taken. */
      readonly known?: boolean
      readonly comparison: Comparison | undefined
      readonly ms: number
    }
  | { readonly kind: 'written'; readonly files: number; readonly ms: number }
  /** The user chose which files stay; `blocked`: could not be brought back, since they were changed meanwhile. */
  | {
      readonly kind: 'chosen'
      readonly files: number
      readonly of: number
      readonly rescued: readonly Rescue[]
      readonly blocked: readonly string[]
    }
  /** What the user changed by hand in the patch's files since the last check; or, with a linter that mends files, who knows who. */
  | { readonly kind: 'edited'; readonly paths: readonly string[]; readonly whileChecked?: 'by-user' | 'by-whomever' }
  /** A transaction that was left open has ended now. */
  | { readonly kind: 'resumed'; readonly outcome: Outcome }

/** How a command of the project's ended. */
export interface CommandEnd {
  readonly ok: boolean
  /** `exit 1`, `signal SIGKILL`, `no end within 600 s`, `not found`. */
  readonly why: string
  /** What it printed, both streams in order, cut to a bound. */
  readonly output: string
}

/** What a person is asked. */
export type Question =
  /** Before anything runs: the files could make commands run or open doors. */
  | {
      readonly kind: 'sensitive'
      readonly number: number
      readonly changes: readonly Change[]
      readonly flags: readonly Flag[]
      readonly reasoning: readonly string[]
    }
  /** After the checks: the files are already changed. */
  | {
      readonly kind: 'gate'
      readonly number: number
      readonly title: string
      /** The project's, for who opens its files. */
      readonly root: string
      /** None: what spoke against it is gone, and whoever began to decide has the last word. */
      readonly reasons: readonly Reason[]
      /** What stays on a yes, as it stands on the disk now. */
      readonly changes: readonly Change[]
      /** What the user left out: as before on the disk, and still to be had. */
      readonly leftOut: readonly Change[]
      readonly checks: Checks
      readonly reasoning: readonly string[]
      /** There is a response that the model could be asked to better. */
      readonly canFollowUp: boolean
      /** It had been left open with `q`. */
      readonly held: boolean
    }
  /** In a recovery: yes restores and puts the user's file aside, no keeps the user's and puts the original aside. */
  | { readonly kind: 'edited'; readonly number: number; readonly paths: readonly string[] }
  /** In a recovery of what was not begun here: yes changes the files as shown, no leaves them and puts the entry aside. */
  | {
      readonly kind: 'foreign'
      readonly number: number
      readonly title: string
      readonly startedAt: string
      readonly changes: readonly Change[]
      readonly flags: readonly Flag[]
    }
  /** A patch was on the clipboard before watching began: nobody copied it for relay. */
  | { readonly kind: 'offered'; readonly title: string; readonly changes: readonly Change[] }

/** `unasked`: nobody could be asked; `closed`: the input ended at the question. Neither is ever a yes. The rest is only said at the gate. */
export type Answer =
  | 'yes'
  | 'no'
  | 'unasked'
  | 'closed'
  /** No, and a prompt for the model to try again. */
  | 'follow-up'
  /** Run the commands again: something was put right by hand. */
  | 'again'
  /** The files were open in an editor: check again if anything was changed. */
  | 'edited'
  /** Leave it open, and stop. */
  | 'hold'
  /** Only these files stay. */
  | { readonly choose: readonly string[] }

/** What happened to the files when a transaction was taken back. */
export interface Restoration {
  /** Paths that are as before. */
  readonly restored: readonly string[]
  /** The user's own versions that were put aside before restoring: path and where it is now, both relative to the root. */
  readonly rescued: readonly Rescue[]
  /** Paths where the user's version stayed and the original was put aside. */
  readonly kept: readonly Rescue[]
}

export interface Rescue {
  readonly path: string
  readonly rescue: string
}

/** What recovery found and did about one unfinished transaction. */
export interface Recovery {
  readonly uuid: string
  readonly number: number | undefined
  readonly startedAt: string | undefined
  readonly title: string
  /**
   * `rolled-back` now, `would-roll-back` in a dry run, `unbegun` when it had not come to change a file, `finished` when
   * only the clearing up was left; `held`, `foreign` (not begun here) and `unreadable` are left alone; `set-aside`: it was
   * foreign, and its entry went to the rescue folder.
   */
  readonly action:
    | 'rolled-back'
    | 'would-roll-back'
    | 'unbegun'
    | 'finished'
    | 'held'
    | 'foreign'
    | 'set-aside'
    | 'unreadable'
  readonly restoration: Restoration
  /** A command that had outlived relay was ended. */
  readonly endedCommand: boolean
  /** What is left of one that cannot be read, or was set aside, relative to the root. */
  readonly left?: readonly string[]
  /** It was not begun here: its files are now what the entry says, and not what relay knows to have been there. */
  readonly isForeign?: boolean
  /** It cannot be read because a newer relay has written it. */
  readonly isLater?: boolean
}

export type RollbackReason =
  /** `followUp`: the user wants a prompt for the model to try again. */
  | { readonly kind: 'declined'; readonly followUp?: true }
  /** A question that could not be asked; `closed`: it was, and the input ended (Ctrl+D) instead of an answer. */
  | { readonly kind: 'unasked'; readonly reasons: readonly Reason[]; readonly closed?: true }
  | { readonly kind: 'command'; readonly step: 'pre' | 'post'; readonly end: CommandEnd }
  /** Files that were edited while relay worked. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'interrupted'; readonly signal: SignalName }
  | { readonly kind: 'failed'; readonly error: Error }

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** How a response ended. */
export type Outcome =
  /** `sound`: of an answer that was cut off and cannot be taken as it is, the files that could be taken alone. */
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy; readonly sound?: readonly string[] }
  /** `sound`: the files that could be taken alone. */
  | {
      readonly kind: 'refused'
      readonly problems: readonly [Problem, ...Problem[]]
      readonly sound?: readonly string[]
    }
  /** Its uuid has already had its turn, with these same operations. */
  | { readonly kind: 'skipped'; readonly number: number; readonly state: Ended; readonly at: string }
  /** Everything it asks for is already so. */
  | { readonly kind: 'unchanged'; readonly paths: readonly string[] }
  | {
      readonly kind: 'committed'
      readonly number: number
      readonly uuid: string
      readonly by: 'auto' | 'user'
      readonly files: number
      readonly checked: boolean
      /** How many new errors it brought, where they were counted: an allowed one is still one. */
      readonly newErrors?: number
      /** How many errors there are now, where it was not counted how many of them are new. */
      readonly errors?: number
      /** Files that the user left out and that are something else by now, each with the place of its original. */
      readonly replaced?: readonly Rescue[]
      /** Versions that somebody saved while the patch replaced the files: they were put aside. */
      readonly late?: readonly Rescue[]
      readonly ms: number
    }
  | {
      readonly kind: 'rolled-back'
      readonly number: number
      readonly reason: RollbackReason
      readonly restoration: Restoration
      readonly ms: number
    }
  /** Left open with `q`: its files are changed, and neither kept nor taken back. */
  | { readonly kind: 'held'; readonly number: number; readonly uuid: string; readonly ms: number }
