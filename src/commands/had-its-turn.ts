import type { Operation, Patch, Project } from '../model.ts'
import type { Files } from '../ports.ts'
import { hashOperations } from '../transact/entry/hash.ts'
import { Journal } from '../transact/journal/journal.ts'
import { layoutOf } from '../transact/layout/layout.ts'

/** Whether a patch was kept, declined or undone here before, with the same operations: it would be skipped. */
export async function hadItsTurn(
  { control }: Patch,
  operations: readonly Operation[],
  project: Project,
  files: Files,
): Promise<boolean> {
  const journal = await Journal.read(layoutOf(project.root, files))
  const hash = () => hashOperations(operations)
  return (await journal.lookUp(control.uuid, hash))?.operations === hash()
}
