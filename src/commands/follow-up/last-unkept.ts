import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import type { Journal } from '../../transact/journal/journal.ts'
import { cutShortSince, type LastDeclined, readLastDeclined } from '../../transact/journal/last-declined.ts'
import { lookIn } from '../open/look.ts'

/** The newest response that was not kept, where there is one; or why that is not at hand, and an older one nobody means. */
export type LastUnkept =
  | { readonly kind: 'at-hand'; readonly last: LastDeclined | undefined; readonly journal: Journal }
  | { readonly kind: 'not-at-hand'; readonly why: string }

/** Looks for the response that `relay apply --last` takes and `relay followup` follows up. */
export async function lastUnkept(project: Project, system: System): Promise<LastUnkept> {
  const { layout, journal, unfinished } = await lookIn(project, system)
  const last = await readLastDeclined(layout)
  const number = cutShortSince(last, journal, unfinished)
  if (number === undefined) return { kind: 'at-hand', last, journal }
  const why = `relay was stopped while it worked on the newest answer, #${number}, and does not have it any more`
  return { kind: 'not-at-hand', why }
}
