import { findSecrets } from '../ground/find-secrets.ts'
import type { Planned } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { textOf } from '../plan/damage/text-changes.ts'
import { followed } from '../plan/doubts.ts'

/**
 * Adds a doubt for each secret that a plan brings into a file. A secret that was in the file before, at whatever place, is
 * none: the plan does not add it.
 */
export async function withSecretDoubts<P extends Planned>(planned: P): Promise<P> {
  if (planned.kind !== 'plan') return planned
  const { plan } = planned
  const found: Flag[] = []
  for (const { path, effect, before, after } of followed(plan.changes)) {
    const text = effect === 'none' ? undefined : textOf(after)
    if (text === undefined) continue
    const secrets = await findSecrets(path, text)
    const known = secrets.length === 0 ? '' : (textOf(before) ?? '')
    for (const { line, kind, ...secret } of secrets) {
      if (known.includes(secret.text)) continue
      found.push({ flag: 'secret', path, reason: `line ${line} seems to hold a secret: ${kind}` })
    }
  }
  return found.length === 0 ? planned : { ...planned, plan: { ...plan, flags: [...plan.flags, ...found] } }
}
