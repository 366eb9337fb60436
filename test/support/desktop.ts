import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { relayCommand, testPath } from './real-relay.ts'
import { type Pane, startPane } from './tmux-pane.ts'
import { until } from './until.ts'
import { hasProgram, startXDisplay } from './x-display.ts'

/** What a person has: a clipboard that programs copy to, and a terminal of 80 by 30 in which `relay watch` runs. */
export interface Desktop {
  /** What a program needs to reach its clipboard, as `relay` does. */
  readonly env: Readonly<Record<string, string>>
  /** Copies a text as another program does, which stays. */
  copy(text: string): Promise<void>
  /** Starts the real program in a terminal of its own; one at a time. */
  start(args: readonly string[], cwd: string, env?: Readonly<Record<string, string>>): Pane
  /** Types until the screen answers: what comes within half a second of a question is dropped on purpose. */
  answer(keys: readonly string[], expected: RegExp, times?: number): Promise<void>
  /** Ends when relay has looked at the clipboard after this moment, and looked once more. */
  lookedAgain(): Promise<void>
  /** How often relay has begun to look at the clipboard. */
  looks(): number
  /** Lets every look at the clipboard fail from now on, or work again. */
  breakClipboard(broken: boolean): void
  /** As when the desktop's session ends. */
  killDisplay(): Promise<void>
  /** Ends the terminal that was started last. */
  close(): void
  stop(): Promise<void>
}

const desktopPrograms = ['Xvfb', 'xclip', 'tmux'] as const

/** What is missing for a desktop, if anything is. */
export function missingForDesktop(): readonly string[] {
  return desktopPrograms.filter(name => !hasProgram(name))
}

/**
 * The clipboard is read through a program named `xclip` that notes each look and can be broken, and that does
 * nothing else but to become the real one.
 */
export async function startDesktop(): Promise<Desktop> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-desktop-'))
  const [noted, broken] = [join(folder, 'looks'), join(folder, 'broken')]
  const real = testPath.split(':')
  writeFileSync(noted, '')
  writeFileSync(
    join(folder, 'xclip'),
    `#!/bin/sh
[ "$*" = "-selection clipboard -o" ] && echo look >> '${noted}'
[ -e '${broken}' ] && { echo "Error: Can't open display: (null)" >&2; exit 1; }
PATH='${real.join(':')}'
exec xclip "$@"
`,
  )
  chmodSync(join(folder, 'xclip'), 0o755)

  const display = await startXDisplay()
  const env = { DISPLAY: display.env['DISPLAY'] ?? '', PATH: [folder, ...real].join(':'), PAGER: 'cat', TZ: 'UTC' }
  const looks = () => readFileSync(noted, 'utf8').length / 'look\n'.length
  const owners = new Set<ChildProcess>()
  let pane: Pane | undefined
  const close = () => {
    pane?.stop()
    pane = undefined
  }

  return {
    env,
    async copy(text) {
      // The owner before it goes by itself once it has lost the clipboard: killed, it would leave a look unanswered.
      const owner = spawn('xclip', ['-quiet', '-selection', 'clipboard', '-i'], {
        env: display.env,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      owners.add(owner)
      owner.once('exit', () => owners.delete(owner))
      owner.stdin.end(text)
      const read = ['-selection', 'clipboard', '-o']
      await until(
        () => spawnSync('xclip', read, { env: display.env, timeout: 5000 }).stdout.toString() === text,
        'the text on the clipboard',
      )
    },
    start(args, cwd, more = {}) {
      close()
      // tmux gives a program its own PATH, whatever it is told.
      const words = [`PATH=${env.PATH}`, ...relayCommand, ...args].map(word => `'${word}'`)
      pane = startPane(`exec env ${words.join(' ')}`, { cwd, env: { ...env, ...more }, columns: 80 })
      return pane
    },
    async answer(keys, expected, times = 1) {
      const all = new RegExp(expected.source, `${expected.flags.replace('g', '')}g`)
      let [screen, typedAt] = ['', Number.NEGATIVE_INFINITY]
      const answered = () => {
        screen = pane?.screen() ?? ''
        if ((screen.match(all)?.length ?? 0) >= times) return true
        if (performance.now() - typedAt > 200) {
          pane?.type(...keys)
          typedAt = performance.now()
        }
        return false
      }
      await until(answered, `${expected} on the screen`).catch(error => {
        throw new Error(`${(error as Error).message}:\n${screen}`)
      })
    },
    async lookedAgain() {
      const before = looks()
      await until(() => looks() >= before + 2, 'two more looks at the clipboard')
    },
    looks,
    breakClipboard: isBroken => (isBroken ? writeFileSync(broken, '') : rmSync(broken, { force: true })),
    killDisplay: () => display.stop(),
    close,
    async stop() {
      close()
      for (const owner of owners) owner.kill('SIGKILL')
      await display.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
