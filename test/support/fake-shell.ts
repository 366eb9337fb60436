import type { CommandResult } from '../../src/model/check.ts'
import type { ProcessMark, RunOptions, Shell } from '../../src/ports.ts'
import type { FakeClock } from './fake-clock.ts'
import type { FakeDisk, Life } from './fake-disk.ts'

/** How a command behaves: exits with 0 and prints nothing unless it says otherwise. */
export interface Reply {
  readonly exit?: number
  /** Ended by this signal instead. */
  readonly signal?: string
  readonly output?: string
  readonly cut?: boolean
  /** What it does, as soon as it runs. */
  readonly effect?: (disk: FakeDisk) => void | Promise<void>
  /** Milliseconds on the fake clock; `Infinity` hangs. */
  readonly takes?: number
}

/** A reply, one for each run in turn (the last one stays), or whatever a function makes of the run. */
export type Behaviour = Reply | readonly Reply[] | ((run: Run) => Reply | Promise<Reply>)

export interface Run {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly disk: FakeDisk
}

/** A shell whose commands are a table; what is not in it exits with 127. */
export class FakeShell implements Shell {
  /** By command line. */
  readonly commands: Map<string, Behaviour>
  /** What `find` knows: program to path. */
  readonly programs = new Map<string, string>()
  /** The commands that ran, in order. */
  readonly ran: Omit<Run, 'disk'>[] = []
  /** The groups that `endLeftGroup` ended. */
  readonly ended: ProcessMark[] = []
  readonly mark: ProcessMark
  /** Who has started this relay. */
  parent: ProcessMark | undefined
  readonly #disk: FakeDisk
  readonly #life: Life
  readonly #clock: FakeClock
  readonly #counts = new Map<string, number>()

  constructor(disk: FakeDisk, life: Life, clock: FakeClock, commands: Readonly<Record<string, Behaviour>> = {}) {
    this.#disk = disk
    this.#life = life
    this.#clock = clock
    this.commands = new Map(Object.entries(commands))
    this.mark = this.#start()
  }

  async run(command: string, options: RunOptions): Promise<CommandResult> {
    this.#life.check()
    if (options.signal.aborted) return { end: { kind: 'aborted' }, output: '', cut: false }
    const group = this.#start()
    try {
      await options.onStart(group)
      this.#life.check()
      return await this.#answer(command, options)
    } finally {
      // A killed relay does not take its commands with it.
      if (!this.#life.dead) this.#disk.processes.delete(group.pid)
    }
  }

  async self(): Promise<ProcessMark> {
    return this.mark
  }

  async lifeOf(mark: ProcessMark): Promise<'alive' | 'dead' | 'unseen'> {
    this.#life.check()
    if (mark.machine !== this.mark.machine) return 'unseen'
    if (mark.boot !== this.mark.boot) return 'dead'
    if (mark.space !== this.mark.space) return 'unseen'
    const there = this.#disk.processes.get(mark.pid)
    return there?.startedAt === mark.startedAt ? 'alive' : 'dead'
  }

  async hasStartedThis(mark: ProcessMark): Promise<boolean> {
    this.#life.check()
    return mark.pid === this.parent?.pid
  }

  async endLeftGroup(mark: ProcessMark): Promise<boolean> {
    if ((await this.lifeOf(mark)) !== 'alive') return false
    this.#disk.processes.delete(mark.pid)
    this.ended.push(mark)
    return true
  }

  async find(program: string): Promise<string | null> {
    this.#life.check()
    return this.programs.get(program) ?? null
  }

  async #answer(command: string, options: RunOptions): Promise<CommandResult> {
    const run = { command, cwd: options.cwd, env: options.env ?? {} }
    this.ran.push(run)
    const reply = await this.#reply({ ...run, disk: this.#disk })
    await reply.effect?.(this.#disk)
    this.#life.check()
    const { output = '', cut = false, takes = 0 } = reply
    const limit = options.timeLimit * 1000
    if (takes > 0) await this.#clock.sleep(Math.min(takes, limit), options.signal)
    this.#life.check()
    if (options.signal.aborted) return { end: { kind: 'aborted' }, output, cut }
    if (takes > limit) return { end: { kind: 'time-limit' }, output, cut }
    if (reply.signal !== undefined) return { end: { kind: 'signal', signal: reply.signal }, output, cut }
    return { end: { kind: 'exit', code: reply.exit ?? 0 }, output, cut }
  }

  async #reply(run: Run): Promise<Reply> {
    const behaviour = this.commands.get(run.command)
    if (behaviour === undefined) return { exit: 127, output: `sh: 1: ${run.command}: not found\n` }
    if (typeof behaviour === 'function') return behaviour(run)
    if (!isList(behaviour)) return behaviour
    const count = this.#counts.get(run.command) ?? 0
    this.#counts.set(run.command, count + 1)
    return behaviour[Math.min(count, behaviour.length - 1)] ?? {}
  }

  #start(): ProcessMark {
    const serial = ++this.#disk.serial
    const mark = {
      pid: 1000 + serial,
      startedAt: String(100 * serial),
      machine: 'desk-1',
      boot: 'first-boot',
      space: '1',
    }
    this.#disk.processes.set(mark.pid, mark)
    return mark
  }
}

function isList(behaviour: Reply | readonly Reply[]): behaviour is readonly Reply[] {
  return Array.isArray(behaviour)
}
