import type { Entry } from '../../src/model/entry.ts'

/** An entry of a patch that asked for nothing, but for these changes. */
export function entryWith(changes: Partial<Entry>): Entry {
  return {
    version: 1,
    number: 1,
    uuid: '1b671a64-40d5-491e-99b0-da01ff1f3341',
    projectId: 'demo',
    createdAt: '2026-11-20T14:02:11.000Z',
    source: 'stdin',
    changeSummary: [],
    reasoning: [],
    flags: [],
    operations: [],
    snapshot: new Map(),
    createdFolders: [],
    ...changes,
  }
}
