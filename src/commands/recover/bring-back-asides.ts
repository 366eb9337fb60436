import { leftAsides } from '../../agents/work/left-asides.ts'
import { RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { wordsOfPaths } from '../../report/text/words-of-paths.ts'
import { showNotes } from '../talk/show-notes.ts'

/**
 * Puts back what a stopped run of agents had put aside for a merge in the project around a folder, and says so. Gives whether there
 * was anything. Every command that writes does this first, as it rolls back what is unfinished.
 */
export async function bringBackAsides(system: System, around = system.cwd): Promise<boolean> {
  if ((await leftAsides(around, system)).length === 0) return false
  // Loaded only here: few commands know the products.
  const [{ takeLoopsBack }, { takePlansBack }] = await Promise.all([
    import('../../agents/prd/loop-aside.ts'),
    import('../../agents/raf/raf-ship.ts'),
  ])
  const paths: string[] = []
  for (const takeBack of [takeLoopsBack, takePlansBack]) {
    try {
      paths.push(...(await takeBack(around, system)))
    } catch (error) {
      // A link in the place of such a file is no reason to do nothing else. The text stays in relay's folder.
      if (!(error instanceof RelayError)) throw error
      showNotes([`not put back after a merge that was stopped: ${error.message}`], system)
    }
  }
  if (paths.length === 0) return false
  showNotes([`put back, after a merge that was stopped: ${wordsOfPaths(paths)}`], system)
  return true
}
