import type { Control } from '../model/response.ts'

/** The paths that a change summary calls edited, and not new as well: to whoever wrote it the files are there. */
export function editedPaths({ changeSummary }: Pick<Control, 'changeSummary'>): ReadonlySet<string> {
  const edited = new Set(changeSummary.flatMap(entry => pathsUnder(entry, 'edit')))
  for (const path of changeSummary.flatMap(entry => pathsUnder(entry, 'new'))) edited.delete(path)
  return edited
}

function pathsUnder(entry: unknown, verb: 'edit' | 'new'): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return []
  const value = (entry as Readonly<Record<string, unknown>>)[verb]
  return typeof value === 'string' ? [value] : []
}
