import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { durable } from '../../transact/disk/durable.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { previewRecovery } from '../../transact/recover/recover.ts'

/**
 * Throws `unfinished` where a question is left open here: it would keep work from landing. Checked before an agent is paid for.
 */
export async function requireNoOpenQuestion({ root, config }: Project, system: System): Promise<void> {
  const found = await previewRecovery(layoutOf(root, durable(system.files, config)), system)
  const open = found.find(({ action }) => ['held', 'foreign', 'unreadable'].includes(action))
  if (open === undefined) return
  const name = open.number === undefined ? 'A change' : `#${open.number}`
  throw new RelayError('unfinished', `${name} was left open here, and nothing else lands before it is settled`, {
    hint: 'Run `relay recover`.',
  })
}
