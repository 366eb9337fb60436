import type { PathFact } from '../../src/model.ts'

/** A place in the project where nothing is yet. */
export const absent = (path: string, more: Partial<PathFact> = {}): PathFact => ({
  path,
  place: path,
  leads: { kind: 'inside', target: path },
  link: undefined,
  found: 'absent',
  file: undefined,
  identity: undefined,
  fileInTheWay: undefined,
  missingFolders: [],
  otherDevice: undefined,
  guarded: undefined,
  ...more,
})
