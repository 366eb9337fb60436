import type { MadeChange } from '../model/made.ts'
import type { Task } from '../model/task.ts'
import type { System } from '../ports.ts'
export async function keepWork(
  _root: string,
  _about: { book: string; task: Task; agent: string; why: string; reasoning: string },
  _changes: readonly MadeChange[],
  _system: System,
): Promise<number | undefined> {
  return undefined
}
