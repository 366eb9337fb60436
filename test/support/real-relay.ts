import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { stateHome } from './state-home.ts'

/** The bundle. Needs `npm run build`. */
export const relayBin = fileURLToPath(new URL('../../dist/relay.cjs', import.meta.url))

/** The single binary to be tested in place of the bundle: `npm run test:binary`. */
export const relayBinary = process.env['RELAY_BINARY']

/** Another version of Node than the one that runs the tests: `npm run test:nodes`. */
const node = process.env['RELAY_NODE'] ?? process.execPath

/** The program as users start it. */
export const relayCommand: readonly [string, ...string[]] = relayBinary === undefined ? [node, relayBin] : [relayBinary]

export interface RelayOptions {
  readonly cwd: string
  /** What is piped into it; without it stdin is `/dev/null`. */
  readonly stdin?: string | Uint8Array
  /** On top of an environment that holds nothing of the desktop that the tests may run on. */
  readonly env?: NodeJS.ProcessEnv
  /** Another copy of the program, or another user: what stands before the arguments. */
  readonly command?: readonly [string, ...string[]]
}

/** How a run ended, and all that it said. */
export interface RelayEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningRelay {
  readonly pid: number
  readonly end: Promise<RelayEnd>
  /** Ends when stderr shows it. */
  says(pattern: RegExp): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** Where the program finds others; for the binary a path without any JavaScript runtime. */
export const testPath = process.env['RELAY_PATH'] ?? process.env['PATH'] ?? ''

/** Nothing of the machine's that changes what relay says or where it looks. */
export function plainEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: testPath, HOME: tmpdir(), XDG_STATE_HOME: stateHome(), LANG: 'C.UTF-8', TZ: 'UTC', ...more }
}

/** Runs the real program, without a shell and without a terminal, to its end. */
export function runRelay(args: readonly string[], options: RelayOptions): Promise<RelayEnd> {
  return startRelay(args, options).end
}

const started = new Set<ChildProcess>()

export function startRelay(args: readonly string[], options: RelayOptions): RunningRelay {
  const [program, ...before] = options.command ?? relayCommand
  const child = spawn(program, [...before, ...args], {
    cwd: options.cwd,
    env: plainEnv(options.env),
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  started.add(child)
  let stdout = ''
  let stderr = ''
  const heard = new Set<() => void>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const listen of heard) listen()
  })
  // Who does not read to the end closes it early.
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.stdin)

  const end = new Promise<RelayEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      started.delete(child)
      resolve({ code, signal, stdout, stderr })
      for (const listen of heard) listen()
    })
  })

  return {
    pid: child.pid ?? 0,
    end,
    says: pattern =>
      new Promise((resolve, reject) => {
        const listen = () => {
          if (pattern.test(stderr)) resolve()
          else if (!started.has(child)) reject(new Error(`ended without ${pattern}:\n${stderr}`))
          else return
          heard.delete(listen)
        }
        heard.add(listen)
        listen()
      }),
    kill: signal => void child.kill(signal),
  }
}

/** For `afterEach`: ends whatever a failed test left running. */
export async function endRelays(): Promise<void> {
  await Promise.all(
    [...started].map(child => {
      const closed = new Promise(resolve => child.once('close', resolve))
      child.kill('SIGKILL')
      return closed
    }),
  )
}
