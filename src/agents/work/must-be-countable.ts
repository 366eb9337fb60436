import { RelayError } from '../../errors.ts'
import { checkNow, runNow } from '../../flows/check-now.ts'
import { secretsIn, withoutWords } from '../../ground/secret-names.ts'
import { lintersOf } from '../../model/linters-of.ts'
import type { Project } from '../../model/project.ts'
import type { System, Talk } from '../../ports.ts'

/**
 * Counts the errors in a checkout in which no agent has worked yet, and throws `usage` where that cannot be done: each attempt
 * would end in the same way. A check that only found no test can be done, as the first task may be to write one.
 *
 * @param project the checkout's folder, with the user's configuration
 */
export async function mustBeCountable(project: Project, system: System, talk: Talk): Promise<void> {
  const { config } = project
  const { clock, interruption } = system
  const linters = lintersOf(config)
  if (linters.length === 0) return
  const without = secretsIn(system.env, config.checkout.env)
  // It may make what the linter needs. Where it fails, the linter says what is missing.
  if (config.preCommand.trim() !== '') await runNow('pre', config.preCommand, project, system, without)
  talk.report({ kind: 'step-started', step: 'base', command: linters.join(' && ') })
  const begin = clock.monotonic()
  const check = await checkNow(project, system, without)
  if (interruption.aborted) return
  talk.report({ kind: 'checked', step: 'base', check, comparison: undefined, ms: clock.monotonic() - begin })
  if (check.kind !== 'uncounted' || check.tests === 'none') return
  const missed = withoutWords(without)
  throw new RelayError('usage', `The linter gives no result in the checkout, where agents work: ${check.why}`, {
    hint:
      'Bring there what it needs and git does not have: `checkout.setup`, `checkout.link` or `checkout.copy` in relaycode.config.json.' +
      (missed === undefined ? '' : ` It ran ${missed}.`),
  })
}
