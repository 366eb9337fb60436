import type { Change, PathFact } from '../../src/model/plan.ts'
import type { FoundChange } from '../../src/plan/change-file.ts'
import { change } from '../report/samples.ts'

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

/** A file that is new in such a place. */
export const newFile = (path: string, more: Partial<PathFact> = {}): FoundChange => ({
  change: change(path, null, 'x\n'),
  fact: absent(path, more),
})

/** A change of which the look at the disk told nothing that matters. */
export const unseen = (of: Change): FoundChange => ({ change: of, fact: absent(of.path) })
