import type { CommandResult } from '../../src/model/check.ts'
import type { ProcessMark, ProgramOptions, Programs, Running, StartOptions } from '../../src/ports.ts'
import type { FakeClock } from './fake-clock.ts'
import type { Life } from './fake-disk.ts'
import type { FakeShell } from './fake-shell.ts'

/** How a program behaves: what it prints, and how long it takes on the fake clock. */
export interface ProgramReply {
  readonly out?: readonly string[]
  readonly err?: readonly string[]
  readonly exit?: number
  readonly takes?: number
}

/** Programs that are a table, by their words; what is not in it exits with 127. */
export class FakePrograms implements Programs {
  /** By the words, joined with blanks. */
  readonly replies = new Map<string, ProgramReply | ((stdin: string) => ProgramReply)>()
  /** What was started, in order. */
  readonly ran: { readonly argv: readonly string[]; readonly options: ProgramOptions }[] = []
  readonly #life: Life
  readonly #clock: FakeClock
  readonly #shell: FakeShell

  constructor(life: Life, clock: FakeClock, shell: FakeShell) {
    this.#life = life
    this.#clock = clock
    this.#shell = shell
  }

  async run(argv: readonly string[], options: ProgramOptions): Promise<CommandResult['end']> {
    this.#life.check()
    this.ran.push({ argv, options })
    const known = this.replies.get(argv.join(' ')) ?? { err: [`${argv[0]}: not found`], exit: 127 }
    const reply = typeof known === 'function' ? known(options.stdin) : known
    return this.#end(reply, options)
  }

  async start(argv: readonly string[], options: StartOptions): Promise<Running> {
    this.#life.check()
    const { mark: group } = this.#shell
    await options.onStart(group, 'RELAY_RUN=fake')
    this.#life.check()
    return { group, ended: this.run(argv, options) }
  }

  async startApart(): Promise<void> {
    this.#life.check()
  }

  async endLeft(group: ProcessMark): Promise<boolean> {
    return this.#shell.endLeftGroup(group)
  }

  async endLeftIn(): Promise<boolean> {
    return true
  }

  async #end(reply: ProgramReply, options: ProgramOptions): Promise<CommandResult['end']> {
    if (options.signal.aborted) return { kind: 'aborted' }
    for (const line of reply.out ?? []) options.onLine(line, 'out')
    for (const line of reply.err ?? []) options.onLine(line, 'err')
    const limit = options.timeLimit * 1000
    const takes = reply.takes ?? 0
    if (takes > 0) await this.#clock.sleep(Math.min(takes, limit), options.signal)
    this.#life.check()
    if (options.signal.aborted) return { kind: 'aborted' }
    return takes > limit ? { kind: 'time-limit' } : { kind: 'exit', code: reply.exit ?? 0 }
  }
}
