import { titleOfEntry } from '../../model/title.ts'
import type { Last } from '../../report/screens/status-lines.ts'
import type { Journal } from '../../transact/journal/journal.ts'
import { readOutline } from '../../transact/journal/read-applied.ts'
import type { Layout } from '../../transact/layout/layout.ts'

/** What was kept last in a project and stands, as every command tells it. */
export async function lastKept(journal: Journal, layout: Layout): Promise<Last | undefined> {
  for (const { outcome, uuid, number, at } of journal.newestFirst()) {
    if (outcome !== 'committed') continue
    const outline = await readOutline(uuid, layout)
    return { number, title: outline ? titleOfEntry(outline) : '', at: new Date(at) }
  }
  return undefined
}
