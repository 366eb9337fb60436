import { RelayError } from '../../errors.ts'
import type { CommandResult } from '../../model/check.ts'
import type { System } from '../../ports.ts'

export type Doors = Pick<System, 'files' | 'programs' | 'env' | 'home' | 'interruption'>

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
  const { timeLimit = usualTimeLimit } = options
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
  )
  system.interruption.throwIfAborted()
  if (end.kind === 'exit') return { code: end.code, out, err }
  const why = end.kind === 'time-limit' ? `it took longer than ${timeLimit} s` : 'something ended it'
  throw new RelayError('failed', `\`${argv[0]}\` did not come to its end: ${why}`)
}

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
