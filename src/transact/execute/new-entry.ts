import { bufferOf } from '../../ground/bytes.ts'
import type { Entry, EntryOperation, SnapshotState } from '../../model/entry.ts'
import { NEW_FILE_MODE } from '../../model/path-state.ts'
import type { Change, Plan } from '../../model/plan.ts'
import { hashOperations, sha256 } from '../entry/hash.ts'
import type { Running } from '../work/work.ts'

export function entryOf({ patch, changes, newFolders, oldFolders, flags }: Plan, { job, system }: Running): Entry {
  const { control } = patch
  // The entry holds the results of edits, not the edits that the response asked for.
  const hasEdits = patch.operations.some(({ op }) => op === 'edit' || op === 'rename')
  return {
    version: 1,
    number: job.number,
    uuid: job.uuid,
    modelUuid: job.modelUuid,
    projectId: control.projectId,
    createdAt: system.clock.now().toISOString(),
    source: job.source,
    undoes: job.undoes,
    changeSummary: control.changeSummary,
    promptSummary: control.promptSummary,
    gitCommitMsg: control.gitCommitMsg,
    reasoning: patch.reasoning,
    flags,
    operations: changes.map(change => operationOf(change, job.undoes !== undefined)),
    ...(hasEdits ? { asked: hashOperations(patch.operations) } : {}),
    snapshot: new Map(
      changes.map(({ path, target, aside, before }): [string, SnapshotState] => {
        const led = { ...(target === path ? {} : { target }), ...(aside === undefined ? {} : { aside }) }
        if (before === null) return [path, { kind: 'absent', ...led }]
        if (before.kind === 'link') return [path, { ...before, ...led }]
        return [path, { ...before, sha256: sha256(before.bytes), ...led }]
      }),
    ),
    createdFolders: newFolders,
    removedFolders: oldFolders?.size === 0 ? undefined : oldFolders,
  }
}

/** `exact`: usual permission bits also belong to the operation. */
function operationOf({ path, before, after, renamedFrom, seen, formatted }: Change, exact: boolean): EntryOperation {
  if (after === null) return { op: 'delete', path }
  if (after.kind === 'link') return { op: 'link', path, to: after.to }
  // A byte order mark is content here, and `toString` keeps it.
  const content = bufferOf(after.bytes).toString('utf8')
  const isNewMode = before?.kind === 'file' ? before.mode !== after.mode : exact || after.mode !== NEW_FILE_MODE
  return {
    op: 'write',
    path,
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    ...(isNewMode ? { mode: after.mode } : {}),
    content,
    ...(Buffer.from(content).equals(after.bytes) ? {} : { bytes: after.bytes }),
    ...(seen === undefined ? {} : { seen: bufferOf(seen).toString('utf8') }),
    ...(formatted === undefined ? {} : { formatted: bufferOf(formatted).toString('utf8') }),
  }
}
