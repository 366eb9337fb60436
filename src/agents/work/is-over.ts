import type { TurnEnd } from '../../model/agent.ts'
import type { Book } from '../../model/book.ts'
import type { AttemptFacts, Task } from '../../model/task.ts'

/** Whether a turn came to its end, or was cut after it had said that its task is done. */
export async function isOver(
  { status, marker }: Pick<TurnEnd, 'status' | 'marker'>,
  book: Book,
  task: Task,
  facts: AttemptFacts,
): Promise<boolean> {
  if (status === 'ok') return true
  if (status !== 'timeout' && status !== 'over-limit') return false
  return marker === 'COMPLETE' || (marker === undefined && (await book.saysDone?.(task, facts)) === true)
}
