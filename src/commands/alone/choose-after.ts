import { mustShip } from '../../agents/ship/must-ship.ts'
import { RelayError } from '../../errors.ts'
import type { Config } from '../../model/project.ts'
import { type ShipWish, shipWishes } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { askKey } from '../talk/ask-key.ts'
import { showNotes } from '../talk/show-notes.ts'

interface BranchToShip {
  readonly root: string
  readonly branch: string
  /** The user's branch that a merge goes into; `undefined` for a detached HEAD. */
  readonly into: string | undefined
}

/**
 * Asks how to ship a branch at the end. Also checks that this is possible, before the first task. Where the user cannot be
 * asked, the branch is left as it is.
 */
export async function chooseAfter(
  after: ShipWish | undefined,
  place: BranchToShip,
  config: Config,
  system: System,
): Promise<ShipWish> {
  if (after !== undefined) {
    await mustShip(after, place, system)
    return after
  }
  if (!system.terminal.canAsk) return 'leave'
  const { branch, into } = place
  const keys = [
    ['m', into === undefined ? 'merge it' : `merge it into ${into}`],
    ['p', 'open a pull request'],
    ['l', 'leave it'],
  ] as const
  const prompt = `When all is done, what happens with the branch ${branch}? (m/p/l/?)`
  const key = await askKey(prompt, keys, config, system.terminal)
  if (key === undefined) throw new RelayError('declined', 'Nothing was begun', { isSaid: true })
  const wish = shipWishes.find(each => each.startsWith(key)) ?? 'leave'
  try {
    await mustShip(wish, place, system)
    return wish
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    showNotes([`${error.message}: the branch will be left`], system)
    return 'leave'
  }
}
