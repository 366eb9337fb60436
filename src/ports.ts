import type { CommandResult } from './model/check.ts'
/**
 * The doors to the world: small, in our own words, without a library's types.
 *
 * Only `system/` holds what stands behind them; tests put fakes there. One contract test holds both to what is
 * promised here.
 */
import type { Answer, Progress, Question } from './model/talk.ts'

/**
 * The file system. Paths are absolute; every failure but the ones named is a `RelayError` that names file and cause.
 *
 * Looking follows links in the folders of a path; inspecting and changing never do: where a folder on the way is a link, also one
 * that appeared a moment ago, these calls fail with a `conflict` and have changed nothing there.
 */
export interface Files {
  /**
   * Reads a whole file, or answers `null` when nothing is there. What has no size (`<(command)`, `/dev/zero`) is read to
   * its end; of one with more than `most` bytes, more than these and no end.
   */
  read(path: string, most?: number): Promise<Uint8Array | null>
  /** What is at a path, links not followed; `null` only when nothing is there. */
  stat(path: string): Promise<Stat | null>
  /**
   * Whether what is at a path is as `isSo` tells, and not only for a moment: a folder that somebody moves away and back, or
   * exchanges for another one, is there again soon.
   */
  stays(path: string, isSo: (found: Stat | null) => boolean): Promise<boolean>
  /** `false` where the system would not let this user write into a file; a new one could still take its place. */
  mayWrite(path: string): Promise<boolean>
  readLink(path: string): Promise<string>
  /**
   * What is at a path, with its content or where it points; `null` only when nothing is there. Follows no link at all:
   * for whoever then decides what becomes of it. A file of more than any entry holds is `other`.
   */
  inspect(path: string): Promise<Inspected | null>
  /** The names in a folder, unsorted; `null` when there is no folder. */
  list(path: string): Promise<readonly string[] | null>
  /** The names in a folder that are symbolic links, and those that are folders; `null` when there is no folder. */
  listKinds(path: string): Promise<Listed | null>
  /**
   * Writes a new file, whole and synced, or answers `exists` and leaves what is there alone. After a failure nothing
   * is left behind. Without a mode it gets what the process's umask gives.
   */
  create(path: string, bytes: Uint8Array, options?: CreateOptions): Promise<'created' | 'exists'>
  /** Replaces a file in one step by way of `temporary`, on the same file system: a crash leaves the old bytes or the new. */
  replace(path: string, bytes: Uint8Array, temporary: string, options?: CreateOptions): Promise<void>
  /** Adds bytes at the end of a file, making it (0600) when it is not there, and syncs it. */
  append(path: string, bytes: Uint8Array, options?: Pick<CreateOptions, 'sync'>): Promise<void>
  /** Gives a file a second name, unless that name is taken. `unsupported`: not on this file system, or not for this file. */
  link(existing: string, path: string): Promise<'linked' | 'exists' | 'unsupported'>
  symlink(to: string, path: string): Promise<'linked' | 'exists'>
  /** Moves within one file system, replacing a file that is at `to`. `absent`: nothing was at `from`. */
  rename(from: string, to: string): Promise<'renamed' | 'absent'>
  /**
   * Whether files can be moved from one folder into another: they are on one file system, and in one mount of it.
   * `true` when one of them is not there.
   */
  canMove(folder: string, into: string): Promise<boolean>
  /** Says of a file that it was changed now. */
  touch(path: string): Promise<void>
  /** Removes a file or link; `false` when nothing was there. */
  remove(path: string): Promise<boolean>
  /** Makes one folder; `false` when something already has that name. */
  makeFolder(path: string, mode?: number): Promise<boolean>
  /** Takes a folder from everybody but its owner (0700), as far as the owner and the file system allow. */
  makePrivate(path: string): Promise<void>
  removeFolder(path: string): Promise<'removed' | 'absent' | 'not-empty' | 'no-folder'>
  /** Brings a file's content, or a folder's names, to the disk. */
  sync(path: string): Promise<void>
  /** Where a path really is, links followed; `null` when it leads nowhere. */
  realPath(path: string): Promise<string | null>
}

export interface Listed {
  readonly links: readonly string[]
  readonly folders: readonly string[]
}

export interface CreateOptions {
  /** Permission bits, set whatever the umask. */
  readonly mode?: number | undefined
  /** Without permission bits: it can be run, by whom the umask lets. */
  readonly isProgram?: boolean
  /** The owner to give the file to, as far as the process may. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /**
   * `false` leaves the sync out. With `name` a new file's name is on the disk as well: its folder is synced at the same
   * time as the file.
   */
  readonly sync?: boolean | 'name'
  /** The path that a failure names, where the file's own says nothing to the user. */
  readonly standsFor?: string
  /** Many are created at a time, and something else is done meanwhile. */
  readonly isOneOfMany?: boolean
}

export interface Stat {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Permission bits. */
  readonly mode: number
  readonly size: number
  readonly device: number
  readonly inode: number | bigint
  readonly links: number
  readonly uid: number
  readonly gid: number
  /** Last change of content, and of anything about it; milliseconds since 1970. */
  readonly modifiedMs: number
  readonly changedMs: number
}

export type Inspected =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'folder' | 'other' }

/** Names one process for good: a process number alone is reused. */
export interface ProcessMark {
  readonly pid: number
  /** When it started, in whatever unit the system keeps. */
  readonly startedAt: string
  /** Which machine it runs on: a name for people, and a hash. */
  readonly machine: string
  /** Which boot of that machine. */
  readonly boot: string
  /** Whose process numbers these are: each container has its own, and sees no others. */
  readonly space: string
}

/** Runs the project's commands, and knows which processes still live. */
export interface Shell {
  /**
   * Runs a command line in a process group of its own. It does nothing before `onStart` has ended well, and never
   * runs if relay dies before that. When its time is over, or `signal` aborts, the whole group is ended: TERM, five
   * seconds, KILL. Never throws for what the command does.
   */
  run(command: string, options: RunOptions): Promise<CommandResult>
  /** This process. */
  self(): Promise<ProcessMark>
  /** `unseen`: it belongs to another machine or container, where it may well live. */
  lifeOf(mark: ProcessMark): Promise<'alive' | 'dead' | 'unseen'>
  /** Whether a living process started this one, directly or not; `false` where that cannot be seen. */
  hasStartedThis(mark: ProcessMark): Promise<boolean>
  /**
   * Ends whatever still runs in the group of a command that an earlier relay had started: TERM, five seconds, KILL.
   * `entry` (`NAME=value`) is of the environment that it was given. `false` when nothing ran, and unless it is certain
   * that the group is that one.
   */
  endLeftGroup(mark: ProcessMark, entry: string): Promise<boolean>
  /** Where a program is on the PATH, or on this one; `null`: nowhere. */
  find(program: string, path?: string): Promise<string | null>
}

export interface RunOptions {
  readonly cwd: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
  /** Added to the environment; `undefined` takes out of it. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A file for all that is printed, when it is more than the result holds; at most 100 MB. */
  readonly whole?: string
  onStart(group: ProcessMark): Promise<void>
}

/** Starts programs by their words, with no shell to read them. */
export interface Programs {
  /**
   * Starts a program in a process group of its own, through the same gate as a command line: it does nothing before
   * `onStart` has ended well. `argv` begins with the program, which is looked up on the PATH of `env`, but in no folder
   * that is not absolute; one that is not there ends with 127. When its time is over, or `signal` aborts, the whole group is ended: INT, three seconds, TERM, 15
   * seconds, KILL. However it ends, what it leaves behind in sessions of its own is ended too, as far as that still carries
   * the entry that relay added to its environment.
   * Throws where nothing can be started, and on Windows.
   */
  start(argv: readonly string[], options: StartOptions): Promise<Running>
  /** The same for what an earlier relay had started and did not end any more. `false`: its group was gone. */
  endLeft(group: ProcessMark, entry: string, folder?: string): Promise<boolean>
  /**
   * Starts this program once more, with other words, in a session of its own: it goes on when this one ends, and when the
   * terminal is closed. What it says goes to the end of a file of this user's. Throws where it cannot be started.
   */
  startApart(words: readonly string[], options: ApartOptions): Promise<void>
}

export interface ApartOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Where what it says is put. */
  readonly log: string
}

export interface StartOptions {
  readonly cwd: string
  /** The whole environment, but for one entry that relay adds. */
  readonly env: Readonly<Record<string, string>>
  /** Where the program is looked up, in place of the PATH of `env`. */
  readonly path?: string | undefined
  /**
   * Everything that was started since and works in it ends with the program, on Linux: also what has cleared its environment.
   * What the user had started before may look around there.
   */
  readonly folder?: string | undefined
  /** It has nothing to save: KILL alone ends it, and its group ends with relay, also where relay is killed. */
  readonly isBrief?: boolean
  /** What the program reads; its input is closed then. */
  readonly stdin: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
  /** `entry` (`NAME=value`): what is added to the environment, which no other program has. */
  onStart(group: ProcessMark, entry: string): Promise<void>
  /** Where it ends by itself, nothing of it is left: then none is looked for, which can take longer than the program. */
  readonly endsWhole?: true
  /** Gets each line as it comes, without its LF. */
  onLine(line: string, from: 'out' | 'err'): void
}

export interface Running {
  readonly group: ProcessMark
  /** How it ended; every line has been told by then. */
  readonly ended: Promise<CommandResult['end']>
}

/** Servers that are asked over HTTP. */
export interface Web {
  /**
   * Sends a request and gives the answer, whatever its status. Throws `environment` where none came in time; that names the
   * host and no header.
   */
  request(request: WebRequest): Promise<WebAnswer>
}

export interface WebRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
}

export interface WebAnswer {
  readonly status: number
  readonly text: string
}

/** The desktop's clipboard. */
export interface Clipboard extends TextClipboard {
  /** The way that leads to it, chosen when it is first asked for; with the wish `poll` one that is only looked at. */
  backEnd(wish: 'auto' | 'poll'): Promise<ClipboardBackEnd>
}

interface TextClipboard extends ReadableText {
  write(text: string): Promise<void>
}

export interface ReadableText {
  /**
   * The text on it, `null` when it holds none. Throws within the time limit of two seconds; when `signal` aborts, nobody
   * wants it any more.
   */
  read(signal?: AbortSignal): Promise<string | null>
}

/** One way to the clipboard. */
export interface ClipboardBackEnd extends TextClipboard {
  /** Whether it tells of each copy, has to be looked at, or is not there (`read` and `write` throw what to do). */
  readonly kind: 'events' | 'looks' | 'none'
  /** For people: `x11 events on :0`, `xclip`. */
  readonly name: string
  /** Why it is this one, in words. */
  readonly why: string
  /** Whether the desktop is there at this moment, where that is known without a look at the clipboard. */
  isThere?(): Promise<boolean>
  /** What may go unseen on this way, and what to do about it. */
  readonly caution?: string
  /** What is copied on this way does not stay when relay ends: why, and what to do about it. */
  readonly fleeting?: { readonly why: string; readonly hint: string }
  /**
   * Yields once when it has begun to listen, and then whenever something may have been copied: what it yields reads
   * that copy, also when another has taken its place, as far as it can still be had. Ends when `signal` aborts, or by
   * itself when it turns out that nothing will be told here; throws when the desktop is gone.
   */
  listen?(signal: AbortSignal): AsyncIterable<ReadableText>
}

/** What the user is told when relay waits: never more than where. */
export interface Notice {
  readonly project: string
  /** The transaction's, where there is one. */
  readonly number: number | undefined
  /** `auto`, `osc`, `bell`, `off`, or a command of the user's. */
  readonly way: string
}

/** Where a person reads and types. stdout is the answer, stderr is the talk. */
export interface Terminal {
  /** Width of stderr; 80 when it is no terminal. */
  readonly columns: number
  /** Height of the terminal; 24 when it is not known. */
  readonly rows: number
  /** stderr is a terminal that shows one live line. */
  readonly live: boolean
  /** Whether stdout, and stderr, may carry colour. */
  readonly colour: { readonly out: boolean; readonly err: boolean }
  /** `false`: signs are ASCII. */
  readonly unicode: boolean
  /** Whether stderr shows links to files; `lines`: also to a line in them. */
  readonly links: 'none' | 'files' | 'lines'
  /** stderr is a terminal to which `copy` may send texts. */
  readonly takesCopies: boolean
  /** Whether `ask` can reach a person. */
  readonly canAsk: boolean
  /** Why `ask` reaches nobody although a person sits at the terminal; `undefined` where it does, or there is none. */
  readonly whyUnasked: string | undefined
  /** stdout is a terminal: a person reads the answer, and a long one may go through the pager. */
  readonly isRead: boolean
  /** stdin is a pipe or file: it holds data. */
  readonly piped: boolean
  /** Prints lines; like `err`, it ends them with a newline when they have none. */
  out(text: string): void
  /** Prints lines above the live line and above an open question. */
  err(text: string): void
  /** Shows one live line with a spinner, in place of the last; `undefined` removes it. Nothing without a live terminal. */
  status(text: string | undefined): void
  /**
   * Asks for one typed line, or one key. What was typed before the question had been on the screen for half a second
   * does not count, nor does what is pasted. `undefined`: nobody can answer (no terminal, end of input, interruption),
   * or `withdraw` aborted, which takes the question off the screen.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>
  /**
   * Tells of each text that is pasted into the window, also while a question is open, and of keys that come alone while
   * none is; answers how to end that. Ctrl+C and Ctrl+Z do what they always do. `undefined`: nobody can type here.
   */
  listen(to: KeyboardListener): (() => void) | undefined
  /**
   * Hands a text to the terminal for the clipboard of the machine where the user sits; `false` when there is none to
   * hand it to. Whether the terminal took it cannot be known.
   */
  copy(text: string): Promise<boolean>
  /**
   * Tells the user, who may be elsewhere, that relay waits for an answer. What it gives ends the notice. Nothing
   * without a terminal.
   */
  notice(notice: Notice): () => void
  /**
   * Shows a long text in the user's pager and comes back; without one it is printed. `patch` makes what `git diff` would
   * print: where the user's pager is made for that, it is shown instead.
   */
  page(text: string, patch?: () => string): Promise<void>
  /**
   * Opens files, by their absolute paths, in the user's editor and comes back when that has ended; answers the command
   * that was tried. `absent`: there is no such program, or no terminal for it.
   */
  edit(paths: readonly string[]): Promise<{ readonly end: 'edited' | 'absent'; readonly editor: string }>
  /**
   * Leaves the terminal to a program, by its words, and comes back when that has ended. Ctrl+C is the program's meanwhile; an
   * interruption ends it. What it leaves behind ends with it, as with `Programs`. `absent`: it could not be started, or there
   * is no terminal.
   */
  lend(argv: readonly string[], options: LendOptions): Promise<'ended' | 'absent'>
  /** The editor that `edit` falls back on; `undefined` where a variable names one. */
  readonly fallbackEditor: string | undefined
  /** All of stdin; of one with more than `most` bytes, more than these and no end. */
  readStdin(most?: number): Promise<Uint8Array>
  /** What relay would use here, where `notify` is what the configuration says about notices. */
  tools(notify: string): Promise<TerminalTools>
}

export type LendOptions = Pick<StartOptions, 'cwd' | 'env' | 'folder'>

export interface TerminalTools {
  /** stderr is a terminal. */
  readonly isTerminal: boolean
  /** The command of the pager for a diff; `undefined`: it is printed. */
  readonly pager: string | undefined
  readonly editor: string
  /** There is such a program, as far as can be told. */
  readonly hasEditor: boolean
  /** How `notice` tells the user; `none` where there is no terminal to tell. */
  readonly notices: 'none' | 'off' | 'bell' | 'terminal' | 'command'
}

/** Who wants to know what is done at the keyboard while no question waits for it. */
export interface KeyboardListener {
  /** With its lines joined by LF. */
  pasted(text: string): void
  /** A text came that the terminal did not mark as pasted, at least a part of one: it was dropped. */
  unmarked(): void
  /** One sign. What belongs to a paste, or was typed before the screen could be read, is none. */
  pressed(key: string): void
}

export interface AskOptions {
  readonly withdraw?: AbortSignal | undefined
  /** The first key is the answer, without Enter; keys that stand for no sign do not count. */
  readonly singleKey?: boolean
}

export interface Clock {
  now(): Date
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
  /** Ends early, without an error, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Where the time goes, for who asks (`--trace`). */
export interface Trace {
  /** Does a piece of work; its name and time are told when it has ended. Spans may lie in each other. */
  span<T>(name: string, work: () => T | Promise<T>): Promise<T>
}

/** All doors together. */
export interface System {
  readonly version: string
  /** What runs relay, and where. */
  readonly runtime: { readonly name: 'Node' | 'bun'; readonly version: string; readonly platform: string }
  readonly cwd: string
  readonly home: string | undefined
  /** What relay was started with. */
  readonly env: Readonly<Record<string, string>>
  /** Where relay keeps what is this user's and no project's; `undefined` when there is no home. */
  readonly stateFolder: string | undefined
  /** The number of the user who runs relay; `undefined` where the system knows none. */
  readonly uid: number | undefined
  readonly files: Files
  readonly shell: Shell
  readonly programs: Programs
  readonly web: Web
  readonly clipboard: Clipboard
  readonly terminal: Terminal
  readonly clock: Clock
  readonly trace: Trace
  /** Aborts on Ctrl+C, TERM and HUP, with the signal's name as its reason. */
  readonly interruption: AbortSignal
  randomUuid(): string
}

/** Whom a transaction talks to: it reports what happens, and asks what only a person may decide. */
export interface Talk {
  /** Whether a person is there who sees what is reported and can answer. */
  readonly present: boolean
  report(progress: Progress): void
  ask(question: Question): Promise<Answer>
}
