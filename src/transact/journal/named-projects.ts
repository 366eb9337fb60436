import { join } from 'node:path'
import { digest } from '../../ground/bytes.ts'
import type { Layout } from '../layout/layout.ts'

/**
 * Whether nobody has named another project here today; from now on somebody has.
 *
 * One file for each, whose creation decides: of several processes that watch, one names it. Where nothing can be written
 * each names it.
 */
export async function isFirstToday(projectId: string, now: Date, { named, files }: Layout): Promise<boolean> {
  const today = `${dayOf(now)}-`
  const name = `${today}${digest('sha256', projectId).slice(0, 16)}`
  try {
    await files.makeFolder(named, 0o700)
    if ((await files.create(join(named, name), Buffer.from(''), { mode: 0o600, sync: false })) === 'exists')
      return false
    const old = ((await files.list(named)) ?? []).filter(each => !each.startsWith(today))
    for (const each of old) await files.remove(join(named, each))
  } catch {
    // See above.
  }
  return true
}

/** As the user's calendar has it. */
function dayOf(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, '0')).join('-')
}
