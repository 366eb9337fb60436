import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './is-running.ts'
import { stateHome } from './state-home.ts'
import { until } from './until.ts'

/** A real terminal of 100 by 30 (or so many `columns`), in a tmux of its own that touches no other one. */
export interface Pane {
  /** What stands on the screen and above it, without empty lines at the end. */
  screen(): string
  /** The title that the program gave its window. */
  title(): string
  /** The process that was started in it. */
  readonly pid: number
  /** Ends when the screen shows it, `times` times. */
  until(pattern: RegExp, times?: number): Promise<void>
  /** tmux's names for keys: `y`, `Enter`, `C-c`. */
  type(...keys: string[]): void
  /**
   * Types until the screen shows it once more than before: what comes too early, or while relay works, is dropped on
   * purpose. On a machine that is slow to show what was typed it is not typed much more often.
   */
  typeUntil(expected: RegExp, ...keys: string[]): Promise<void>
  /** As terminals paste: each end of a line as Enter, and in brackets for a program that asked for them. */
  paste(text: string): void
  /** Makes the window so many columns wide. */
  resize(columns: number): void
  /** Waits for the program's end. */
  ended(): Promise<{ readonly status: string; readonly signal: string }>
  /** Closes the terminal, and waits for the end of the program in it. */
  stop(): Promise<void>
}

export function startPane(
  command: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly columns?: number },
): Pane {
  const folder = mkdtempSync(join(tmpdir(), 'relay-tmux-'))
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    XDG_STATE_HOME: stateHome(),
    XDG_CONFIG_HOME: stateHome(),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
  }
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'TMUX', 'TERM']) delete env[name]
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()

  const added = Object.entries(options.env ?? {}).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  tmux(
    ...[
      'new-session',
      '-d',
      '-s',
      'w',
      '-x',
      String(options.columns ?? 100),
      '-y',
      '30',
      '-c',
      options.cwd,
      ...added,
      command,
    ],
    ...[';', 'set', '-w', 'remain-on-exit', 'on'],
  )
  const screen = () => tmux('capture-pane', '-p', '-J', '-t', 'w', '-S', '-').trimEnd()
  const times = (pattern: RegExp) => [...screen().matchAll(new RegExp(pattern, `${pattern.flags}g`))].length
  const untilScreen = (isSo: () => boolean, awaited: string) =>
    until(isSo, awaited).catch((error: Error) => {
      throw new Error(`${error.message}:\n${screen()}`)
    })

  const pid = Number(tmux('display', '-p', '-t', 'w', '#{pane_pid}'))
  const type = (...keys: readonly string[]) => void tmux('send-keys', '-t', 'w', ...keys)

  return {
    screen,
    title: () => tmux('display', '-p', '-t', 'w', '#{pane_title}').trimEnd(),
    pid,
    until: (pattern, least = 1) => untilScreen(() => times(pattern) >= least, `${pattern}, ${least} times`),
    type,
    async typeUntil(expected, ...keys) {
      const before = times(expected)
      // A question takes no key in its first half second, and neither does a watcher after it has said something.
      let [pause, typedAt] = [600, performance.now()]
      const isShown = () => {
        if (times(expected) > before) return true
        if (performance.now() - typedAt > pause) {
          type(...keys)
          typedAt = performance.now()
          pause *= 1.5
        }
        return false
      }
      await untilScreen(isShown, `${expected} after ${keys.join(' ')}`)
    },
    paste(text) {
      const file = join(folder, 'paste')
      writeFileSync(file, text)
      tmux('load-buffer', file, ';', 'paste-buffer', '-p', '-t', 'w')
    },
    resize: columns => void tmux('resize-window', '-t', 'w', '-x', String(columns)),
    async ended() {
      for (;;) {
        const [dead, status = '', signal = ''] = tmux(
          ...['display', '-p', '-t', 'w', '#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}'],
        )
          .trim()
          .split('|')
        if (dead === '1' && status + signal !== '') return { status, signal }
        // tmux 3.3 at times misses the end of a child; the end of another one makes it look again.
        if (dead === '1') tmux('run-shell', 'true')
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    async stop() {
      try {
        tmux('kill-server')
      } catch {
        // It has ended by itself.
      }
      // What goes back when its terminal is closed must not meet what a test does next.
      await until(() => !isRunning(pid), 'the end of the program in a closed terminal')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
