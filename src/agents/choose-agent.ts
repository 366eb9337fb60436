import { RelayError } from '../errors.ts'
import type { Sandbox } from '../model/agent.ts'
import type { System } from '../ports.ts'
import type { Backend } from './backends/backend.ts'

/**
 * The agents of these names; without one the preferred agent if it is there, else the first that is. Throws `usage` for a name
 * that there is not, and `environment` where no agent is there.
 */
export async function agentsFor(
  names: readonly string[],
  preferred: string,
  backends: readonly Backend[],
  system: System,
): Promise<readonly Backend[]> {
  if (names.length > 0) return [...new Set(names)].map(name => backendNamed(name, backends))
  const first = backendNamed(preferred, backends)
  for (const backend of [first, ...backends]) {
    if ((await system.shell.find(backend.program)) !== null) return [backend]
  }
  throw new RelayError('environment', 'No agent is installed here', { hint: installHint(first) })
}

/** Throws where the program of one that was asked for alone is not there: nothing could be started. */
export async function mustBeThere(agents: readonly Backend[], system: System): Promise<void> {
  const [agent, ...others] = agents
  if (agent === undefined || others.length > 0 || (await system.shell.find(agent.program)) !== null) return
  throw new RelayError('environment', `${agent.program} CLI not found in PATH`, { hint: installHint(agent) })
}

function installHint({ install }: Backend): string {
  return install === undefined ? 'Look at `relay agents`.' : `Install it: ${install}`
}

function backendNamed(name: string, backends: readonly Backend[]): Backend {
  const found = backends.find(backend => backend.name === name)
  if (found !== undefined) return found
  const names = backends.map(backend => backend.name).toSorted()
  throw new RelayError('usage', `Unsupported relay backend: ${name}. Supported: ${names.join(', ')}`)
}

const sandboxes: readonly Sandbox[] = ['danger-full-access', 'read-only', 'workspace-write']

/** The sandbox of that name, if all of these agents can give it. Throws `usage` otherwise: none is ever made weaker. */
export function sandboxFor(name: string, backends: readonly Backend[]): Sandbox {
  const allowed = sandboxes.filter(each => backends.every(backend => backend.sandboxes[each] !== 'none'))
  const found = allowed.find(each => each === name)
  if (found === undefined) {
    throw new RelayError('usage', `Invalid sandbox mode: ${name}. Allowed values: ${allowed.join(', ')}`)
  }
  return found
}
