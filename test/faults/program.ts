import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plainEnv, type RelayEnd, relayBin } from '../support/real-relay.ts'

const faulty = fileURLToPath(new URL('./faulty.js', import.meta.url))

export interface RunOptions {
  readonly cwd: string
  readonly stdin?: string
  /** As `faulty.js` reads it. */
  readonly fault?: string
  readonly log?: string
  readonly env?: NodeJS.ProcessEnv
  /** What stands before `node`: a tracer, another user. */
  readonly before?: readonly string[]
  /** Leads a process group of its own, as in a terminal. */
  readonly group?: boolean
  /** Runs in a terminal, as `script` makes one; what it shows comes as stdout. */
  readonly terminal?: boolean
}

export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  readonly end: Promise<RelayEnd>
  /** What it has said on stderr so far; in a terminal, what it has shown. */
  said(): string
  /** Ends when it has said or shown this; fails when it ends without. */
  says(pattern: RegExp): Promise<void>
  /** Types a key and Enter once a question takes them, which is half a second after it appeared. */
  type(key: string): Promise<void>
}

/** The real program, hurt where it is told to be. */
export function relay(args: readonly string[], options: RunOptions): Promise<RelayEnd> {
  return start(args, options).end
}

export function start(args: readonly string[], options: RunOptions): Running {
  const load = options.fault === undefined && options.log === undefined ? [] : ['--import', faulty]
  const plain = [...(options.before ?? []), process.execPath, ...load, relayBin, ...args]
  const line =
    options.terminal === true
      ? ['script', '-qefc', `stty cols 80 rows 24; exec ${plain.join(' ')}`, '/dev/null']
      : plain
  const child = spawn(line[0] ?? '', line.slice(1), {
    cwd: options.cwd,
    env: plainEnv({
      ...(options.fault === undefined ? {} : { RELAY_FAULT: options.fault }),
      ...(options.log === undefined ? {} : { RELAY_FAULT_LOG: options.log }),
      ...options.env,
    }),
    stdio: [options.stdin === undefined && options.terminal !== true ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: options.group === true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin?.on('error', () => {})
  if (options.terminal !== true) child.stdin?.end(options.stdin)
  let over = false
  const end = new Promise<RelayEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      over = true
      resolve({ code, signal, stdout, stderr })
    })
  })
  const said = () => (options.terminal === true ? stdout : stderr)
  return {
    child,
    pid: child.pid ?? 0,
    end,
    said,
    async says(pattern) {
      while (!pattern.test(said())) {
        if (over) throw new Error(`ended without ${pattern}:\n${said()}`)
        await pause(5)
      }
    },
    async type(key) {
      // What comes too early does not count, and how early that is depends on the machine.
      while (!over) {
        child.stdin?.write(`${key}\r`)
        await Promise.race([end, pause(700)])
      }
    },
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** Waits until the process has stopped itself, or has ended; answers which. */
export async function untilStopped(pid: number): Promise<boolean> {
  for (;;) {
    const state = stateOf(pid)
    if (state === 'T' || state === 't') return true
    if (state === undefined || state === 'Z' || state === 'X') return false
    await pause(3)
  }
}

function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]
  } catch {
    return undefined
  }
}
