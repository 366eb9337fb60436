import type { Entry, Plan, SnapshotState } from '../model.ts'
import { sha256 } from './hash.ts'
import type { Work } from './work.ts'

/** The entry that a plan becomes: what will be done, and everything that undoing it needs. */
export function entryOf({ patch, changes, newFolders, flags }: Plan, { job, system }: Work): Entry {
  const { control } = patch
  return {
    version: 1,
    number: job.number,
    uuid: job.uuid,
    ...(job.modelUuid === undefined ? {} : { modelUuid: job.modelUuid }),
    projectId: control.projectId,
    createdAt: system.clock.now().toISOString(),
    source: job.response.source,
    changeSummary: control.changeSummary,
    ...(control.promptSummary === undefined ? {} : { promptSummary: control.promptSummary }),
    ...(control.gitCommitMsg === undefined ? {} : { gitCommitMsg: control.gitCommitMsg }),
    reasoning: patch.reasoning,
    flags,
    operations: changes.map(({ path, after }) =>
      after === null
        ? { op: 'delete', path }
        : // The decoder is told to leave a byte order mark alone: it is content here.
          { op: 'write', path, content: Buffer.from(after.bytes).toString('utf8') },
    ),
    snapshot: new Map(
      changes.map(({ path, target, aside, before }): [string, SnapshotState] => {
        const led = { ...(target === path ? {} : { target }), ...(aside === undefined ? {} : { aside }) }
        if (before === null) return [path, { kind: 'absent', ...led }]
        if (before.kind === 'link') return [path, { ...before, ...led }]
        return [path, { ...before, sha256: sha256(before.bytes), ...led }]
      }),
    ),
    createdFolders: newFolders,
  }
}
