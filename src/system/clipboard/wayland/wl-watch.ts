import { type ChildProcess, spawn } from 'node:child_process'
import { RelayError } from '../../../errors.ts'
import type { ClipboardBackEnd } from '../../../ports.ts'
import { systemClock } from '../../clock.ts'
import { byPrograms, dataControlPrograms } from '../programs.ts'

/**
 * The clipboard of a compositor that shows it to programs without the keyboard's focus. One `wl-paste --watch`
 * reports each copy, as long as somebody listens.
 */
export function wlWatch(env: NodeJS.ProcessEnv, why: string): ClipboardBackEnd {
  const looks = byPrograms(dataControlPrograms, env, why)
  return {
    ...looks,
    kind: 'events',
    name: 'wl-paste --watch',

    async *listen(signal) {
      const watcher = new Watcher(env)
      const stop = () => watcher.stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        // It reports what is there already, too, which is no copy.
        await watcher.first((await holdsSomething(env)) ? tellingMs : beginningMs)
        if (signal.aborted) return
        if (watcher.ended) throw watcher.trouble()
        yield looks
        while (await watcher.next()) yield looks
        if (!signal.aborted) throw watcher.trouble()
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
    },
  }
}

/** How long `wl-paste` may take to report what is there, and to find that it cannot watch. */
const [tellingMs, beginningMs] = [2000, 100]

async function holdsSomething(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { execa } = await import('execa')
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: tellingMs, reject: false } as const
  return !(await execa('wl-paste', ['--list-types'], options)).failed
}

/**
 * `wl-paste` does not notice that relay ends. The shell around it does, because its input ends with relay, however
 * relay ends. Each copy makes it start `echo`, which gives a line for us.
 */
const script = 'wl-paste --watch echo & watcher=$!; exec >&- 2>&-; read _; kill "$watcher"'

class Watcher {
  readonly #shell: ChildProcess
  #changed = false
  ended = false
  #said = ''
  #wake: (() => void) | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#shell = spawn('sh', ['-c', script], { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const { stdin, stdout, stderr } = this.#shell
    stdin?.on('error', () => {})
    stdout?.on('data', () => {
      this.#changed = true
      this.#wake?.()
    })
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-1000)
    })
    // Only `wl-paste` holds both streams: they end with it.
    const end = () => {
      this.ended = true
      this.#wake?.()
    }
    stdout?.on('error', end).on('close', end)
    stderr?.on('error', () => {})
    this.#shell.on('error', end)
  }

  /** Waits for the first change, for the end of the watch, or for this time. */
  async first(ms: number): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.next(), systemClock.sleep(ms, over.signal)])
    over.abort()
  }

  /** Waits for the next change; `false` when there will be none. */
  async next(): Promise<boolean> {
    for (;;) {
      if (this.ended) return false
      if (this.#changed) {
        this.#changed = false
        return true
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  trouble(): RelayError {
    const said = this.#said.trim().split('\n')[0] ?? ''
    const hint = /watch mode requires/i.test(said) ? newerHint : againHint
    return new RelayError('environment', `Lost the clipboard: wl-paste ${said === '' ? 'ended' : `says "${said}"`}`, {
      hint,
    })
  }

  stop(): void {
    this.ended = true
    this.#shell.stdin?.end()
    this.#wake?.()
  }
}

const againHint = 'relay starts it again.'
const newerHint =
  'This compositor wants a newer wl-clipboard; `"clipboard": "poll"` in relaycode.config.json does without.'
