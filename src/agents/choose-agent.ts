import { RelayError } from '../errors.ts'
import type { Sandbox } from '../model/agent.ts'
import type { System } from '../ports.ts'
import type { Backend } from './backends/backend.ts'
import { nextDepth } from './run/guard.ts'

/**
 * The agents with these names. Without names, the preferred agent if it is installed, else the first that is. Throws `usage`
 * for an unknown name, and `environment` where no agent is installed.
 *
 * Each agent is started by the path that was found on the PATH of `system`: in the folder where it runs, PATH may lead
 * elsewhere.
 */
export async function agentsFor(
  names: readonly string[],
  preferred: string,
  backends: readonly Backend[],
  system: System,
): Promise<readonly Backend[]> {
  if (names.length > 0) {
    const named = [...new Set(names)].map(name => backendNamed(name, backends))
    return Promise.all(named.map(async backend => foundAt(await find(backend, system), backend)))
  }
  const first = backends.find(({ name }) => name === preferred)
  if (first === undefined) {
    const hint = `Set one of ${namesOf(backends)}: \`relay config agent codex\`.`
    throw new RelayError('usage', unknownAgent(preferred), { hint })
  }
  for (const backend of [first, ...backends]) {
    const path = await find(backend, system)
    if (path !== null) return [foundAt(path, backend)]
  }
  throw new RelayError('environment', 'No agent is installed here', {
    hint: installHint(first, 'Install one, for example'),
  })
}

/** The preferred agent, or another installed one where it cannot give the sandbox: then `passedOver` is the preferred agent. */
export async function agentThatCan(
  sandbox: string,
  preferred: string,
  backends: readonly Backend[],
  system: System,
): Promise<{ readonly agent: Backend; readonly passedOver?: Backend }> {
  const cannot = (backend: Backend) => backend.sandboxes[sandbox as Sandbox] === 'none'
  const [first] = await agentsFor([], preferred, backends, system)
  if (first === undefined) throw new Error('No agent was chosen')
  if (!cannot(first)) return { agent: first }
  for (const agent of backends) {
    const path = cannot(agent) ? null : await find(agent, system)
    if (path !== null) return { agent: foundAt(path, agent), passedOver: first }
  }
  return { agent: first }
}

/** Throws `environment` where the only agent asked for is not installed. Of several agents, others can still start. */
export async function mustBeThere(agents: readonly Backend[], system: System): Promise<void> {
  const [agent, ...others] = agents
  if (agent === undefined || others.length > 0 || (await find(agent, system)) !== null) return
  throw new RelayError('environment', `${agent.program} CLI not found in PATH`, { hint: installHint(agent) })
}

/** The nesting depth of the agent to start. Throws `usage` where relay itself runs inside an agent. */
export function depthOfAgent({ env }: Pick<System, 'env'>): number {
  const depth = nextDepth(env)
  if (depth !== undefined) return depth
  throw new RelayError('usage', 'Relay depth limit reached; refusing nested relay invocation')
}

function find({ program }: Backend, { shell, env }: System): Promise<string | null> {
  return shell.find(program, env['PATH'])
}

function foundAt(path: string | null, backend: Backend): Backend {
  if (path === null || backend.own === true) return backend
  const build: Backend['build'] = request => {
    const start = backend.build(request)
    return { ...start, argv: [path, ...start.argv.slice(1)] }
  }
  return { ...backend, build }
}

function installHint({ install }: Backend, how = 'Install it'): string {
  return install === undefined ? 'Look at `relay agents`.' : `${how}: ${install}`
}

function backendNamed(name: string, backends: readonly Backend[]): Backend {
  const found = backends.find(backend => backend.name === name)
  if (found !== undefined) return found
  throw new RelayError('usage', `Unsupported relay backend: ${name}. Supported: ${namesOf(backends)}`)
}

function namesOf(backends: readonly Backend[]): string {
  return backends
    .map(({ name }) => name)
    .toSorted()
    .join(', ')
}

/** The message for an unknown agent in the configuration. */
export function unknownAgent(name: string): string {
  return `"agent" in the configuration is "${name}", and there is no such agent`
}

const sandboxes: readonly Sandbox[] = ['danger-full-access', 'read-only', 'workspace-write']

/** The sandbox with that name. Throws `usage` where one of these agents cannot give it: relay never weakens a sandbox. */
export function sandboxFor(name: string, backends: readonly Backend[]): Sandbox {
  const allowed = sandboxes.filter(each => backends.every(backend => backend.sandboxes[each] !== 'none'))
  const found = allowed.find(each => each === name)
  if (found === undefined) {
    const message = `Invalid sandbox mode: ${name}. Allowed values: ${allowed.join(', ')}`
    const cannot = backends.filter(backend => backend.sandboxes[name as Sandbox] === 'none').map(each => each.name)
    const hint = `${cannot.join(', ')} cannot be kept to ${name}. \`relay agents\` shows which agents can.`
    throw new RelayError('usage', message, cannot.length === 0 ? {} : { hint })
  }
  return found
}
