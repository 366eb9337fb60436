import { type ChildProcess, spawn } from 'node:child_process'
import { RelayError } from '../../../errors.ts'
import type { ClipboardBackEnd } from '../../../ports.ts'
import { systemClock } from '../../clock.ts'
import { byPrograms, dataControlPrograms } from '../programs.ts'

/**
 * The clipboard of a compositor that lets programs look at it without the keyboard's focus: one `wl-paste --watch`
 * tells of each copy, as long as somebody listens.
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
        // What is there already is told as well, and is no copy.
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

/** How long it may take to tell what is there, and to find that it cannot tell. */
const [tellingMs, beginningMs] = [2000, 100]

async function holdsSomething(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { execa } = await import('execa')
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: tellingMs, reject: false } as const
  return !(await execa('wl-paste', ['--list-types'], options)).failed
}

/**
 * `wl-paste` notices no end of ours: a shell around it does, for its input ends with us, whatever ends us. Each copy
 * makes it start `echo`, and so is a line for us.
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
    // Both streams are only held by `wl-paste`: their end is its end.
    const end = () => {
      this.ended = true
      this.#wake?.()
    }
    stdout?.on('error', end).on('close', end)
    stderr?.on('error', () => {})
    this.#shell.on('error', end)
  }

  /** Ends with the first change, when there will be none, or when the time is over. */
  async first(ms: number): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.next(), systemClock.sleep(ms, over.signal)])
    over.abort()
  }

  /** Ends with the next change; `false` when there will be none. */
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
