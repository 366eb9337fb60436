import { changeBetween } from '../model/path-state.ts'
import type { Change, PathFact } from '../model/plan.ts'
import type { NewContent } from './edits/new-content.ts'
import type { Step } from './edits/steps-of.ts'

/** A change beside what the look at the disk told of its path. */
export interface FoundChange {
  readonly change: Change
  readonly fact: PathFact
}

/**
 * What one step does to what was found on the disk; step and content must have been let through.
 *
 * A write goes where links lead and leaves them standing; a delete of a link removes the link itself.
 */
export function changeFile(
  { op, path, fact }: Step,
  content: Exclude<NewContent, { readonly kind: 'refused' }>,
): Change {
  const aside = fact.otherDevice
  if (op === 'delete' && fact.link !== undefined) {
    return changeBetween({ path, target: fact.place, aside }, { kind: 'link', to: fact.link }, null)
  }
  const target = fact.leads.kind === 'inside' ? fact.leads.target : path
  const before = fact.found === 'file' && fact.file !== undefined ? fact.file : null
  const { otherNames } = fact
  const place = { path, target, otherNames, aside, isClosed: before === null ? undefined : fact.isClosed }
  if (content.kind === 'none') return changeBetween(place, before, null)
  const { file, edits, renamedFrom } = content
  return { ...changeBetween(place, before, file), edits, renamedFrom }
}
