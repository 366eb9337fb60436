import type { System } from '../../src/ports.ts'
import { silentTrace } from '../../src/system/trace.ts'
import { type Layout, layoutOf } from '../../src/transact/layout/layout.ts'
import { FakeClipboard } from './fake-clipboard.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeDisk, Life } from './fake-disk.ts'
import { FakePrograms } from './fake-programs.ts'
import { type Behaviour, FakeShell } from './fake-shell.ts'
import { FakeTerminal, type FakeTerminalOptions } from './fake-terminal.ts'
import { FakeWeb } from './fake-web.ts'

export interface FakeSystemOptions {
  /** Files of the project to begin with: path to text. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** The disk of an earlier system: the same machine after a restart, or a second relay on it. */
  readonly disk?: FakeDisk
  readonly cwd?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  readonly version?: string
  /** What the shell knows: command line to behaviour. */
  readonly commands?: Readonly<Record<string, Behaviour>>
  readonly clipboard?: string | null
  /** Everything about the terminal; `answers` is also taken from here directly. */
  readonly terminal?: FakeTerminalOptions
  readonly answers?: FakeTerminalOptions['answers'] | undefined
  /** A clock that jumps on whenever somebody sleeps. */
  readonly autoAdvance?: boolean
}

export interface FakeSystem {
  readonly system: System
  /** Where everything of the project's transactions stands, as this system reaches it. */
  readonly layout: Layout
  readonly disk: FakeDisk
  readonly clipboard: FakeClipboard
  readonly terminal: FakeTerminal
  readonly shell: FakeShell
  readonly programs: FakePrograms
  readonly web: FakeWeb
  readonly clock: FakeClock
  /** As Ctrl+C (or the signal named) does. */
  interrupt(signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void
  /** As `kill -9` on this relay alone: every later call throws `Crash`; its commands go on living. */
  kill(): void
}

/**
 * A whole world in memory: a project in `/project`, a shell that is a table, a clipboard, a terminal, a clock.
 *
 * After `disk.crash()` a new `fakeSystem({ disk })` is the next start of relay on the same machine.
 */
export function fakeSystem(options: FakeSystemOptions = {}): FakeSystem {
  const life = new Life()
  const disk = options.disk ?? new FakeDisk()
  for (const [path, content] of Object.entries(options.files ?? {})) disk.write(path, content)

  const interruption = new AbortController()
  const clock = new FakeClock({ auto: options.autoAdvance ?? false })
  const shell = new FakeShell(disk, life, clock, options.commands)
  const programs = new FakePrograms(life, clock, shell)
  const web = new FakeWeb(life)
  const clipboard = new FakeClipboard(life, options.clipboard ?? null)
  const terminal = new FakeTerminal(life, interruption.signal, {
    ...(options.answers === undefined ? {} : { answers: options.answers }),
    ...options.terminal,
  })

  const system: System = {
    version: options.version ?? '0.0.0-test',
    runtime: { name: 'Node', version: '20.20.2', platform: 'linux x64' },
    cwd: options.cwd ?? disk.root,
    home: options.home ?? '/home/me',
    env: options.env ?? { PATH: '/usr/bin', HOME: '/home/me' },
    stateFolder: '/home/me/.local/state/relaycode',
    uid: undefined,
    files: disk.files(life),
    shell,
    programs,
    web,
    clipboard,
    terminal,
    clock,
    interruption: interruption.signal,
    trace: silentTrace,
    randomUuid: () => `00000000-0000-4000-8000-${String(++disk.serial).padStart(12, '0')}`,
  }
  return {
    system,
    layout: layoutOf(disk.root, system.files),
    disk,
    clipboard,
    terminal,
    shell,
    programs,
    web,
    clock,
    interrupt: (signal = 'SIGINT') => interruption.abort(signal),
    kill: () => {
      life.kill()
      disk.processes.delete(shell.mark.pid)
    },
  }
}
