import { RelayError } from '../../errors.ts'
import type { CommandResult } from '../../model/check.ts'
import type { System } from '../../ports.ts'

export type Doors = Pick<System, 'files' | 'programs' | 'env' | 'home' | 'interruption'> & {
  /** Where what is to be removed is kept until then; without it, it is removed at once. */
  readonly stateFolder?: System['stateFolder']
  readonly clock?: System['clock']
  readonly patience?: Patience
}

/** How long relay waits for a git that needs no network. */
export interface Patience {
  /** Seconds. */
  readonly limit: number
  /** Called where a call takes long, with what is waited for: `git status`. */
  onSlow(what: string): void
}

export interface Printed {
  readonly code: number
  /** All of stdout. Bytes that are not UTF-8 become U+FFFD. */
  readonly out: string
  readonly err: string
}

interface Options {
  readonly cwd: string
  /** Added to `PATH` and `HOME`. The program gets no other variable of the user's environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Seconds. */
  readonly timeLimit?: number
}

/** In seconds: enough for a checkout of gigabytes on a slow disk. */
const usualTimeLimit = 1800

/** Runs a program of the system to its end. Throws `failed` where it could not run, or did not end by itself. */
export async function runProgram(argv: readonly string[], options: Options, system: Doors): Promise<Printed> {
  const patience = argv[0] === 'git' ? system.patience : undefined
  const { timeLimit = patience?.limit ?? usualTimeLimit } = options
  const ended = new AbortController()
  const isSlow = patience === undefined ? undefined : system.clock?.sleep(slowMs, ended.signal)
  void isSlow?.then(() => ended.signal.aborted || patience?.onSlow(nameOf(argv)))
  const { end, out, err } = await runToEnd(
    argv,
    {
      ...options,
      env: { PATH: system.env['PATH'] ?? '', HOME: system.home ?? '', ...options.env },
      path: system.env['PATH'],
      timeLimit,
      signal: system.interruption,
    },
    system,
  ).finally(() => ended.abort())
  system.interruption.throwIfAborted()
  if (end.kind === 'exit') return { code: end.code, out, err }
  const why = end.kind === 'time-limit' ? `it took longer than ${timeLimit} s` : 'something ended it'
  throw new RelayError('failed', `\`${nameOf(argv)}\` did not come to its end: ${why}`)
}

/** `git status` of `git -c core.fsmonitor=false status -z`. */
function nameOf([program = '', ...words]: readonly string[]): string {
  const at = words.findIndex((word, index) => !word.startsWith('-') && words[index - 1] !== '-c')
  return program === 'git' && at >= 0 ? `git ${words[at]}` : program
}

const slowMs = 10_000

interface WholeOptions {
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Where the program is looked up, instead of the PATH in `env`. */
  readonly path?: string | undefined
  readonly stdin?: string
  /** Seconds. */
  readonly timeLimit: number
  readonly signal: AbortSignal
}

interface Ended extends Omit<Printed, 'code'> {
  readonly end: CommandResult['end']
}

/** Runs a program until it ends, for whatever reason. */
export async function runToEnd(
  argv: readonly string[],
  { stdin = '', ...options }: WholeOptions,
  { programs }: Pick<Doors, 'programs'>,
): Promise<Ended> {
  const lines = { out: [] as string[], err: [] as string[] }
  const onLine = (line: string, from: 'out' | 'err') => lines[from].push(line)
  const end = await programs.run(argv, { ...options, stdin, onLine })
  return { end, out: lines.out.join('\n'), err: lines.err.join('\n').trim() }
}
