/**
 * The ports: the small interfaces through which relay reaches the world, in relay's own words and without a library's types.
 *
 * The real implementations are in `system/`; tests pass fakes. One contract test holds both to the promises made here.
 */
import type { CommandResult } from './model/check.ts'
import type { Answer, Progress, Question } from './model/talk.ts'

/**
 * The file system. Paths are absolute. Every failure that a method does not name is a `RelayError`
 * with the path and the cause.
 *
 * Reading calls follow links in the folders of a path. Inspecting and changing calls never do: if a folder on the way is a
 * link, even one that appeared a moment ago, they fail with a `conflict` and change nothing.
 */
export interface Files {
  /**
   * Reads a whole file; `null` when nothing is there. Throws for a folder, a FIFO or a device. `/dev/…` alone (`<(command)`,
   * `/dev/stdin`) is read to its end, or until it has given more than `most` bytes.
   */
  read(path: string, most?: number): Promise<Uint8Array | null>
  /** Does not follow links; `null` only when nothing is there. */
  stat(path: string): Promise<Stat | null>
  /**
   * Whether `isSo` holds for what is at a path, and keeps holding for a short while: someone may move a folder away and back,
   * or swap it for another one.
   */
  stays(path: string, isSo: (found: Stat | null) => boolean): Promise<boolean>
  /** `false` when the system would not let this user write into the file; a new file may still be able to replace it. */
  mayWrite(path: string): Promise<boolean>
  readLink(path: string): Promise<string>
  /**
   * What is at a path: a file's content, or where a link points; `null` only when nothing is there. Follows no link at all, so
   * that the caller can decide what to do with it. A file too large for an entry is `other`.
   */
  inspect(path: string): Promise<Inspected | null>
  /** The names in a folder, unsorted; `null` when the folder does not exist. */
  list(path: string): Promise<readonly string[] | null>
  /** The names of the symbolic links and of the folders in a folder; `null` when the folder does not exist. */
  listKinds(path: string): Promise<Listed | null>
  /**
   * Writes a new file, whole and synced. Answers `exists`, and leaves the existing file alone, when the name is taken. Leaves
   * nothing behind after a failure. Without a mode, the process's umask decides.
   */
  create(path: string, bytes: Uint8Array, options?: CreateOptions): Promise<'created' | 'exists'>
  /** Replaces a file in one step. `temporary` must be on the same file system. A crash leaves the old bytes or the new. */
  replace(path: string, bytes: Uint8Array, temporary: string, options?: CreateOptions): Promise<void>
  /** Adds bytes at the end of a file and syncs it; creates the file (0600) when it is missing. */
  append(path: string, bytes: Uint8Array, options?: Pick<CreateOptions, 'sync'>): Promise<void>
  /** Makes a hard link, unless the name is taken. `unsupported`: this file system, or this kind of file, has no hard links. */
  link(existing: string, path: string): Promise<'linked' | 'exists' | 'unsupported'>
  symlink(to: string, path: string): Promise<'linked' | 'exists'>
  /** Moves within one file system and replaces a file at `to`. `absent`: nothing was at `from`. */
  rename(from: string, to: string): Promise<'renamed' | 'absent'>
  /**
   * Whether files can be moved from one folder into the other: both are on one file system and in one mount of it. `true` when
   * one of them does not exist.
   */
  canMove(folder: string, into: string): Promise<boolean>
  /** Sets a file's modification time to a time in milliseconds since 1970, by default now. */
  touch(path: string, ms?: number): Promise<void>
  /** Removes a file or link; `false` when nothing was there. */
  remove(path: string): Promise<boolean>
  /** Makes one folder; `false` when something already has that name. */
  makeFolder(path: string, mode?: number): Promise<boolean>
  /** Gives a folder to its owner alone (0700), as far as the owner and the file system allow. */
  makePrivate(path: string): Promise<void>
  removeFolder(path: string): Promise<'removed' | 'absent' | 'not-empty' | 'no-folder'>
  /** Syncs a file's content, or a folder's names, to the disk. */
  sync(path: string): Promise<void>
  /** The path with all links resolved; `null` when it leads nowhere. */
  realPath(path: string): Promise<string | null>
}

export interface Listed {
  readonly links: readonly string[]
  readonly folders: readonly string[]
}

export interface CreateOptions {
  /** Permission bits, set regardless of the umask. */
  readonly mode?: number | undefined
  /** Used when `mode` is missing: makes the file executable for everyone whom the umask allows. */
  readonly isProgram?: boolean
  /** The owner to give the file to, as far as the process is allowed to. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** `false`: no sync. `name`: also syncs the folder, at the same time as the file, so that the new name survives a crash. */
  readonly sync?: boolean | 'name'
  /** The path to name in an error, when the file's own path would mean nothing to the user. */
  readonly standsFor?: string
  /** The caller creates many files at a time, and does other work meanwhile. */
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
  /** Last change of the content, and of the content or the metadata; milliseconds since 1970. */
  readonly modifiedMs: number
  readonly changedMs: number
}

export type Inspected =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'folder' | 'other' }

/** Identifies one process for good: a process number alone is reused. */
export interface ProcessMark {
  readonly pid: number
  /** When it started, in the system's own unit. */
  readonly startedAt: string
  /** The machine: a name for people, and a hash. */
  readonly machine: string
  /** The boot of that machine. */
  readonly boot: string
  /** The namespace of the process number: each container has its own and sees no others. */
  readonly space: string
}

/** Runs the project's commands, and tells which processes are still alive. */
export interface Shell {
  /**
   * Runs a command line in its own process group. The command does nothing before `onStart` has succeeded, and never runs if
   * relay dies before that. When the time limit is over, or `signal` aborts, the whole group is ended: TERM, five seconds,
   * KILL. Never throws because of what the command does.
   */
  run(command: string, options: RunOptions): Promise<CommandResult>
  /** This process. */
  self(): Promise<ProcessMark>
  /** `unseen`: the process belongs to another machine or container, and may be alive there. */
  lifeOf(mark: ProcessMark): Promise<'alive' | 'dead' | 'unseen'>
  /** Whether the marked process is alive and an ancestor of relay; `false` where the system does not tell. */
  hasStartedThis(mark: ProcessMark): Promise<boolean>
  /**
   * Ends what is still running in the group of a command that an earlier relay process started: TERM, five seconds,
   * KILL. `entry` (`NAME=value`) is in the environment of that command. `false`: nothing was running, or it is not
   * certain that this is the same group.
   */
  endLeftGroup(mark: ProcessMark, entry: string): Promise<boolean>
  /** Finds a program on the PATH, or on `path`; `null` when there is none. */
  find(program: string, path?: string): Promise<string | null>
}

export interface RunOptions {
  readonly cwd: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
  /** Added to the environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A file for the whole output, at most 100 MB, written when the output is longer than the result can hold. */
  readonly whole?: string
  onStart(group: ProcessMark): Promise<void>
}

/** Starts programs from an argument list, without a shell. */
export interface Programs {
  /**
   * Runs a program in its own process group to its end, and gives how it ended, after the last call of `onLine`. `argv` begins
   * with the program. It is looked up on the PATH of `env`, in absolute folders only; a program that is not found ends with 127.
   *
   * The program starts at once, and goes on when relay is killed. So it is one of the system's, such as git, that leaves no
   * processes behind when it ends by itself. It is ended like one of `start`.
   *
   * Throws when nothing can be started, and on Windows.
   */
  run(argv: readonly string[], options: ProgramOptions): Promise<CommandResult['end']>
  /**
   * Starts a program like `run`, except that, like a command line, it does nothing before `onStart` has succeeded.
   *
   * When the time limit is over, or `signal` aborts, the whole group is ended: INT, three seconds, TERM, 15 seconds, KILL.
   * However the program ends, processes that it left in other sessions are ended too, as long as their environment still has
   * the entry that relay added.
   *
   * Throws when nothing can be started, and on Windows.
   */
  start(argv: readonly string[], options: StartOptions): Promise<Running>
  /** Ends a program that an earlier relay process started and could not end. `false`: nothing of it ran any more. */
  endLeft(group: ProcessMark, entry: string, folder?: string): Promise<boolean>
  /**
   * Ends what earlier relay processes ran of this program in a folder: by its working directory, or by a path in its environment
   * or arguments. `false`: the system does not tell, and something may still run.
   */
  endLeftIn(folder: string, program: string): Promise<boolean>
  /**
   * Starts relay again with other arguments, in its own session: the new process goes on when this one ends or the terminal is
   * closed. Its output is appended to a log file of the user. Throws when it cannot be started.
   */
  startApart(words: readonly string[], options: ApartOptions): Promise<void>
}

export interface ApartOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The file for its output. */
  readonly log: string
}

export interface ProgramOptions {
  readonly cwd: string
  /** The whole environment, except for one entry that relay adds, and PWD. */
  readonly env: Readonly<Record<string, string>>
  /** Where to look up the program, instead of the PATH of `env`. */
  readonly path?: string | undefined
  /** The program's input, which is closed after it. */
  readonly stdin: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
  /** Called with each line as it comes, without its LF. */
  onLine(line: string, from: 'out' | 'err'): void
}

export interface StartOptions extends ProgramOptions {
  /**
   * Linux only: when the program ends, every process that was started since and works in this folder is ended too, even one
   * that cleared its environment. Processes that the user had started before are left alone.
   */
  readonly folder?: string | undefined
  /** The program has nothing to save: it is ended with KILL at once, and its group also ends when relay is killed. */
  readonly isBrief?: boolean
  /** `entry` (`NAME=value`) is added to the environment; no other program has it. */
  onStart(group: ProcessMark, entry: string): Promise<void>
}

export interface Running {
  readonly group: ProcessMark
  /** How it ended; resolves after the last call of `onLine`. */
  readonly ended: Promise<CommandResult['end']>
}

/** HTTP requests. */
export interface Web {
  /**
   * Sends a request and returns the answer, whatever its status. Throws `environment` when no answer came in time; the error
   * names the host but no header.
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
  /** The back end, chosen at the first call; with `poll`, one that never reports copies and has to be read again and again. */
  backEnd(wish: 'auto' | 'poll'): Promise<ClipboardBackEnd>
}

interface TextClipboard extends ReadableText {
  write(text: string): Promise<void>
}

export interface ReadableText {
  /**
   * The text on it; `null` when it holds none. Throws within two seconds when it cannot be read; `signal` aborts when nobody
   * needs the text any more.
   */
  read(signal?: AbortSignal): Promise<string | null>
}

/** One way to reach the clipboard. */
export interface ClipboardBackEnd extends TextClipboard {
  /**
   * `events`: reports each copy. `looks`: has to be read again and again. `none`: there is no clipboard; `read` and `write`
   * throw an error that says what to do.
   */
  readonly kind: 'events' | 'looks' | 'none'
  /** For people: `x11 events on :0`, `xclip`. */
  readonly name: string
  /** Why this back end was chosen, in words. */
  readonly why: string
  /** Whether the desktop is running, where that can be known without reading the clipboard. */
  isThere?(): Promise<boolean>
  /** Which copies this back end may miss, and what to do about it. */
  readonly caution?: string
  /** A text that relay copies is lost when relay ends: why, and what to do about it. */
  readonly fleeting?: { readonly why: string; readonly hint: string }
  /**
   * Yields once when listening has begun, and then whenever something may have been copied. The yielded value reads that copy,
   * as far as it still can when another copy has replaced it. Ends when `signal` aborts, or by itself when it finds that
   * nothing will be reported here. Throws when the desktop is gone.
   */
  listen?(signal: AbortSignal): AsyncIterable<ReadableText>
}

/** Tells the user that relay is waiting, or that a run of agents has ended. The screen says where, and never more. */
export interface Notice {
  readonly project: string
  /** The transaction's number, if there is a transaction. */
  readonly number: number | undefined
  /** `auto`, `osc`, `bell`, `off`, or the user's own command. */
  readonly way: string
  /** How the run ended; absent while relay waits for an answer. */
  readonly ended?: EndNotice
}

export interface EndNotice {
  /** Everything that the user wanted is done. */
  readonly isDone: boolean
  /** All about it, for the user's own command. */
  readonly json: string
}

/** The user's terminal. stdout is the answer, stderr is the talk. */
export interface Terminal {
  /** Width of stderr; 80 when it is no terminal. */
  readonly columns: number
  /** Height of the terminal; 24 when it is unknown. */
  readonly rows: number
  /** stderr is a terminal that shows one live line. */
  readonly live: boolean
  /** Whether stdout, and stderr, may carry colour. */
  readonly colour: { readonly out: boolean; readonly err: boolean }
  /** `false`: only ASCII characters may be printed. */
  readonly unicode: boolean
  /** `files`: stderr shows links to files. `lines`: also to a line in a file. */
  readonly links: 'none' | 'files' | 'lines'
  /** stderr is a terminal to which `copy` may send texts. */
  readonly takesCopies: boolean
  /** Whether `ask` can reach a person. */
  readonly canAsk: boolean
  /** Why `ask` cannot reach the user who sits at the terminal; `undefined` when it can, or when there is no terminal. */
  readonly whyUnasked: string | undefined
  /** stdout is a terminal: a person reads the answer, and a long answer may go through the pager. */
  readonly isRead: boolean
  /** stdin is a pipe or file: it holds data. */
  readonly piped: boolean
  /** Prints lines. Adds the final newline when it is missing, like `err`. */
  out(text: string): void
  /** Prints lines above the live line and above an open question. */
  err(text: string): void
  /**
   * Shows one live line with a spinner and replaces the last one; `undefined` removes it. Does nothing
   * without a live terminal.
   */
  status(text: string | undefined): void
  /**
   * Asks for one typed line, or one key. Ignores what was typed before the question had been on the screen for half a second,
   * and what is pasted. `undefined`: nobody can answer (no terminal, end of input, interruption), or `withdraw` aborted, which
   * removes the question from the screen.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>
  /**
   * Reports each text that is pasted into the window, also while a question is open, and single keys while no question is
   * open. Returns a function that stops it. Ctrl+C and Ctrl+Z keep their meaning. `undefined`: there is no keyboard.
   */
  listen(to: KeyboardListener): (() => void) | undefined
  /**
   * Asks the terminal to put a text on the clipboard of the machine where the user sits; `false` when there is no such
   * terminal. Nobody can know whether the terminal did it.
   */
  copy(text: string): Promise<boolean>
  /**
   * Tells the user, who may be in another window, that relay is waiting for an answer, or that a run has ended. Call the
   * returned function to end the notice. Without a terminal only the end of a run is told, and only by the user's own command.
   */
  notice(notice: Notice): () => void
  /**
   * Shows a long text in the user's pager and resolves when the pager ends; without a pager, prints the text. `patch` returns
   * the text as `git diff` would print it, which is shown instead when the user's pager is made for diffs.
   */
  page(text: string, patch?: () => string): Promise<void>
  /**
   * Opens files, by their absolute paths, in the user's editor and resolves when it ends, with the command that was tried.
   * `setting` is the user's setting of that name. `absent`: there is no such program, or no terminal for it.
   */
  edit(
    paths: readonly string[],
    setting?: string,
  ): Promise<{ readonly end: 'edited' | 'absent'; readonly editor: string }>
  /**
   * Gives the terminal to a program, started from an argument list, and resolves when it ends. Meanwhile Ctrl+C belongs to the
   * program; an interruption of relay ends it. Processes that it leaves behind are ended, as with `Programs`. `onStart` comes
   * before the program and gets relay's own mark: the program has no group of its own. `absent`: the program could not be
   * started, or there is no terminal.
   */
  lend(argv: readonly string[], options: LendOptions): Promise<'ended' | 'absent'>
  /** The editor that `edit` uses when neither the setting nor a variable names one; `undefined` when one does. */
  fallbackEditor(setting?: string): string | undefined
  /** All of stdin. When it has more than `most` bytes, the result is longer than `most`, but need not be all of it. */
  readStdin(most?: number): Promise<Uint8Array>
  /** The tools that relay would use here, with these settings. */
  tools(settings: ToolSettings): Promise<TerminalTools>
}

export type LendOptions = Pick<StartOptions, 'cwd' | 'env' | 'folder' | 'onStart'>

export interface ToolSettings {
  readonly notify: string
  readonly editor?: string | undefined
}

export interface TerminalTools {
  /** stderr is a terminal. */
  readonly isTerminal: boolean
  /** The command of the pager for a diff; `undefined`: the diff is printed. */
  readonly pager: string | undefined
  readonly editor: string
  /** Whether that editor exists, as far as relay can tell. */
  readonly hasEditor: boolean
  /** How `notice` reaches the user; `none` when there is no terminal. */
  readonly notices: 'none' | 'off' | 'bell' | 'terminal' | 'command'
}

/** Receives what is pasted or typed while no question is open. */
export interface KeyboardListener {
  /** The lines of the text are joined by LF. */
  pasted(text: string): void
  /** A text came, or a part of one, that the terminal did not mark as pasted: it was dropped. */
  unmarked(): void
  /** One character. Never part of a paste, and never typed before the screen could be read. */
  pressed(key: string): void
  /** Esc. A paste that stands still after its first byte looks the same, so it must end nothing that cannot go on. */
  escaped?(): void
}

export interface AskOptions {
  readonly withdraw?: AbortSignal | undefined
  /** The user is at work in the same list: nothing that is typed comes too early. */
  readonly goesOn?: boolean
  /** The first key is the answer, without Enter; keys that produce no character are ignored. */
  readonly singleKey?: boolean
}

export interface Clock {
  now(): Date
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
  /** Ends early, without an error, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Measures where the time goes (`--trace`). */
export interface Trace {
  /** Runs `work`; reports its name and duration when it has ended. Spans may nest. */
  span<T>(name: string, work: () => T | Promise<T>): Promise<T>
}

/** All ports together. */
export interface System {
  readonly version: string
  /** The program that runs relay, and its platform. */
  readonly runtime: { readonly name: 'Node' | 'bun'; readonly version: string; readonly platform: string }
  readonly cwd: string
  readonly home: string | undefined
  /** The environment that relay was started with. */
  readonly env: Readonly<Record<string, string>>
  /** Where relay keeps what belongs to the user and to no project; `undefined` when there is no home folder. */
  readonly stateFolder: string | undefined
  /** The user id that relay runs under; `undefined` where the system has none. */
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

/** The user's side of a transaction: it reports what happens, and asks what only a person may decide. */
export interface Talk {
  /** Whether a person sees the reports and can answer. */
  readonly present: boolean
  report(progress: Progress): void
  ask(question: Question): Promise<Answer>
}
