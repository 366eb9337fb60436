import packageJson from '../../package.json' with { type: 'json' }
import { main } from '../../src/main.ts'
import { realSystem } from '../../src/system/system.ts'
import { isWhole } from './drawn.ts'
import { Life } from './fake-disk.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { plainEnv, type RelayEnd, type RelayOptions, relayBinary, runRelay } from './real-relay.ts'

/**
 * As `runRelay`, without a process of its own, which is most of what a short command takes: the real files and programs,
 * and nobody at the terminal. `npm run test:all` runs the program all the same.
 */
export function runHere(args: readonly string[], options: Omit<RelayOptions, 'command'>): Promise<RelayEnd> {
  if (isWhole || relayBinary !== undefined) return runRelay(args, options)
  // Folder and environment are those of the whole process: one at a time.
  const end = last.then(() => run(args, options))
  last = end.catch(() => {})
  return end
}

let last: Promise<unknown> = Promise.resolve()

const { version } = packageJson

async function run(args: readonly string[], { cwd, env, stdin }: RelayOptions): Promise<RelayEnd> {
  const interruption = new AbortController()
  const terminal = new PipedTerminal(new Life(), interruption.signal, stdin === undefined ? {} : { stdin })
  const before = { cwd: process.cwd(), env: { ...process.env } }
  process.chdir(cwd)
  become(plainEnv(env))
  try {
    const code = await main(args, {
      version,
      out: text => terminal.out(text),
      err: text => terminal.err(text),
      open: async () => ({ ...realSystem({ version, noInput: true, trace: false, interruption }), terminal }),
    })
    return { code, signal: null, stdout: terminal.stdout, stderr: terminal.stderr }
  } finally {
    process.chdir(before.cwd)
    become(before.env)
  }
}

/** The same object, which goes on to the programs that are started and to what Node asks the system for. */
function become(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
}

/** Two pipes: what would be shown in a pager is printed. */
class PipedTerminal extends FakeTerminal {
  override async page(text: string): Promise<void> {
    this.err(text)
  }
}
