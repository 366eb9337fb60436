import { removeForGood } from '../../agents/work/remove-for-good.ts'
import type { System } from '../../ports.ts'
import { bringBackAsides } from './bring-back-asides.ts'

/**
 * Runs a command that writes. Before it comes back what a stopped run had put aside in the project around a folder; when it has
 * said its last word, what relay has taken away of its own is removed.
 */
export async function aroundWriting(
  run: () => Promise<number>,
  system: System,
  { bringsBack = true, around = system.cwd } = {},
): Promise<number> {
  if (bringsBack) await bringBackAsides(system, around)
  const code = await run()
  await removeForGood(system)
  return code
}
