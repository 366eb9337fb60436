import type { BranchToShip } from '../../agents/work/errand.ts'
import { requireShippable } from '../../agents/work/preflight.ts'
import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import { type AfterRun, waysAfterRun } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { askKey } from '../talk/ask-key.ts'
import { showNotes } from '../talk/show-notes.ts'

/**
 * Asks how to ship a branch at the end. Also checks that this is possible, before the first task. Where the user cannot be
 * asked, the branch is left as it is.
 */
export async function chooseAfter(
  after: AfterRun | undefined,
  { name, into }: BranchToShip,
  { root, config }: Project,
  system: System,
): Promise<AfterRun> {
  if (after !== undefined) {
    await requireShippable(after, { root, into }, system)
    return after
  }
  if (!system.terminal.canAsk) return 'leave'
  const keys = [
    ['m', into === undefined ? 'merge it' : `merge it into ${into}`],
    ['p', 'open a pull request'],
    ['l', 'leave it'],
  ] as const
  const prompt = `When all is done, what happens with the branch ${name}? (m/p/l/?)`
  const key = await askKey(prompt, keys, config, system.terminal)
  if (key === undefined) throw new RelayError('declined', 'Nothing was begun', { isSaid: true })
  const wish = waysAfterRun.find(each => each.startsWith(key)) ?? 'leave'
  try {
    await requireShippable(wish, { root, into }, system)
    return wish
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    showNotes([`${error.message}: the branch will be left`], system)
    return 'leave'
  }
}
