import { bufferOf } from '../../ground/buffer-of.ts'
import type { Entry, EntryOperation, SnapshotState } from '../../model/entry.ts'
import type { Change, Plan } from '../../model/plan.ts'
import { sha256 } from '../entry/hash.ts'
import type { Work } from '../work/work.ts'

/** The entry that a plan becomes: what will be done, and everything that undoing it needs. */
export function entryOf({ patch, changes, newFolders, oldFolders, flags }: Plan, { job, system }: Work): Entry {
  const { control } = patch
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

/** `exact`: the permission bits are part of what is asked for, and the bytes need be no text. */
function operationOf({ path, before, after }: Change, exact: boolean): EntryOperation {
  if (after === null) return { op: 'delete', path }
  if (after.kind === 'link') return { op: 'link', path, to: after.to }
  // The decoder is told to leave a byte order mark alone: it is content here.
  const content = bufferOf(after.bytes).toString('utf8')
  if (!exact) return { op: 'write', path, content }
  const isNewMode = before?.kind !== 'file' || before.mode !== after.mode
  return {
    op: 'write',
    path,
    ...(isNewMode ? { mode: after.mode } : {}),
    content,
    ...(Buffer.from(content).equals(after.bytes) ? {} : { bytes: after.bytes }),
  }
}
