import { RelayError } from '../../errors.ts'
import type { AgentEvent, TurnEnd } from '../../model/agent.ts'
import type { System } from '../../ports.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { withConfirmed } from '../checkout/turn-files.ts'
import { type PlanParts, planEnvelope, planOpening, planRules } from '../envelope/plan-envelope.ts'
import { agentEnv, keptFor } from '../run/guard.ts'
import { runAgent } from '../run/run-agent.ts'
import type { WorkOptions } from '../work/work-parts.ts'

export interface PlannerOptions {
  readonly work: WorkOptions
  /** The agent talks with the user, in the user's terminal. */
  readonly talks: boolean
  onEvent(event: AgentEvent): void
}

/**
 * Runs an agent that plans in a checkout, and gives the end of its turn. Gives `undefined` after a conversation: only the files
 * in the checkout tell how that ended.
 */
export function runPlanner(
  parts: PlanParts,
  checkout: Checkout,
  options: PlannerOptions,
  system: System,
): Promise<TurnEnd | undefined> {
  const { work, talks, onEvent } = options
  return withConfirmed(work.confirmed, checkout, system, async () => {
    if (talks) return converse(parts, checkout, work, system)
    const { backend, sandbox, model, depth, limits, env = system.env, confirmed } = work
    const asked = { prompt: planEnvelope(parts), sandbox, model, cwd: checkout.cwd, allow: [] }
    const request = { ...asked, confirmed: confirmed?.files ?? [] }
    const doors = { ...system, env: checkout.env(env) }
    return runAgent(backend, request, { ...limits, system: doors, depth, checkout, path: system.env['PATH'], onEvent })
  })
}

async function converse(
  parts: PlanParts,
  checkout: Checkout,
  { backend, model, depth, env }: WorkOptions,
  system: System,
): Promise<undefined> {
  const { shell, terminal } = system
  const request = { rules: planRules(parts), opening: planOpening(parts), model, writes: parts.path }
  const start = backend.converse?.(request)
  if (start === undefined) throw new RelayError('usage', `relay knows no conversation with ${backend.name}`)
  const kept = await keptFor(backend, system)
  const [program = '', ...words] = start.argv
  const more = { TMPDIR: checkout.tmp, ...start.env }
  const end = await terminal.lend([(await shell.find(program, system.env['PATH'])) ?? program, ...words], {
    cwd: checkout.cwd,
    env: agentEnv(checkout.env(env ?? system.env), depth, more, kept),
    folder: checkout.folder,
  })
  if (end === 'absent') throw new RelayError('environment', `${program} could not be started in this terminal`)
}
