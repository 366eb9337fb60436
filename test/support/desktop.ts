import { hasProgram } from './has-program.ts'
import { relayCommand, testPath } from './real-relay.ts'
import { type Pane, startPane } from './tmux-pane.ts'
import { until } from './until.ts'
import { startXDisplay } from './x-display.ts'
import { ownXClipboard, startCopier } from './x-owner.ts'

/** What a person has: a clipboard that programs copy to, and a terminal of 80 by 30 in which `relay watch` runs. */
export interface Desktop {
  /** What a program needs to reach its clipboard, as `relay` does. */
  readonly env: Readonly<Record<string, string>>
  /** Copies a text as another program does, which stays. */
  copy(text: string): Promise<void>
  /** Starts the real program in a terminal of its own; one at a time. */
  start(args: readonly string[], cwd: string, env?: Readonly<Record<string, string>>): Promise<Pane>
  /** Copies something harmless and ends when relay has read it: what it had to say about earlier texts is said. */
  noticed(): Promise<void>
  /** How often relay has read what was copied last. */
  reads(): number
  /** A program copies that does not answer when it is asked for its text. */
  copyAndHang(): Promise<void>
  /** As when the desktop's session ends, and another begins. */
  killDisplay(): Promise<void>
  restartDisplay(): Promise<void>
  /** Ends the terminal that was started last. */
  close(): Promise<void>
  stop(): Promise<void>
}

const desktopPrograms = ['Xvfb', 'xclip', 'tmux'] as const

/** What is missing for a desktop, if anything is. */
export function missingForDesktop(): readonly string[] {
  return desktopPrograms.filter(name => !hasProgram(name))
}

export async function startDesktop(): Promise<Desktop> {
  const display = await startXDisplay()
  const env = { DISPLAY: display.env['DISPLAY'] ?? '', PATH: testPath, PAGER: 'cat', TZ: 'UTC' }
  let copier = await startCopier(display.env)
  let pane: Pane | undefined
  const close = async () => {
    await pane?.stop()
    pane = undefined
  }

  return {
    env,
    copy: text => copier.copy(text),
    async start(args, cwd, more = {}) {
      await close()
      // tmux gives a program its own PATH, whatever it is told.
      const words = [`PATH=${env.PATH}`, ...relayCommand, ...args].map(word => `'${word}'`)
      pane = startPane(`exec env ${words.join(' ')}`, { cwd, env: { ...env, ...more }, columns: 80 })
      return pane
    },
    async noticed() {
      await copier.copy('nothing of interest')
      await until(() => copier.reads() > 0, 'a look at the clipboard')
    },
    reads: () => copier.reads(),
    async copyAndHang() {
      await ownXClipboard(display.env, () => {})
    },
    async killDisplay() {
      copier.end()
      await display.stop()
    },
    async restartDisplay() {
      await display.restart()
      copier = await startCopier(display.env)
    },
    close,
    async stop() {
      await close()
      copier.end()
      await display.stop()
    },
  }
}
