import { join } from 'node:path'
import { secretsIn } from '../../ground/secret-names.ts'
import type { System } from '../../ports.ts'
import type { Backend } from '../backends/backend.ts'

/** How many levels deep agents may start each other through relay. */
const mostDepth = 1

/** The depth of the next agent; `undefined`: relay already runs inside an agent, and starts none. */
export function nextDepth(env: Readonly<Record<string, string>>): number | undefined {
  const told = env['PHONE_A_FRIEND_DEPTH'] ?? ''
  const depth = /^\d+$/.test(told) ? Number(told) : 0
  return depth >= mostDepth ? undefined : depth + 1
}

/** The environment for an agent: relay's own without secrets, but for those in `kept`, and with the agent's depth. */
export function agentEnv(
  env: Readonly<Record<string, string>>,
  depth: number,
  more: Readonly<Record<string, string>>,
  kept: readonly string[] = [],
): Readonly<Record<string, string>> {
  const left = new Set(secretsIn(env, kept))
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !left.has(name)))
  return { ...rest, RELAY_AGENT: '1', PHONE_A_FRIEND_DEPTH: String(depth), ...more }
}

/** The secrets that an agent's program gets: its provider's keys, and what the user's own settings of it name as such. */
export async function keptFor({ keeps }: Backend, { env, home, files }: System): Promise<readonly string[]> {
  const { names, settings } = keeps
  const places = settings?.places(env).map(path => (path.startsWith('/') ? path : join(home ?? '/', path))) ?? []
  const texts = places.map(async path => {
    // What cannot be read names nothing: the program then says which key it misses.
    const bytes = await files.read(path).catch(() => null)
    return bytes === null ? [] : (settings?.keysIn(new TextDecoder().decode(bytes)) ?? [])
  })
  return [...names(env), ...(await Promise.all(texts)).flat()]
}
