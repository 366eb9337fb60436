import { join } from 'node:path'
import { isRecord, parseJson } from '../ground/json.ts'
import type { FoundAgent } from '../model/agent.ts'
import type { System } from '../ports.ts'
import type { Backend } from './backends/backend.ts'
import { agentEnv } from './run/guard.ts'

interface Look {
  readonly agents: readonly FoundAgent[]
  /** Resolves when no program started for the search runs any more. */
  readonly over: Promise<void>
}

/**
 * Looks for all agents at the same time, and answers in less than two seconds.
 *
 * A program that hangs, or leaves a process running, takes longer to end. `over` waits for it; the answer can be shown before.
 */
export async function lookForAgents(backends: readonly Backend[], system: System): Promise<Look> {
  const { clock, interruption } = system
  const answered = new AbortController()
  const isLate = clock.sleep(1000 * patience, AbortSignal.any([answered.signal, interruption]))
  const looks = await Promise.all(backends.map(backend => lookFor(backend, isLate, system)))
  answered.abort()
  return { agents: looks.map(({ agent }) => agent), over: Promise.all(looks.map(({ over }) => over)).then(() => {}) }
}

/** The time that a program has to print its version, in seconds. */
const patience = 1.3

async function lookFor(backend: Backend, isLate: Promise<void>, system: System) {
  const { name, program, sandboxes, untried, install = null } = backend
  const path = await system.shell.find(program, system.env['PATH'])
  const known = { name, program, path, sandboxes, tried: untried !== true, install }
  // A custom agent is not asked for its version: that would run a command that came with the project.
  const isAsked = path !== null && backend.own !== true
  if (!isAsked) return { agent: { ...known, version: null, looksLoggedIn: null }, over: undefined }
  const { version, over } = askVersion(path, backend, system)
  const [said, looksLoggedIn] = await Promise.all([
    Promise.race([version, isLate.then(() => packagedVersion(path, system))]),
    looksLoggedInTo(backend, system),
  ])
  return { agent: { ...known, version: said, looksLoggedIn }, over }
}

/** Asks a program for its version. The version is known before the program and its children have ended. */
function askVersion(path: string, { versionArgs }: Backend, { programs, env, home, interruption }: System) {
  let tell: (version: string | null) => void = () => {}
  const version = new Promise<string | null>(resolve => {
    tell = resolve
  })
  const running = programs.start([path, ...versionArgs], {
    cwd: home ?? '/',
    env: agentEnv(env, 1, {}),
    stdin: '',
    timeLimit: patience,
    isBrief: true,
    signal: interruption,
    onStart: async () => {},
    onLine(line, from) {
      const found = from === 'out' ? versionIn.exec(line)?.[0] : undefined
      if (found !== undefined) tell(found)
    },
  })
  // A program that cannot be started has no version.
  const over = running
    .then(({ ended }) => ended)
    .then(
      () => tell(null),
      () => tell(null),
    )
  return { version, over }
}

const versionIn = /\b\d+\.\d+(?:[\w.+-]*\w)?/

/** The version from the npm package of a program, for a program too slow to print it in time. */
async function packagedVersion(path: string, { files }: System): Promise<string | null> {
  const real = await files.realPath(path).catch(() => null)
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(real ?? '') ?? []
  if (folder === undefined) return null
  const bytes = await files.read(join(folder, 'package.json')).catch(() => null)
  const found = bytes === null ? undefined : parseJson(Buffer.from(bytes).toString('utf8'))
  return isRecord(found) && typeof found['version'] === 'string' ? found['version'] : null
}

async function looksLoggedInTo({ login }: Backend, { env, home, files }: System): Promise<boolean> {
  if (login.variables.some(name => (env[name] ?? '') !== '')) return true
  if (home === undefined) return false
  const found = await Promise.all(login.files.map(path => files.stat(join(home, path)).catch(() => null)))
  return found.some(stat => stat !== null)
}
